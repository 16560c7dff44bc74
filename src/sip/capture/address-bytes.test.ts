import { expect, test } from 'vitest';
import { addressBytes } from './address-bytes.ts';

let zones = 0;
/** Another text for the same address each time: those of before are remembered. */
const fresh = (address: string): string => (address.includes(':') ? `${address}%${++zones}` : address);
const hexOf = (address: string): string => Buffer.from(addressBytes(fresh(address))).toString('hex');

test.each([
  ['192.0.2.129', 'c0000281'],
  ['0.0.0.255', '000000ff'],
  ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ['::', '00000000000000000000000000000000'],
  ['2001:db8::1', '20010db8000000000000000000000001'],
  ['::ffff:192.0.2.129', '00000000000000000000ffffc0000281'],
])('%s is %s, also with a zone', (address, hex) => {
  expect(hexOf(address)).toBe(hex);
  expect(addressBytes(address)).toBe(addressBytes(address));
});

test.each(['', 'host.example', '1.2.3', '1.2.3.4.5', '1.2.3.256', '-1.2.3.4', '1:2', '1:2:3:4:5:6:7:8:9'])(
  'four zeros stand for %j, which is no address',
  (address) => expect(hexOf(address)).toBe('00000000'),
);

test('four zeros stand for numbers that are no bytes', () => {
  zones += 1;
  expect(hexOf(`1e-${zones}.2.3.4`)).toBe('00000000');
});
