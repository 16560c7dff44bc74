import { describe, expect, it } from 'vitest';
import { endpointIn, familyOf, isOpenAddress, networkTest, parseNetwork } from './network.ts';

describe('an address', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:200::1',
    '2a00:1450:4001:81b::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ])('%s is on the open internet', (text) => {
    expect(isOpenAddress(text)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '3fff::1',
    'fc00::1',
    'fd12:3456:789a::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s is not', (text) => {
    expect(familyOf(text)).not.toBeNull();
    expect(isOpenAddress(text)).toBe(false);
  });

  it.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '01.2.3.4', '::g', '1.2.3.4/8', '127.1'])(
    '"%s" is no address',
    (text) => {
      expect(familyOf(text)).toBeNull();
      expect(isOpenAddress(text)).toBe(false);
    },
  );
});

describe('a network', () => {
  it.each([
    ['10.0.0.0/8', '10.255.1.2', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/9', '10.128.0.0', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['10.0.0.0/8', '::ffff:a00:1', true],
    ['10.0.0.0/8', '64:ff9b::a00:1', true],
    ['10.0.0.0/8', '64:ff9b::b00:1', false],
    ['0.0.0.0/0', '64:ff9b:1::a00:1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['fd00::/8', '10.0.0.1', false],
    ['::/0', 'fd00::1', true],
    ['0.0.0.0/0', '192.168.1.1', true],
    ['0.0.0.0/0', 'fd00::1', false],
    ['fd00::/8', 'fd00::1', true],
    ['fd00::/8', 'fc00::1', false],
    ['::1', '::1', true],
  ])('%s and %s: %s', (network, address, within) => {
    const found = parseNetwork(network);
    if (!found) throw new Error('It must be well-formed.');
    expect(networkTest([found])(address)).toBe(within);
  });

  it.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0/8',
    'fd00::/129',
    'localhost',
    '10.0.0.0/-1',
    'fe80::1%eth0/64',
  ])('"%s" is none', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });
});

it('an endpoint is an address of the networks with a port', () => {
  const networks = ['10.0.0.0/24', '::1'].map(parseNetwork).filter((network) => network !== null);
  expect(endpointIn('', networks)).toBeUndefined();
  expect(endpointIn('10.0.0.5:5060', networks)).toEqual({ address: '10.0.0.5', port: 5060 });
  expect(endpointIn('[::1]:5070', networks)).toEqual({ address: '::1', port: 5070 });
  for (const text of ['10.0.0.5', '10.0.1.5:5060', 'edge.example:5060', '10.0.0.5:x', ':5060'])
    expect(endpointIn(text, networks)).toBeNull();
});
