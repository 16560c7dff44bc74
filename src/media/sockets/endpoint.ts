// An IP address and a port as numbers, so that two sources are compared without strings.
import { isIPv6 } from 'node:net';

/** The four words of an IPv6 address; an IPv4 address is mapped (::ffff:a.b.c.d). */
export interface Endpoint {
  a: number;
  b: number;
  c: number;
  d: number;
  port: number;
}

const MAPPED = 0xffff;
/** No address and no port. Never modified. */
export const NOWHERE: Readonly<Endpoint> = { a: 0, b: 0, c: 0, d: 0, port: 0 };

export const sameAddress = (one: Endpoint, other: Endpoint): boolean =>
  one.d === other.d && one.c === other.c && one.b === other.b && one.a === other.a;

export const sameEndpoint = (one: Endpoint, other: Endpoint): boolean =>
  one.port === other.port && sameAddress(one, other);

export const isMapped = (endpoint: Endpoint): boolean =>
  endpoint.a === 0 && endpoint.b === 0 && endpoint.c === MAPPED;

/** 0.0.0.0 or ::, which is hold in RFC 2543: nothing can be sent there. */
export const isUnspecified = (endpoint: Endpoint): boolean =>
  endpoint.d === 0 && endpoint.a === 0 && endpoint.b === 0 && (endpoint.c === 0 || endpoint.c === MAPPED);

/** Null when the text is not an address: host names are not resolved. */
export function parseEndpoint(address: string, port: number): Endpoint | null {
  const word = ipv4Word(address);
  if (word !== null) return { a: 0, b: 0, c: MAPPED, d: word, port };
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  if (!isIPv6(bare)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = ipv6Words(bare);
  return { a, b, c, d, port };
}

export function formatAddress({ a, b, c, d }: Endpoint): string {
  if (a === 0 && b === 0 && c === MAPPED)
    return `${d >>> 24}.${(d >>> 16) & 255}.${(d >>> 8) & 255}.${d & 255}`;
  return [a, b, c, d]
    .map((word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`)
    .join(':');
}

const DOT = 0x2e;
const ZERO = 0x30;

/** Digit by digit, for speed: once per call. Null when it is not an IPv4 address. */
function ipv4Word(address: string): number | null {
  let word = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at);
    if (code === DOT) {
      if (digits === 0 || dots === 3) return null;
      word = (word << 8) | part;
      part = 0;
      digits = 0;
      dots++;
      continue;
    }
    const digit = code - ZERO;
    // A leading zero would be octal elsewhere.
    if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) return null;
    part = part * 10 + digit;
    digits++;
    if (part > 255) return null;
  }
  return digits > 0 && dots === 3 ? (word << 8) | part : null;
}

/** `address` is known to be valid. */
function ipv6Words(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
  const words: number[] = [];
  for (let at = 0; at < 8; at += 2) words.push(((all[at] ?? 0) << 16) | (all[at + 1] ?? 0));
  return words;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const word = ipv4Word(part) ?? 0;
    return [word >>> 16, word & 0xffff];
  });
}
