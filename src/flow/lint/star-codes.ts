// Dialled numbers that are written like star codes: the number has precedence, and phones cannot dial the code.

import { referenceTo } from '../node.ts';
import type { Finding } from './finding.ts';

export interface LintedStarCode {
  readonly code: string;
  /** Digits behind the code; null: none may follow. */
  readonly follows: string | null;
}

export function* hiddenStarCodes(
  numbers: Iterable<{ readonly number: string }>,
  codes: readonly LintedStarCode[],
): Iterable<Finding> {
  for (const { number } of numbers) {
    const hidden = number.startsWith('*') && codes.find((row) => isLike(number, row));
    if (!hidden) continue;
    yield {
      code: 'star-code-hidden',
      severity: 'warning',
      node: referenceTo('number', number),
      pointer: '/number',
      message: `Phones that dial ${number} get this number, not the star code ${hidden.code}.`,
    };
  }
}

function isLike(number: string, { code, follows }: LintedStarCode): boolean {
  if (!number.startsWith(code)) return false;
  const digits = number.slice(code.length);
  return digits === '' || (follows !== null && /^[0-9]+$/.test(digits));
}
