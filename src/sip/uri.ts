// SIP URIs taken apart and written (RFC 3261 §19.1). Other schemes are carried whole.
import { isUtf8 } from 'node:buffer';
import { Cursor } from './cursor.ts';
import type { Params, SipUri } from './message.ts';
import { NO_PARAMS, ParamList } from './params.ts';

const MOST_PARAMS = 64;

/** Null when it is malformed. Escapes are undone in the user and the parameters; a password is dropped (RFC 3261 §19.1.1). */
export function parseUri(text: string): SipUri | null {
  const colon = text.indexOf(':');
  if (colon <= 0 || colon === text.length - 1) return null;
  const scheme = text.slice(0, colon).toLowerCase();
  const rest = text.slice(colon + 1);
  if (scheme !== 'sip' && scheme !== 'sips') {
    if (!isScheme(scheme)) return null;
    return { scheme, user: '', host: '', port: 0, params: NO_PARAMS, headers: '', opaque: rest };
  }
  // An unescaped @ stands nowhere but behind the user, who may hold ; and ? (RFC 4475 §3.1.1.9).
  const at = rest.indexOf('@');
  if (at === 0) return null;
  const user = at < 0 ? '' : readUser(rest.slice(0, at));
  const cursor = new Cursor(at < 0 ? rest : rest.slice(at + 1));
  const host = readHost(cursor);
  let port = 0;
  if (cursor.take(0x3a)) port = cursor.number(65_535);
  const params = readUriParams(cursor);
  const headers = cursor.take(0x3f) ? cursor.text.slice(cursor.at) : '';
  if (headers !== '') cursor.at = cursor.text.length;
  if (host === '' || Number.isNaN(port) || params === null || !cursor.ended) return null;
  return { scheme, user, host, port, params, headers, opaque: '' };
}

/** RFC 3986 §3.1 */
function isScheme(scheme: string): boolean {
  for (let at = 0; at < scheme.length; at += 1) {
    const code = scheme.charCodeAt(at);
    const letter = code >= 0x61 && code <= 0x7a;
    const other = (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e;
    if (!letter && !(other && at > 0)) return false;
  }
  return true;
}

function readUser(text: string): string {
  const colon = text.indexOf(':');
  return unescapeUri(colon < 0 ? text : text.slice(0, colon));
}

/** Letters, digits, hyphen, dot and (not by the RFC, but by many) underscore; or what looks like IPv6 in brackets. */
function readHost(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  const bracketed = cursor.take(0x5b);
  for (; !cursor.ended; cursor.at += 1) {
    const code = cursor.peek();
    const digit = code >= 0x30 && code <= 0x39;
    const letter = (code | 0x20) >= 0x61 && (code | 0x20) <= (bracketed ? 0x66 : 0x7a);
    const mark = code === 0x2e || (bracketed ? code === 0x3a : code === 0x2d || code === 0x5f);
    if (!digit && !letter && !mark) break;
  }
  if (bracketed && (!cursor.take(0x5d) || cursor.at - start < 4)) return '';
  return text.slice(start, cursor.at).toLowerCase();
}

function readUriParams(cursor: Cursor): Params | null {
  if (cursor.peek() !== 0x3b) return NO_PARAMS;
  const { text } = cursor;
  const params = new ParamList();
  while (cursor.take(0x3b)) {
    const start = cursor.at;
    let equals = -1;
    for (; !cursor.ended && cursor.peek() !== 0x3b && cursor.peek() !== 0x3f; cursor.at += 1) {
      if (equals < 0 && cursor.peek() === 0x3d) equals = cursor.at;
    }
    const name = unescapeUri(text.slice(start, equals < 0 ? cursor.at : equals)).toLowerCase();
    if (name === '' || params.size >= MOST_PARAMS) return null;
    if (!params.has(name)) params.set(name, equals < 0 ? '' : unescapeUri(text.slice(equals + 1, cursor.at)));
  }
  return params;
}

/** A % that begins no escape stays as it is. */
export function unescapeUri(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = Buffer.from(text);
  let written = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const escaped = bytes[at] === 0x25 ? 16 * hex(bytes[at + 1]) + hex(bytes[at + 2]) : Number.NaN;
    if (!Number.isNaN(escaped)) at += 2;
    bytes[written] = Number.isNaN(escaped) ? (bytes[at] ?? 0) : escaped;
    written += 1;
  }
  const content = bytes.subarray(0, written);
  return content.toString(isUtf8(content) ? 'utf8' : 'latin1');
}

function hex(code: number | undefined): number {
  if (code === undefined) return Number.NaN;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** RFC 3261 §25.1: what a user and a parameter may hold unescaped. */
const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const IN_USER = new Set(Buffer.from(`${ALPHANUMERIC}-_.!~*'()&=+$,;?/`));
const IN_PARAM = new Set(Buffer.from(`${ALPHANUMERIC}-_.!~*'()[]/:&+$`));

function escapeUri(text: string, allowed: ReadonlySet<number>): string {
  let written = '';
  for (const byte of Buffer.from(text)) {
    written += allowed.has(byte)
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return written;
}

export function formatUri(uri: SipUri): string {
  if (uri.opaque !== '') return `${uri.scheme}:${uri.opaque}`;
  const user = uri.user === '' ? '' : `${escapeUri(uri.user, IN_USER)}@`;
  let text = `${uri.scheme}:${user}${uri.host}${uri.port === 0 ? '' : `:${uri.port}`}`;
  for (const [name, value] of uri.params) {
    text += `;${escapeUri(name, IN_PARAM)}`;
    if (value !== '') text += `=${escapeUri(value, IN_PARAM)}`;
  }
  return uri.headers === '' ? text : `${text}?${uri.headers}`;
}

/** `sip:user@host:port`, the usual case; an IPv6 host with or without its brackets. */
export function sipUri(user: string, host: string, port = 0, params: Params = NO_PARAMS): SipUri {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return { scheme: 'sip', user, host: bracketed.toLowerCase(), port, params, headers: '', opaque: '' };
}

/** Those that make a difference even when only one of the two URIs has them. */
const DECISIVE = ['user', 'ttl', 'method', 'maddr', 'transport'];

/** RFC 3261 §19.1.4. Not transitive, so never the key of a map. */
export function sameUri(one: SipUri, other: SipUri): boolean {
  if (one.scheme !== other.scheme || one.opaque !== other.opaque) return false;
  if (one.user !== other.user || one.host !== other.host || one.port !== other.port) return false;
  if (one.headers !== other.headers) return false;
  for (const name of DECISIVE) if (one.params.has(name) !== other.params.has(name)) return false;
  for (const [name, value] of one.params) {
    const facing = other.params.get(name);
    if (facing !== undefined && facing.toLowerCase() !== value.toLowerCase()) return false;
  }
  return true;
}
