import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { candidateAddresses } from './local-addresses.ts';

const at = (address: string, internal = false): NetworkInterfaceInfo => {
  const common = { address, netmask: '', mac: '', internal, cidr: null };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
};
const INTERFACES = {
  lo: [at('127.0.0.1', true), at('::1', true)],
  eth0: [at('192.0.2.2'), at('2001:db8::2'), at('fe80::1')],
  eth1: [at('198.51.100.2'), at('169.254.7.7')],
};

it.each([
  ['0.0.0.0', ['192.0.2.2', '198.51.100.2']],
  ['::', ['192.0.2.2', '2001:db8::2', '198.51.100.2']],
  // One of them, which is passed on for browsers of this machine.
  ['127.0.0.1', ['127.0.0.1', '192.0.2.2']],
  ['::1', ['::1', '2001:db8::2']],
  ['198.51.100.2', ['198.51.100.2']],
])('a service that listens on %s has these candidates: %j', (host, addresses) => {
  expect(candidateAddresses(host, undefined, INTERFACES)).toEqual(addresses);
});

it('has no other on loopback where the machine has no other address', () => {
  expect(candidateAddresses('127.0.0.1', undefined, { lo: INTERFACES.lo })).toEqual(['127.0.0.1']);
});

it('a browser is told the advertised address and our own, so that one in our network needs no way through the NAT', () => {
  const own = ['192.0.2.2', '198.51.100.2'];
  expect(candidateAddresses('0.0.0.0', '203.0.113.5', INTERFACES)).toEqual(['203.0.113.5', ...own]);
  expect(candidateAddresses('192.0.2.2', '203.0.113.5', INTERFACES)).toEqual(['203.0.113.5', '192.0.2.2']);
});
