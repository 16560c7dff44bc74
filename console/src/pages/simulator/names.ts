// Replaces references in the machine's texts by names.

import { DESTINATION_KINDS } from '../../../../src/kinds/lists.ts';
import type { Named } from '../../data/names.ts';
import { translated } from '../../words/translator.ts';

const REFERENCE = new RegExp(
  `(?:${[...DESTINATION_KINDS, 'recording'].join('|')})\\|\\|[\\w.+*#-]*[\\w+*#]`,
  'g',
);

/** The text with “Main menu” in place of ivr||main. */
export function withNames(text: string, nameOf: (reference: string) => Pick<Named, 'name'>): string {
  return translated(text).replace(REFERENCE, (reference) => `“${nameOf(reference).name}”`);
}
