// What may be sent for dialled numbers.
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import { NUMBER_DEFAULTS } from '../../domain/number.ts';
import { optional, pattern, text, wholeNumber } from '../../kinds/field.ts';
import { destination, NUMBER } from '../../kinds/reference-fields.ts';

export const dialable = pattern(
  new RegExp(`^${NUMBER}$`),
  '1 to 32 digits, * or #, with + before them if you like',
);

export const NUMBERS_QUERY = { destination: optional(destination(DESTINATION_KINDS), null) } as const;

export const NUMBER_FIELDS = {
  number: dialable,
  destination: destination(DESTINATION_KINDS),
  description: optional(text({ min: 0, max: 1000, controls: 'allowed' }), NUMBER_DEFAULTS.description),
  priority: optional(wholeNumber(0, 100), NUMBER_DEFAULTS.priority),
} as const;
