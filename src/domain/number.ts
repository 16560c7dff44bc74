// A number that callers dial, and where it leads.
import { normaliseNumber } from '../kinds/number-text.ts';

export interface DialledNumber {
  readonly number: string;
  readonly destination: string;
  readonly description: string;
  /** In queues: callers with a higher one come first. */
  readonly priority: number;
}

export const NUMBER_DEFAULTS: Omit<DialledNumber, 'number' | 'destination'> = {
  description: '',
  priority: 0,
};

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
