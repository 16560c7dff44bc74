import { expect, it } from 'vitest';
import { isProblem } from '../../kinds/problem.ts';
import { readTrunk } from './trunk.ts';

const addressesOf = (address: string): unknown => {
  const trunk = readTrunk({ name: 'a', host: 'sip.example.com', addresses: [address] });
  return 'addresses' in trunk ? trunk.addresses : null;
};

it.each(['192.0.2.1', '192.0.2.0/24', '10.0.0.0/8', '2001:db8::/32', '::1', '192.0.2.1/32'])(
  'a trunk may call from %s',
  (address) => expect(addressesOf(address)).toEqual([address]),
);

it.each(['0.0.0.0/0', '::/0', '128.0.0.0/1', '10.0.0.0/7', '2000::/3', '192.0.2.0/33', '192.0.2.0/', 'a'])(
  'no trunk calls from %s',
  (address) => expect(addressesOf(address)).toBeNull(),
);

it.each([
  ['2001:db8::0001', true],
  ['::01', true],
  ['192.0.2.1', true],
  ['fe80::1%eth0', false],
  ['::1%lo', false],
  ['192.0.2.01', false],
])('the host %s is taken: %s', (host, taken) => {
  expect(!isProblem(readTrunk({ name: 'a', host }))).toBe(taken);
});
