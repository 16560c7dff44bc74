import { expect, it } from 'vitest';
import { isPrivate } from './addresses.ts';

it.each([
  ['10.0.0.1', true],
  ['9.255.255.255', false],
  ['11.0.0.1', false],
  ['127.0.0.1', true],
  ['126.0.0.1', false],
  ['128.0.0.1', false],
  ['0.0.0.0', true],
  ['1.0.0.1', false],
  ['100.63.0.1', false],
  ['100.64.0.1', true],
  ['100.127.255.1', true],
  ['100.128.0.1', false],
  ['169.254.0.1', true],
  ['169.253.0.1', false],
  ['172.15.0.1', false],
  ['172.16.0.1', true],
  ['172.31.255.1', true],
  ['172.32.0.1', false],
  ['192.168.0.1', true],
  ['192.167.0.1', false],
  ['193.168.0.1', false],
  ['203.0.113.1', false],
  ['::', true],
  ['::1', true],
  ['fc00::1', true],
  ['fd12::1', true],
  ['fe80::1', true],
  ['febf::1', true],
  ['fec0::1', false],
  ['2001:db8::1', false],
  ['::FFFF:10.0.0.1', true],
  ['::ffff:203.0.113.1', false],
])('%s is private: %s (RFC 1918, 6598, 3927, 4193, 4291)', (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});
