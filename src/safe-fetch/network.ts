// Which addresses are on the open internet, and which networks of our own may be reached nevertheless: net.BlockList, with
// the one rule that it lacks (NAT64). Why not for loopback: docs/decisions/0013-address-classes.md.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Null if there is no address. A zone (fe80::1%eth0) is no part of it. */
export function familyOf(address: string): Network['family'] | null {
  if (isIPv4(address)) return 'ipv4';
  return isIPv6(address) ? 'ipv6' : null;
}

/** `10.0.0.0/8`, `fd00::/8`, or one address; null: neither. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...more] = text.split('/');
  const family = address.includes('%') ? null : familyOf(address);
  if (more.length > 0 || family === null) return null;
  const whole = family === 'ipv4' ? 32 : 128;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > whole)) return null;
  return { address, family, bits: length === undefined ? whole : Number(length) };
}

/**
 * Tests whether an address is in one of the networks. IPv6 has several forms of one IPv4 address: BlockList takes mapped
 * ones (::ffff:0:0/96) for what they stand for, and those of NAT64 (RFC 6052 §2.1) get a rule of their own.
 */
export function networkTest(networks: readonly Network[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, bits, family } of networks) {
    list.addSubnet(address, bits, family);
    if (family === 'ipv4') list.addSubnet(`64:ff9b::${address}`, 96 + bits, 'ipv6');
  }
  return (address) => {
    const [bare = ''] = address.split('%', 1);
    const family = familyOf(bare);
    return family !== null && list.check(bare, family);
  };
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** `10.0.0.5:5060` or `[::1]:5060` in one of the networks; empty: undefined; null: anything else. */
export function endpointIn(text: string, networks: readonly Network[]): Endpoint | null | undefined {
  if (text === '') return undefined;
  const [, given = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const address = given.replace(/^\[(.*)\]$/, '$1');
  return networkTest(networks)(address) ? { address, port: Number(port) } : null;
}

const testOf = (...texts: readonly string[]): ((address: string) => boolean) =>
  networkTest(texts.map(parseNetwork).filter((network) => network !== null));

/** Every IPv4 address, and of IPv6 global unicast (RFC 4291 §2.4): not loopback, unique local, link-local, multicast. */
const isUnicast = testOf('0.0.0.0/0', '2000::/3');

/** What the IANA registry of special-purpose addresses takes out of the open internet. */
const isSpecial = testOf(
  '0.0.0.0/8', // this host, RFC 1122 §3.2.1.3
  '10.0.0.0/8', // private, RFC 1918 §3
  '100.64.0.0/10', // behind a provider's NAT, RFC 6598 §7
  '127.0.0.0/8', // loopback, RFC 1122 §3.2.1.3
  '169.254.0.0/16', // link-local and the clouds' metadata, RFC 3927 §2.1
  '172.16.0.0/12', // private, RFC 1918 §3
  '192.0.0.0/24', // protocol assignments, RFC 6890 §2.1
  '192.0.2.0/24', // documentation, RFC 5737 §3
  '192.88.99.0/24', // 6to4 relays, RFC 7526 §4
  '192.168.0.0/16', // private, RFC 1918 §3
  '198.18.0.0/15', // benchmarks, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737 §3
  '203.0.113.0/24', // documentation, RFC 5737 §3
  '224.0.0.0/4', // multicast, RFC 1112 §4
  '240.0.0.0/4', // reserved and broadcast, RFC 1112 §4
  '2001::/23', // protocol assignments and Teredo, RFC 6890 §2.2
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4: an IPv4 address in disguise, RFC 7526 §4
  '3fff::/20', // documentation, RFC 9637
);

/** Whether a request from outside may make us connect to it. False for what is no address. */
export function isOpenAddress(address: string): boolean {
  return isUnicast(address) && !isSpecial(address);
}
