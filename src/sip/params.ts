// `;name=value;name`: the parameters behind Via, From, To, Contact and most other headers, and lists of tokens.
import { Cursor, isToken, quote } from './cursor.ts';
import type { Headers, Params } from './message.ts';

/** Names and values in the order in which they came. Nearly all headers have one or two: a Map of them costs several times as much. */
export class ParamList implements Params {
  /** A name, its value, the next name … */
  readonly #pairs: string[];

  constructor(others?: Params) {
    this.#pairs = others instanceof ParamList ? others.#pairs.slice() : [];
    if (!(others instanceof ParamList)) others?.forEach((value, name) => void this.#pairs.push(name, value));
  }

  get size(): number {
    return this.#pairs.length / 2;
  }

  get(name: string): string | undefined {
    const pairs = this.#pairs;
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return pairs[at + 1];
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, value: string): this {
    const pairs = this.#pairs;
    let at = 0;
    while (at < pairs.length && pairs[at] !== name) at += 2;
    pairs[at] = name;
    pairs[at + 1] = value;
    return this;
  }

  forEach(each: (value: string, name: string) => void): void {
    const pairs = this.#pairs;
    for (let at = 0; at < pairs.length; at += 2) each(pairs[at + 1] ?? '', pairs[at] ?? '');
  }

  *[Symbol.iterator](): Generator<readonly [string, string]> {
    const pairs = this.#pairs;
    for (let at = 0; at < pairs.length; at += 2) yield [pairs[at] ?? '', pairs[at + 1] ?? ''];
  }
}

export const NO_PARAMS: Params = new ParamList();

/** Bounds memory; real messages have fewer. */
const MOST_PARAMS = 64;
const MOST_TOKENS = 64;

/** Reads as long as `;` follows. Of a name that comes twice the first counts. */
export function readParams(cursor: Cursor): Params {
  cursor.skipSpace();
  if (cursor.peek() !== 0x3b) return NO_PARAMS;
  const params = new ParamList();
  while (cursor.take(0x3b)) {
    cursor.skipSpace();
    const name = cursor.token().toLowerCase();
    cursor.skipSpace();
    let value = '';
    if (cursor.take(0x3d)) {
      cursor.skipSpace();
      value = cursor.peek() === 0x22 ? cursor.quoted() : cursor.bareValue();
      cursor.skipSpace();
    }
    // One `;` behind the last parameter is common, and means nothing.
    if (name === '' && (cursor.ended || cursor.peek() === 0x2c)) return params;
    if (name === '' || params.size >= MOST_PARAMS) cursor.failed = true;
    if (cursor.failed) return params;
    if (!params.has(name)) params.set(name, value);
  }
  return params;
}

export function formatParams(params: Params): string {
  let text = '';
  params.forEach((value, name) => {
    text += value === '' ? `;${name}` : `;${name}=${paramValue(value)}`;
  });
  return text;
}

function paramValue(value: string): string {
  if (isToken(value)) return value;
  const cursor = new Cursor(value);
  cursor.bareValue();
  return cursor.ended ? value : quote(value);
}

/** Supported, Require, Allow, Accept…: the values of all headers of that name, split at commas, spaces trimmed. */
export function tokensOf(message: { readonly headers: Headers }, name: string): string[] {
  const tokens: string[] = [];
  for (const [each, value] of message.headers) {
    if (each !== name) continue;
    for (let from = 0; from <= value.length && tokens.length < MOST_TOKENS; ) {
      const comma = value.indexOf(',', from);
      const end = comma < 0 ? value.length : comma;
      const token = value.slice(from, end).trim();
      if (token !== '') tokens.push(token);
      from = end + 1;
    }
  }
  return tokens;
}
