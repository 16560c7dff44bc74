// Contacts: people and companies who call. Calls from their numbers show their names.

import { email, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, listOf, named, optional, shown, text, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { plainNumber } from './number-text.ts';
import { NUMBER } from './reference-fields.ts';

const MAX_NUMBERS = 10;

/** As people write it; stored without what they write for the eye. */
const writtenNumber: Field<string> = {
  input: {
    type: 'string',
    maxLength: 100,
    description:
      'a telephone number of 1 to 32 digits; spaces, hyphens, dots, slashes and brackets are left out',
  },
  output: { type: 'string', pattern: `^${NUMBER}$` },
  samples: ['+493012345678'],
  read(value, at, faults) {
    const number = typeof value === 'string' ? plainNumber(value) : null;
    if (number !== null) return number;
    const form = 'a telephone number, such as +49 30 123456';
    faults.add(at, 'text_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
    return undefined;
  },
};

export const contactRecord = defineRecord(KINDS.contact, {
  about: 'People and companies who call: calls from their numbers show their names.',
  fields: {
    name: NAME,
    company: optional(text({ min: 0, max: 100 }), ''),
    numbers: listOf(writtenNumber, { min: 1, max: MAX_NUMBERS, of: 'numbers' }),
    email: optional(email, null),
    notes: optional(text({ min: 0, max: 1000, controls: 'allowed' }), ''),
    priority: optional(wholeNumber(0, 100), 0),
  },
  means: {
    name: 'The name that is shown for calls from the numbers.',
    company: 'The company, shown beside the name.',
    numbers:
      'The numbers that the contact calls from, in any form: with a country in the settings, `030123456` and `+4930123456` are one.',
    email: 'An e-mail address. Null: none is known.',
    notes: 'Notes for people who talk to the contact.',
    priority:
      'From 0 to 100: in queues, calls from the numbers of a contact with a higher one are served first. Where the dialled number has a priority too, the higher of both counts.',
  },
  example: {
    name: 'Mira Lindqvist',
    company: 'Lindqvist Marine',
    numbers: ['+46 8 123 456 78', '+46701234567'],
    email: 'mira@lindqvist.example',
    priority: 10,
  },
});

export type Contact = DataOf<typeof contactRecord>;
