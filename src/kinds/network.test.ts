import { BlockList, isIP } from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { isAddress, isPrivate, type Network, overlap, parseNetwork } from './network.ts';

const network = (text: string): Network => {
  const parsed = parseNetwork(text);
  if (!parsed) throw new Error(`${text} is no network`);
  return parsed;
};

describe('a network', () => {
  test.each([
    '192.0.2.1',
    '192.0.2.0/24',
    '0.0.0.0/0',
    '2001:db8::1',
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7:8',
    '::ffff:192.0.2.1',
    '2001:db8::/32',
    'fe80::/10',
  ])('%s is read', (text) => expect(parseNetwork(text)).not.toBeNull());

  test.each([
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::/129',
    '::1%eth0',
    '1:2:3:4:5:6:7::8',
    '::1.2.3',
    'g::',
  ])('%j is none', (text) => expect(parseNetwork(text)).toBeNull());

  it('is read as node reads it, whatever its form', () => {
    for (const text of ['::ffff:1.2.3.4', '1.2.3.4', 'fe80::1', '1::2', '::', 'A::b', '1:2:3:4:5:6:1.2.3.4'])
      expect(parseNetwork(text) !== null).toBe(isIP(text) !== 0);
  });

  it('has a family and a length; IPv4 in the form of IPv6 is IPv4', () => {
    expect(network('10.0.0.0/8')).toMatchObject({ family: 4, bits: 8 });
    expect(network('::ffff:10.0.0.0/104')).toEqual(network('10.0.0.0/8'));
    expect(network('2001:db8::/32')).toMatchObject({ family: 6, bits: 32 });
    expect(network('::/0')).toMatchObject({ family: 4, bits: 0 });
    expect(network('::ffff:0:0/90')).toMatchObject({ family: 4, bits: 0 });
  });

  it('begins at its first address, wherever it was written', () => {
    expect(network('192.0.2.77/24')).toEqual(network('192.0.2.0/24'));
  });
});

it('overlaps are what node:net BlockList finds', () => {
  const addresses = ['192.0.2.1', '192.0.2.255', '192.0.3.0', '10.0.0.1', '2001:db8::1', '2001:db9::1'];
  for (const subnet of ['192.0.2.0/24', '192.0.0.0/16', '10.0.0.0/30', '2001:db8::/32', '192.0.2.128/25']) {
    const [base = '', bits] = subnet.split('/');
    const list = new BlockList();
    list.addSubnet(base, Number(bits), isIP(base) === 6 ? 'ipv6' : 'ipv4');
    for (const address of addresses) {
      const found = list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
      expect(overlap(network(subnet), network(address)), `${subnet} ${address}`).toBe(found);
    }
  }
});

test.each<[string, boolean]>([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.0.0/24', true],
  ['172.0.0.0/8', true],
  ['192.168.0.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['::ffff:10.0.0.1', true],
  ['203.0.113.7', false],
  ['172.32.0.1', false],
  ['2001:db8::1', false],
])('%s is private: %s', (text, expected) => {
  expect(isPrivate(network(text))).toBe(expected);
});

test.each([
  '192.0.2.1',
  '0.0.0.0',
  '2001:db8::0001',
  '::01',
  '2001:0db8:0000:0000:0000:0000:0000:0001',
  '::ffff:192.0.2.1',
  '192.0.2.01',
  '01.0.2.1',
  '::ffff:192.00.2.1',
  '192.0.2.0/24',
  '192.0.2',
  'sip.example.com',
  '::1::',
  '',
])('"%s" is an address, or none, as for sockets', (text) => expect(isAddress(text)).toBe(isIP(text) !== 0));

test('an address with a zone is none: it would not be compared with networks', () => {
  expect(isAddress('fe80::1%eth0')).toBe(false);
});
