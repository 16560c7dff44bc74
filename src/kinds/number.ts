// A number that callers dial, and where it leads.

import { DESCRIPTION, dialable } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { optional, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { numberKeys } from './number-text.ts';
import { DESTINATION } from './reference-fields.ts';

export const dialledNumberRecord = defineRecord(KINDS.number, {
  fields: {
    number: dialable,
    destination: DESTINATION,
    description: DESCRIPTION,
    priority: optional(wholeNumber(0, 100), 0),
  },
  means: {
    number:
      'The number that callers dial. In any form of the same number: with a country in the settings, `030123456` and `+4930123456` are one.',
    destination: 'Where calls to this number go first.',
    description: 'A note for people who configure the number. Callers do not hear it.',
    priority:
      'From 0 to 100: in queues, callers of a number with a higher one are served first. An option of a menu can change it.',
  },
  example: { number: '101', destination: 'department||sales', description: 'The sales line' },
  replacement: { number: '100', destination: 'ivr||main', description: 'The main line' },
  unique: (_id: string, { number }: { readonly number: string }) => numberKeys(number),
});

export type DialledNumber = DataOf<typeof dialledNumberRecord>;
