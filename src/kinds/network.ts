// IP networks as ranges of numbers, without node: modules. IPv4 is the part ::ffff:0:0/96 of IPv6, so that both forms of one
// address compare equal.

export interface Network {
  readonly low: bigint;
  readonly high: bigint;
  /** IPv4 also where it was written as IPv6; an IPv6 network that contains all of IPv4 has 0 bits of it. */
  readonly family: 4 | 6;
  readonly bits: number;
}

const MAPPED = 0xffffn << 32n;
const MAPPED_END = MAPPED | 0xffff_ffffn;

/** `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`; null: none of these. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...more] = text.split('/');
  const isIpv4 = !address.includes(':');
  const value = isIpv4 ? parseIpv4(address) : parseIpv6(address);
  if (value === null || more.length > 0 || (length !== undefined && !/^[0-9]{1,3}$/.test(length)))
    return null;
  const whole = isIpv4 ? 32 : 128;
  const bits = length === undefined ? whole : Number(length);
  if (bits > whole) return null;
  const size = 1n << BigInt(whole - bits);
  const low = ((isIpv4 ? MAPPED | value : value) / size) * size;
  const high = low + size - 1n;
  const hasIpv4 = low <= MAPPED_END && high >= MAPPED;
  const ofIpv4 = isIpv4 ? bits : Math.max(0, bits - 96);
  return { low, high, family: hasIpv4 ? 4 : 6, bits: hasIpv4 ? ofIpv4 : bits };
}

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]{1,3}$/.test(part) && Number(part) < 256))
    return null;
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

/** RFC 4291 §2.2: eight groups, once a `::` for those that are 0, and the last two perhaps as IPv4. */
function parseIpv6(text: string): bigint | null {
  const dot = text.includes('.') ? text.lastIndexOf(':') + 1 : -1;
  const tail = dot < 0 ? null : parseIpv4(text.slice(dot));
  if (dot >= 0 && tail === null) return null;
  const hex =
    tail === null
      ? text
      : `${text.slice(0, dot)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const halves = hex.split('::');
  const [head = [], rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - rest.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return null;
  const groups = [...head, ...Array<string>(halves.length === 2 ? missing : 0).fill('0'), ...rest];
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return null;
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

export const overlap = (one: Network, other: Network): boolean =>
  one.low <= other.high && one.high >= other.low;

/** Not reachable from the open internet: this host, private, provider's NAT, loopback, link-local, unique local. */
const PRIVATE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/127',
  'fc00::/7',
  'fe80::/10',
]
  .map(parseNetwork)
  .filter((network) => network !== null);

/** Whether any of its addresses is private. */
export function isPrivate(network: Network): boolean {
  return PRIVATE.some((each) => overlap(each, network));
}

/** `192.0.2.1` or `2001:db8::1`, as sockets take them: without a length, and no octet begins with a needless 0. */
export const isAddress = (text: string): boolean =>
  !text.includes('/') && !/(?:^|[.:])0[0-9]+\.|\.0[0-9]+$/.test(text) && parseNetwork(text) !== null;
