// A number that callers dial, and where it leads.
import { DESCRIPTION, dialable } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { optional, wholeNumber } from './field.ts';
import { normaliseNumber } from './number-text.ts';

export const dialledNumber = defineKind({
  kind: 'number',
  noun: 'number',
  nouns: 'dialled numbers',
  word: null,
  directory: null,
  exported: 'numbers',
  key: 'number',
  versioned: false,
  drafted: true,
  tested: false,
  assistants: true,
  schema: 'Number',
  plural: 'Numbers',
  path: '/v1/number',
  listPath: '/v1/numbers',
  see: 'look',
  change: 'edit',
  sealed: null,
  fields: (to) => ({
    number: dialable,
    destination: to,
    description: DESCRIPTION,
    priority: optional(wholeNumber(0, 100), 0),
  }),
  unique: (_id: string, { number }: { readonly number: string }) => numberKeys(number),
});

export type DialledNumber = DataOf<typeof dialledNumber>;

/** What two ways of writing a number have in common: providers send it with and without the plus. */
export function numberKey(number: string): string {
  const plain = normaliseNumber(number) ?? '';
  return plain.startsWith('+') ? plain.slice(1) : plain;
}

/**
 * What no other number of the account may claim: both ways of writing it, its own first. Numbers stored before hold the
 * one they were written in, so they keep others from either, too.
 */
export function numberKeys(number: string): { readonly name: 'number'; readonly value: string }[] {
  const plain = numberKey(number);
  const other = number === plain ? `+${plain}` : plain;
  return [number, other].map((value) => ({ name: 'number', value }));
}
