// Headers that are lists of words: Allow, Supported, Require, Accept.
import type { Headers } from './message.ts';

interface WithHeaders {
  readonly headers: Headers;
}

/** Whether `token` (lower case) stands in any header of that name. Parameters behind a word are not looked at. */
export function hasToken(message: WithHeaders, name: string, token: string): boolean {
  for (const [each, value] of message.headers) if (each === name && listHas(value, token)) return true;
  return false;
}

/** Compared where it stands: each INVITE is asked for several words, and nothing is cut out of its lists for that. */
function listHas(list: string, token: string): boolean {
  for (let from = 0; from + token.length <= list.length; ) {
    const comma = list.indexOf(',', from);
    const end = comma < 0 ? list.length : comma;
    const start = afterSpaces(list, from, end);
    let same = 0;
    while (same < token.length && lowerCase(list.charCodeAt(start + same)) === token.charCodeAt(same)) same++;
    const after = afterSpaces(list, start + same, end);
    if (same === token.length && (after === end || list.charCodeAt(after) === 0x3b)) return true;
    from = end + 1;
  }
  return false;
}

const lowerCase = (code: number): number => (code >= 0x41 && code <= 0x5a ? code | 0x20 : code);

function afterSpaces(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 9)) at++;
  return at;
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
