import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LocalAddresses, routeTo } from './local-address.ts';

describe('our address towards a peer', () => {
  test('is the one the system would use', () => {
    expect(routeTo('127.0.0.1')).toBe('127.0.0.1');
    expect(routeTo('no address')).toBe(null);
  });

  test('is none where there is no way, and the question leaves no socket open', async () => {
    const open = async () => {
      // A handle is closed in the next turn of the event loop.
      for (let turn = 0; turn < 3; turn++) await setImmediate();
      return process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length;
    };
    const before = await open();
    // A link-local address without its interface.
    expect(routeTo('fe80::1')).toBe(null);
    expect(routeTo('127.0.0.1')).toBe('127.0.0.1');
    expect(await open()).toBe(before);
  });

  test('is asked for once per network, within a bound', () => {
    const asked: string[] = [];
    const addresses = new LocalAddresses((peer) => {
      asked.push(peer);
      return '10.0.0.1';
    });
    expect(addresses.towards('192.0.2.1')).toBe('10.0.0.1');
    expect(addresses.towards('192.0.2.200')).toBe('10.0.0.1');
    expect(addresses.towards('2001:db8::1')).toBe('10.0.0.1');
    expect(addresses.towards('2001:db8::2')).toBe('10.0.0.1');
    expect(asked).toEqual(['192.0.2.1', '2001:db8::1']);
    for (let i = 0; i < 3_000; i++) addresses.towards(`10.${i >> 8}.${i & 255}.1`);
    expect(addresses.size).toBe(1_024);
  });

  test('is not remembered when there is none', () => {
    const addresses = new LocalAddresses(() => null);
    expect(addresses.towards('192.0.2.1')).toBe(null);
    expect(addresses.size).toBe(0);
  });
});
