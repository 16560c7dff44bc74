import { describe, expect, it } from 'vitest';
import { parseEndpoint } from '../endpoint.ts';
import { socketsContract } from '../sockets.contract.ts';
import { AF_INET, AF_INET6, readSockaddr, writeFamily, writeSockaddr } from './sockaddr.ts';
import { openSyscalls } from './syscalls.ts';

if (process.platform === 'linux') socketsContract('system calls', openSyscalls);

describe('a socket address in bytes', () => {
  it.each([
    ['192.0.2.7', AF_INET],
    ['192.0.2.7', AF_INET6],
    ['2001:db8::12:3456', AF_INET6],
  ])('%s goes there and back in family %i', (address, family) => {
    const endpoint = parseEndpoint(address, 40_001);
    const bytes = new Uint8Array(32);
    const back = { a: 1, b: 1, c: 1, d: 1, port: 1 };
    writeFamily(bytes, family);
    expect(endpoint && writeSockaddr(bytes, family, endpoint)).toBe(true);
    readSockaddr(bytes, family, back);
    expect(back).toEqual(endpoint);
  });
});
