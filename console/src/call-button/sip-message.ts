// SIP messages as far as a page needs them that calls one destination: what comes was written by our own service, on a WebSocket that
// frames it (RFC 7118), so there is no folding and no compact form; all the same nothing of it is trusted to be well-formed.
import { md5 } from './md5.ts';

export interface SipMessage {
  /** The method of a request; empty for a response. */
  readonly method: string;
  /** The status of a response; 0 for a request. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

/** The service refuses longer ones, too. */
const MAX_LENGTH = 65_536;

export function parseSip(text: string): SipMessage | null {
  if (text.length > MAX_LENGTH) return null;
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end < 0 ? text.length : end).split('\r\n');
  const status = /^SIP\/2\.0 (\d{3}) /.exec(`${first} `)?.[1];
  const method = /^([A-Z]+) \S+ SIP\/2\.0$/.exec(first)?.[1];
  if (status === undefined && method === undefined) return null;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const values = headers.get(name) ?? [];
    headers.set(name, [...values, line.slice(colon + 1).trim()]);
  }
  const body = end < 0 ? '' : text.slice(end + 4);
  return { method: method ?? '', status: Number(status ?? 0), headers, body };
}

export const header = ({ headers }: SipMessage, name: string): string => headers.get(name)?.[0] ?? '';

/** Several in one line, or a line for each (RFC 3261 §7.3.1); a comma within <> is part of an address. */
export const listOf = ({ headers }: SipMessage, name: string): string[] =>
  (headers.get(name) ?? [])
    .flatMap((line) => line.match(/(?:<[^>]*>|[^,])+/g) ?? [])
    .map((each) => each.trim());

/** The URI in From, To or Contact. */
export const uriIn = (value: string): string =>
  /<([^>]*)>/.exec(value)?.[1] ?? value.split(';')[0]?.trim() ?? '';

export const tagIn = (value: string): string =>
  /;\s*tag=([^;\s]+)/i.exec(value.replace(/<[^>]*>/, ''))?.[1] ?? '';

export function cseqOf(message: SipMessage): { readonly number: number; readonly method: string } {
  const [number = '', method = ''] = header(message, 'cseq').split(/\s+/);
  return { number: Number(number), method };
}

/** `lines`: header and value, in order. */
export function written(first: string, lines: readonly (readonly [string, string])[], body = ''): string {
  const length = new TextEncoder().encode(body).length;
  const all = [...lines, ['Content-Length', String(length)] as const];
  return `${first}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** RFC 3261 §8.2.6: what a response repeats of its request. */
export function responseTo(
  request: SipMessage,
  status: string,
  lines: readonly (readonly [string, string])[] = [],
  body = '',
): string {
  const repeated = ['Via', 'Record-Route', 'From', 'To', 'Call-ID', 'CSeq'].flatMap((name) =>
    (request.headers.get(name.toLowerCase()) ?? []).map((value) => [name, value] as const),
  );
  return written(`SIP/2.0 ${status}`, [...repeated, ...lines], body);
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

const quoted = (challenge: string, name: string): string =>
  new RegExp(`(?:^|[\\s,])${name}="?([^",]*)"?`, 'i').exec(challenge)?.[1] ?? '';

/** RFC 2617 §3.2.2, with qop=auth where it is offered. Null: a challenge that this cannot answer. */
export function digest(
  challenge: string,
  request: { readonly method: string; readonly uri: string },
  { username, password }: Credentials,
  cnonce: string,
): string | null {
  const algorithm = quoted(challenge, 'algorithm') || 'MD5';
  if (!/^digest\s/i.test(challenge) || algorithm.toUpperCase() !== 'MD5') return null;
  const [realm, nonce, opaque] = ['realm', 'nonce', 'opaque'].map((name) => quoted(challenge, name));
  const isQop = /\bqop="?[^"]*\bauth\b/i.test(challenge);
  const secret = md5(`${username}:${realm}:${password}`);
  const asked = md5(`${request.method}:${request.uri}`);
  const count = '00000001';
  const response = md5(
    isQop ? [secret, nonce, count, cnonce, 'auth', asked].join(':') : `${secret}:${nonce}:${asked}`,
  );
  return [
    `Digest algorithm=MD5, username="${username}", realm="${realm}", nonce="${nonce}", uri="${request.uri}", response="${response}"`,
    ...(opaque ? [`opaque="${opaque}"`] : []),
    ...(isQop ? [`qop=auth, cnonce="${cnonce}", nc=${count}`] : []),
  ].join(', ');
}

/** Letters and digits, for tags, branches and names. */
export function random(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => (byte % 36).toString(36)).join('');
}
