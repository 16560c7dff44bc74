// The Warning header (RFC 3261 §20.43): why a request was refused, for the person who looks for the fault.
import { type Headers, headerOf } from './message.ts';

export interface Warning {
  /** 300 to 399; 399: none of the others. */
  readonly code: number;
  readonly text: string;
}

const LONGEST_TEXT = 200;
/** More than an agent of 255 characters and a text of twice `LONGEST_TEXT`, with escapes, needs. */
const LONGEST_VALUE = 700;
const ONE = /^(3[0-9]{2}) [^\s"]{1,255} "((?:[^"\\]|\\.){0,400})"/;

/** Printable ASCII alone, without what ends or escapes a quoted text. */
const plain = (text: string): string => text.slice(0, LONGEST_TEXT).replace(/[^ !#-[\]-~]/g, ' ');

export function warningHeader({ code, text }: Warning): readonly [name: string, value: string] {
  return ['warning', `${code} dialtree "${plain(text)}"`];
}

/** The first warning of a message; null: it has none that can be read. */
export function warningOf(message: { readonly headers: Headers }): Warning | null {
  const value = headerOf(message, 'warning');
  const found = value === undefined ? null : ONE.exec(value.slice(0, LONGEST_VALUE).trimStart());
  if (!found) return null;
  return { code: Number(found[1]), text: plain((found[2] ?? '').replace(/\\(.)/g, '$1')) };
}
