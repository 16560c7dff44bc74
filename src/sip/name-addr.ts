// `"Name" <uri>;params` and lists of it: From, To, Contact, Route, Record-Route, Path, Refer-To.
import { Cursor, quote } from './cursor.ts';
import type { Headers, NameAddr } from './message.ts';
import { formatParams, NO_PARAMS, ParamList, readParams } from './params.ts';

export const NO_ADDR: NameAddr = { display: '', uri: '', params: NO_PARAMS };

const MOST_VALUES = 64;

/** One value; the cursor stops at the comma behind it or at the end. */
export function readNameAddr(cursor: Cursor): NameAddr {
  cursor.skipSpace();
  let display = '';
  let uri = '';
  if (cursor.peek() === 0x22) {
    display = cursor.quoted();
    cursor.skipSpace();
    uri = readBracketed(cursor);
  } else {
    const start = cursor.at;
    const stop = endOfWord(cursor.text, start);
    cursor.at = stop;
    const word = start === stop ? '' : cursor.text.slice(start, stop).trimEnd();
    if (cursor.peek() === 0x3c) {
      display = word;
      uri = readBracketed(cursor);
    } else {
      uri = word;
      if (!isBareUri(uri)) cursor.failed = true;
    }
  }
  const params = cursor.failed ? NO_PARAMS : readParams(cursor);
  if (!cursor.ended && cursor.peek() !== 0x2c) cursor.failed = true;
  return { display, uri, params };
}

/** Up to the first of `<`, `;`, `,` or `"`. */
function endOfWord(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === 0x3b || code === 0x2c || code === 0x22) return at;
  }
  return text.length;
}

/** Without brackets a `?` would be ambiguous (RFC 3261 §20; RFC 4475 §3.1.2.13). `*` stands alone in a Contact. */
function isBareUri(uri: string): boolean {
  return uri === '*' || (isUriText(uri) && !uri.includes('?'));
}

/** RFC 4475 §3.1.2.14: no spaces inside the brackets. */
function readBracketed(cursor: Cursor): string {
  const end = cursor.peek() === 0x3c ? cursor.text.indexOf('>', cursor.at) : -1;
  if (end < 0) {
    cursor.failed = true;
    return '';
  }
  const uri = cursor.text.slice(cursor.at + 1, end);
  cursor.at = end + 1;
  if (!isUriText(uri)) cursor.failed = true;
  return uri;
}

/** A scheme and something behind it, nothing in it that would end a URI in a header. */
export function isUriText(uri: string): boolean {
  let colon = -1;
  for (let at = 0; at < uri.length; at += 1) {
    const code = uri.charCodeAt(at);
    if (code <= 0x20 || code === 0x22 || code === 0x3c || code === 0x3e || code === 0x7f) return false;
    if (code === 0x3a && colon < 0) colon = at;
  }
  return colon > 0 && colon < uri.length - 1;
}

export function parseNameAddr(text: string): NameAddr | null {
  const cursor = new Cursor(text);
  const value = readNameAddr(cursor);
  return cursor.failed || !cursor.ended ? null : value;
}

/** Every value of every header of that name, in order; null when one is malformed or there are too many. */
export function listOf(message: { readonly headers: Headers }, name: string): NameAddr[] | null {
  const values: NameAddr[] = [];
  for (const [each, text] of message.headers) {
    if (each !== name) continue;
    const cursor = new Cursor(text);
    do {
      values.push(readNameAddr(cursor));
      if (cursor.failed || values.length > MOST_VALUES) return null;
    } while (cursor.take(0x2c));
  }
  return values;
}

/** The values of one header, in order, up to the first that is malformed: what is behind it cannot be told apart. At most `most`. */
export function valuesIn(text: string, most: number): NameAddr[] {
  const values: NameAddr[] = [];
  const cursor = new Cursor(text);
  do {
    const value = readNameAddr(cursor);
    if (cursor.failed) break;
    values.push(value);
  } while (values.length < most && cursor.take(0x2c));
  return values;
}

/** Always with brackets, so that the parameters behind them are never mistaken for the URI's. */
export function formatNameAddr(value: NameAddr): string {
  const display = value.display === '' ? '' : `${quote(value.display)} `;
  return `${display}<${inBrackets(value.uri)}>${formatParams(value.params)}`;
}

/** A URI out of a parser passes as it is. In any other one, what would end it is escaped. */
function inBrackets(uri: string): string {
  if (uri === '*' || isUriText(uri)) return uri;
  let written = '';
  for (const char of uri) {
    const code = char.charCodeAt(0);
    const ends = code <= 0x20 || char === '"' || char === '<' || char === '>' || code === 0x7f;
    written += ends ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : char;
  }
  return written;
}

export function withTag(value: NameAddr, tag: string): NameAddr {
  return { display: value.display, uri: value.uri, params: new ParamList(value.params).set('tag', tag) };
}
