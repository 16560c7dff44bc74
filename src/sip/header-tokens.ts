// Headers that are lists of words: Allow, Supported, Require, Accept.
import type { Headers } from './message.ts';

interface WithHeaders {
  readonly headers: Headers;
}

/** Whether `token` (lower case) stands in any header of that name. Parameters behind a word are not looked at. */
export function hasToken(message: WithHeaders, name: string, token: string): boolean {
  for (const [each, value] of message.headers) {
    if (each !== name || value.length < token.length) continue;
    if (tokensOf(value).includes(token)) return true;
  }
  return false;
}

function tokensOf(value: string): string[] {
  const tokens: string[] = [];
  for (const part of value.split(',')) {
    const end = part.indexOf(';');
    const token = (end < 0 ? part : part.slice(0, end)).trim().toLowerCase();
    if (token !== '') tokens.push(token);
  }
  return tokens;
}

export function hasHeader(message: WithHeaders, name: string): boolean {
  for (const [each] of message.headers) if (each === name) return true;
  return false;
}

/** A whole number at the start of a header such as `Expires: 60`, or undefined if it is none or beyond 2^32. */
export function readSeconds(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  let number = 0;
  let digits = 0;
  for (; digits < value.length; digits++) {
    const code = value.charCodeAt(digits) - 48;
    if (code < 0 || code > 9) break;
    number = number * 10 + code;
    if (number > 0xffffffff) return undefined;
  }
  const next = value.charCodeAt(digits);
  const ends = Number.isNaN(next) || next === 0x3b || next === 0x20 || next === 0x28 || next === 0x09;
  return digits === 0 || !ends ? undefined : number;
}
