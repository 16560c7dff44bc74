import { describe, expect, test } from 'vitest';
import { LocalAddresses, routeTo } from './local-address.ts';

describe('our address towards a peer', () => {
  test('is the one the system would use', () => {
    expect(routeTo('127.0.0.1')).toBe('127.0.0.1');
    expect(routeTo('no address')).toBe(null);
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
