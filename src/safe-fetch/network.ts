// Addresses and networks as bytes: whether an address is on the open internet, and whether it lies within a network.
import { isIPv4, isIPv6 } from 'node:net';

/** A CIDR network. */
export interface Network {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/**
 * 4 or 16 bytes; null: no address. One IPv4 address has many disguises in IPv6 (mapped, translated by NAT64): it is judged
 * as what it stands for.
 */
export function addressBytes(text: string): Uint8Array | null {
  if (isIPv4(text)) return ipv4Bytes(text);
  const [address = ''] = text.split('%', 1);
  return isIPv6(address) ? unmasked(ipv6Bytes(address)) : null;
}

function ipv4Bytes(text: string): Uint8Array {
  return Uint8Array.from(text.split('.'), Number);
}

/** Of text that isIPv6() accepted. */
function ipv6Bytes(text: string): Uint8Array {
  const [head = '', tail] = text.split('::');
  const front = groupBytes(head);
  const back = groupBytes(tail ?? '');
  const bytes = new Uint8Array(16);
  bytes.set(front);
  bytes.set(back, 16 - back.length);
  return bytes;
}

function groupBytes(groups: string): number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return [...ipv4Bytes(group)];
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

const mapped = networkOf('::ffff:0:0', 96);
/** RFC 6052 §2.1. */
const nat64 = networkOf('64:ff9b::', 96);

function unmasked(bytes: Uint8Array): Uint8Array {
  return contains(mapped, bytes) || contains(nat64, bytes) ? bytes.slice(12) : bytes;
}

function networkOf(address: string, bits: number): Network {
  return { bytes: address.includes(':') ? ipv6Bytes(address) : ipv4Bytes(address), bits };
}

/** `10.0.0.0/8`, `fd00::/8`, or one address; null: neither. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...more] = text.split('/');
  if (more.length > 0 || !(isIPv4(address) || isIPv6(address))) return null;
  const whole = isIPv4(address) ? 32 : 128;
  if (length === undefined) return networkOf(address, whole);
  if (!/^\d{1,3}$/.test(length) || Number(length) > whole) return null;
  return networkOf(address, Number(length));
}

export function contains({ bytes: network, bits }: Network, address: Uint8Array): boolean {
  if (network.length !== address.length) return false;
  for (let index = 0, left = bits; left > 0; index++, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if ((((network[index] ?? 0) ^ (address[index] ?? 0)) & mask) !== 0) return false;
  }
  return true;
}

/** What the IANA registry of special-purpose addresses takes out of the open internet. */
const CLOSED_V4: readonly Network[] = [
  networkOf('0.0.0.0', 8), // this host, RFC 1122 §3.2.1.3
  networkOf('10.0.0.0', 8), // private, RFC 1918 §3
  networkOf('100.64.0.0', 10), // behind a provider's NAT, RFC 6598 §7
  networkOf('127.0.0.0', 8), // loopback, RFC 1122 §3.2.1.3
  networkOf('169.254.0.0', 16), // link-local and the clouds' metadata, RFC 3927 §2.1
  networkOf('172.16.0.0', 12), // private, RFC 1918 §3
  networkOf('192.0.0.0', 24), // protocol assignments, RFC 6890 §2.1
  networkOf('192.0.2.0', 24), // documentation, RFC 5737 §3
  networkOf('192.88.99.0', 24), // 6to4 relays, RFC 7526 §4
  networkOf('192.168.0.0', 16), // private, RFC 1918 §3
  networkOf('198.18.0.0', 15), // benchmarks, RFC 2544
  networkOf('198.51.100.0', 24), // documentation, RFC 5737 §3
  networkOf('203.0.113.0', 24), // documentation, RFC 5737 §3
  networkOf('224.0.0.0', 4), // multicast, RFC 1112 §4
  networkOf('240.0.0.0', 4), // reserved and broadcast, RFC 1112 §4
];

/** Global unicast, RFC 4291 §2.4: what lies outside it (loopback, unique local, link-local, multicast) is closed. */
const OPEN_V6 = networkOf('2000::', 3);
const CLOSED_V6: readonly Network[] = [
  networkOf('2001::', 23), // protocol assignments and Teredo, RFC 6890 §2.2
  networkOf('2001:db8::', 32), // documentation, RFC 3849
  networkOf('2002::', 16), // 6to4: an IPv4 address in disguise, RFC 7526 §4
  networkOf('3fff::', 20), // documentation, RFC 9637
];

/** Whether whoever asks us from outside may make us connect to it. */
export function isOpenAddress(bytes: Uint8Array): boolean {
  const closed = bytes.length === 4 ? CLOSED_V4 : CLOSED_V6;
  if (bytes.length === 16 && !contains(OPEN_V6, bytes)) return false;
  return !closed.some((network) => contains(network, bytes));
}
