import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { COMMANDS, ring, WAKE_WORDS } from '../../commands/wake.ts';
import { parseEndpoint } from '../endpoint.ts';
import { socketsContract } from '../sockets.contract.ts';
import { AF_INET, AF_INET6, readSockaddr, writeFamily, writeSockaddr } from './sockaddr.ts';
import { openSyscalls } from './syscalls.ts';

if (process.platform === 'linux') socketsContract('system calls', openSyscalls);

describe.runIf(process.platform === 'linux')('a socket that is read only when it is asked', () => {
  it('hands over one packet at a time or all, and everything by itself when it listens again', async () => {
    const arrived: string[] = [];
    const words = (): Int32Array => new Int32Array(new SharedArrayBuffer(64));
    const sockets = await openSyscalls({
      host: '127.0.0.1',
      commands: words(),
      held: words(),
      handle: (_socket, offset, length) => {
        arrived.push(Buffer.from(sockets.memory.subarray(offset, offset + length)).toString());
        return true;
      },
    });
    const peer = createSocket('udp4').bind(0, '127.0.0.1');
    await once(peer, 'listening');
    const to = parseEndpoint('127.0.0.1', peer.address().port);
    let socket = -1;
    sockets.bind(0, (bound) => {
      socket = bound ?? -1;
    });
    const hello = once(peer, 'message') as Promise<[Buffer, { port: number }]>;
    if (to) sockets.send(socket, 0, 1, to);
    const [, { port }] = await hello;
    const send = (text: string): Promise<unknown> =>
      new Promise((sent) => peer.send(text, port, '127.0.0.1', sent));
    /** Three turns with epoll. */
    const turn = (): void => {
      let turns = 0;
      sockets.run(() => {
        if (turns++ === 3) sockets.pause();
        return 1;
      });
    };
    sockets.listen(socket, false);
    for (const text of ['one', 'two', 'three']) await send(text);
    turn();
    expect(arrived).toEqual([]);
    sockets.read(socket, 0, false);
    expect(arrived).toEqual(['one']);
    sockets.read(socket, 0, true);
    expect(arrived).toEqual(['one', 'two', 'three']);
    sockets.listen(socket, true);
    await send('four');
    turn();
    expect(arrived.at(-1)).toBe('four');
    sockets.stop();
    peer.close();
  });
});

describe.runIf(process.platform === 'linux')('a thread that expects no packet', () => {
  const commands = new Int32Array(new SharedArrayBuffer(WAKE_WORDS * 4));
  /** The turns in which it slept and woke. Nothing is due for longer than a test may take. */
  const turnsOf = async (inTurn: () => void): Promise<number> => {
    const held = new Int32Array(new SharedArrayBuffer(64));
    const sockets = await openSyscalls({ host: '127.0.0.1', commands, held, handle: () => true });
    let turns = 0;
    sockets.run(() => {
      if (turns++ === 0) inTurn();
      else sockets.pause();
      return -600_000;
    });
    sockets.stop();
    return turns;
  };

  it('wakes for a command of another thread', async () => {
    const code = `const { workerData: words } = require('node:worker_threads');
      do Atomics.add(words, ${COMMANDS}, 1);
      while (Atomics.notify(words, ${COMMANDS}) === 0);`;
    const other = new Worker(code, { eval: true, workerData: commands });
    await once(other, 'online');
    expect(await turnsOf(() => {})).toBe(2);
    await other.terminate();
  });

  it('does not fall asleep over a command that came while it was awake', async () => {
    expect(await turnsOf(() => ring(commands))).toBe(2);
  });
});

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
