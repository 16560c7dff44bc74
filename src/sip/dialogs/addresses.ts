// Numeric addresses, and those that are not routable outside their own network.
import { BlockList, isIP } from 'node:net';

export const isNumeric = (host: string): boolean => isIP(host) !== 0;

export const unbracketed = (host: string): string =>
  host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

const IPV4_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const;

const PRIVATE = new BlockList();
for (const [network, bits] of IPV4_NETWORKS) {
  // It also matches mapped IPv4 addresses (::ffff:0:0/96), in any notation. Those of NAT64 (RFC 6052 §2.1) need a rule.
  PRIVATE.addSubnet(network, bits, 'ipv4');
  PRIVATE.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
}
// Unspecified, loopback, and the IPv4-compatible form (RFC 4291 §2.5).
PRIVATE.addSubnet('::', 96, 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Private, shared, loopback, link-local and unspecified addresses (RFC 1918, 6598, 4193, 4291). By value: IPv6 has many notations. */
export function isPrivate(address: string): boolean {
  const [bare = ''] = address.split('%', 1);
  return PRIVATE.check(bare, bare.includes(':') ? 'ipv6' : 'ipv4');
}

/** Which of the IPv4 networks that sites use behind NAT (RFC 1918, 6598) has the address; 0: none of them. */
export function privateNetwork(address: string): number {
  const [a = 0, b = 0] = address.split('.', 2).map(Number);
  if (a === 10) return 10;
  if (a === 172 && b >= 16 && b < 32) return 172;
  if (a === 192 && b === 168) return 192;
  return a === 100 && b >= 64 && b < 128 ? 100 : 0;
}
