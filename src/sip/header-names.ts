// The names of headers: as they are kept (lower case, long), as they come (any case, compact) and as we write them.
import { isToken } from './cursor.ts';

/** Those that a message may hold once only get a bit, by which the parser sees the second one. */
const ONCE = [
  'From To Call-ID CSeq Max-Forwards Content-Length Content-Type Expires Min-Expires Date Timestamp Refer-To Referred-By',
  'Replaces Session-Expires Min-SE RSeq RAck Event SIP-ETag SIP-If-Match',
].flatMap((names) => names.split(' '));

const OFTEN = [
  'Via Contact Route Record-Route Path Service-Route Allow Supported Require Proxy-Require Unsupported Accept',
  'Accept-Encoding Accept-Language Alert-Info Allow-Events Authorization Proxy-Authorization WWW-Authenticate',
  'Proxy-Authenticate Authentication-Info Call-Info Content-Disposition Content-Encoding Content-Language Diversion',
  'History-Info In-Reply-To Join MIME-Version Organization P-Asserted-Identity P-Preferred-Identity Priority Privacy',
  'Reason Reply-To Retry-After Server Subject Subscription-State Target-Dialog User-Agent Warning Geolocation Identity',
].flatMap((names) => names.split(' '));

/** RFC 3261 §7.3.3 and the IANA table. */
const COMPACT = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  d: 'request-disposition',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  j: 'reject-contact',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  n: 'identity-info',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
  y: 'identity',
};

export interface HeaderName {
  /** Lower case, never abbreviated. */
  readonly name: string;
  /** 0: may come as often as it likes. */
  readonly onceBit: number;
}

const known = new Map<string, HeaderName>();
const written = new Map<string, string>();

// Keys of an object are interned by the engine, which makes the many comparisons with literals a comparison of pointers.
const spellings = Object.fromEntries(
  [...ONCE, ...OFTEN].map((spelling) => [spelling.toLowerCase(), spelling]),
);
for (const [index, name] of Object.keys(spellings).entries()) {
  const spelling = spellings[name] ?? name;
  const entry = { name, onceBit: index < ONCE.length ? 1 << index : 0 };
  for (const each of [spelling, name, spelling.toUpperCase()]) known.set(each, entry);
  written.set(name, `${spelling}: `);
}
for (const [letter, name] of Object.entries(COMPACT)) {
  const entry = known.get(name) ?? { name, onceBit: 0 };
  for (const spelling of [letter, letter.toUpperCase()]) known.set(spelling, entry);
}

interface Spelling {
  readonly text: string;
  readonly entry: HeaderName;
}

/** The usual spellings by length and first letter, so that a name is known where it stands, without being cut out and hashed. */
const usual: Spelling[][] = [];
const slotOf = (length: number, first: number): number => length * 128 + first;
for (const [text, entry] of known) {
  if (text.charCodeAt(0) > 0x5a || text.toUpperCase() === text) continue;
  const slot = slotOf(text.length, text.charCodeAt(0));
  usual[slot] = [...(usual[slot] ?? []), { text, entry }];
}

/** The header whose usual spelling stands between the two places of a text; undefined: any other, or none. */
export function usualName(text: string, start: number, end: number): HeaderName | undefined {
  const spellings = usual[slotOf(end - start, text.charCodeAt(start))];
  if (spellings === undefined) return undefined;
  for (const { text: spelling, entry } of spellings) {
    let at = 1;
    while (at < spelling.length && text.charCodeAt(start + at) === spelling.charCodeAt(at)) at += 1;
    if (at === spelling.length) return entry;
  }
  return undefined;
}

/** By any spelling. Null when it is no token. */
export function headerName(spelling: string): HeaderName | null {
  const entry = known.get(spelling);
  if (entry !== undefined) return entry;
  if (!isToken(spelling)) return null;
  const name = spelling.toLowerCase();
  return known.get(name) ?? { name, onceBit: 0 };
}

/** `Call-ID: `: what stands before the value. Others get a capital behind each hyphen; one that is no token is our mistake. */
export function writtenName(name: string): string {
  const usual = written.get(name);
  if (usual !== undefined) return usual;
  if (!isToken(name)) throw new Error('A header name is no token.');
  return `${capitalised(name)}: `;
}

function capitalised(name: string): string {
  return name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('-');
}
