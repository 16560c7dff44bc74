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
  unique: (_id: string, { number }: { readonly number: string }) => numberKeys(number),
});

export type DialledNumber = DataOf<typeof dialledNumberRecord>;
