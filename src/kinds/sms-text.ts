// The text of an SMS template: its variables, how they are filled in, how long it may be.
import { VARIABLE_NAME } from '../flow/variables.ts';
import type { Faults } from './problem.ts';
import { MAX_PARTS, splitSms } from './sms-parts.ts';

export const SMS_KINDS = ['transactional', 'promotional'] as const;
export const SMS_STATUSES = ['active', 'inactive'] as const;

/** Everything that may stand in braces; docs/sms.md explains each. */
export const SMS_VARIABLES = [
  'caller',
  'name',
  'dialled',
  'option',
  'ivr',
  'destination',
  'agent',
  'page',
  'button',
] as const;
export type SmsVariable = (typeof SMS_VARIABLES)[number];
export type SmsValues = Partial<Record<SmsVariable, string>>;

/** Names may be long, and callers choose some of them. An address that is cut leads nowhere: that of a page is whole. */
const MAX_VALUE = 100;
const MAX_PAGE = 500;
export const mostOf = (variable: SmsVariable): number => (variable === 'page' ? MAX_PAGE : MAX_VALUE);

/** The longest name, its braces included; what is longer is no variable. */
const LONGEST = 64;

type Piece = string | { readonly variable: string };

/** Single pass. A brace that closes nothing, or opens nothing, is itself: `{` is a character like any other. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  while (from < text.length) {
    const open = text.indexOf('{', from);
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) break;
    const name = text.slice(open + 1, close);
    if (close - open <= LONGEST && isWord(name)) {
      pieces.push(text.slice(from, open), { variable: name });
      from = close + 1;
    } else {
      pieces.push(text.slice(from, open + 1));
      from = open + 1;
    }
  }
  pieces.push(text.slice(from));
  return pieces;
}

const isWord = (text: string): boolean => /^[a-z_][a-z0-9_]*$/i.test(text);
const isVariable = (name: string): name is SmsVariable => SMS_VARIABLES.some((known) => known === name);

/** `variables`: of the call. */
export function fillTemplate(
  text: string,
  values: SmsValues,
  variables: Readonly<Record<string, string>> = {},
): string {
  return piecesOf(text)
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const { variable } = piece;
      if (isVariable(variable)) return clip(values[variable] ?? '', mostOf(variable));
      return Object.hasOwn(variables, variable) ? clip(variables[variable] ?? '', MAX_VALUE) : '';
    })
    .join('');
}

/** Without control characters, which a name on a screen may hold, and no half of a pair at the cut. */
function clip(value: string, most: number): string {
  return value
    .slice(0, most)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed();
}

export function checkTemplate(text: string, faults: Faults): void {
  for (const piece of piecesOf(text)) {
    if (typeof piece === 'string' || isVariable(piece.variable)) continue;
    // Any other name may be a variable of the call, which the flow sets.
    if (VARIABLE_NAME.test(piece.variable)) continue;
    const known = SMS_VARIABLES.map((name) => `{${name}}`).join(', ');
    const message = `text has {${piece.variable}}, which is no variable; known are ${known}.`;
    faults.add('/text', 'sms_variable_unknown', message);
  }
  checkLength(text, faults);
}

export function checkLength(text: string, faults: Faults): void {
  const { parts, coding } = splitSms(text);
  if (parts.length <= MAX_PARTS) return;
  const why = coding === 'ucs2' ? ', with characters that need two bytes each' : '';
  const message = `text would be ${parts.length} messages long${why}; at most ${MAX_PARTS} are sent.`;
  faults.add('/text', 'sms_too_long', message);
}
