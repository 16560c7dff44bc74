// Collect: asks for digits and keeps them as a variable of the call.

import { DESCRIPTION, NAME, yesNo } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { listOf, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { ownVariable } from './flow-fields.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';
import { CALLED, NOTE, SPOKEN } from './shared-meanings.ts';
import { checkWords, SPOKEN_TEXT } from './spoken-text.ts';

export const MAX_DIGITS = 32;
const MAX_ALLOWED = 100;

const allowed = pattern(
  /^(?:[0-9]{1,32}|length:(?:[1-9]|[12][0-9]|3[0-2])|prefix:[0-9]{1,32})$/,
  'digits, length:<1 to 32>, or prefix:<digits>',
);

export const collectRecord = defineRecord(KINDS.collect, {
  about: 'Places of a call that ask the caller for digits and keep them as a variable.',
  fields: {
    name: NAME,
    description: DESCRIPTION,
    recording: optional(recording(), null),
    text: SPOKEN_TEXT,
    min_digits: optional(wholeNumber(1, MAX_DIGITS, 'digits'), 1),
    max_digits: wholeNumber(1, MAX_DIGITS, 'digits'),
    finish_key: optional(oneOf(['#', '*', ''], 'the key that ends the input; empty: none'), '#'),
    timeout: optional(wholeNumber(0, 600, 'seconds'), 5),
    allowed: optional(listOf(allowed, { min: 0, max: MAX_ALLOWED, of: 'rules' }), []),
    attempts: optional(wholeNumber(1, 20), 3),
    invalid_recording: optional(recording(), null),
    timeout_recording: optional(recording(), null),
    confirm: optional(yesNo('whether the digits are read back'), false),
    save_as: ownVariable,
    sensitive: optional(yesNo('whether the digits are hidden'), false),
    next_destination: DESTINATION,
    failed_destination: DESTINATION,
  },
  means: {
    description: NOTE,
    name: CALLED,
    recording: 'What asks for the digits. The first key stops it. Null: `text` does.',
    text: SPOKEN,
    min_digits: 'How many digits the caller must enter at least.',
    max_digits: 'How many digits the caller may enter. The last of them ends the input at once.',
    finish_key:
      'The key that ends the input before the longest one, `#` or `*`. Empty: only a pause of 2 seconds does.',
    timeout: 'How long to wait for the first key after the question, in seconds. 0: do not wait.',
    allowed:
      'What may be entered: digits for exactly this value, `length:6` for any value of six digits, `prefix:49` for values that begin so. One of them must fit. Empty: anything.',
    attempts: 'How often the caller may try, the first time included.',
    invalid_recording:
      'Played before the question is asked again because the digits do not fit. Null: the question alone.',
    timeout_recording:
      'Played before the question is asked again because no key came. Null: the question alone.',
    confirm: 'Whether the digits are read back: 1 accepts them, 2 asks again.',
    save_as: 'The variable that gets the digits. Built-in variables cannot be set.',
    sensitive: 'Whether the digits are hidden, as `•`, in records, events, logs and the live view.',
    next_destination: 'Where the call goes on with the digits.',
    failed_destination: 'Where the call goes when all attempts are used up.',
    warnings: 'What is likely wrong with it.',
  },
  example: {
    name: 'Order number',
    recording: 'recording||welcome',
    min_digits: 6,
    max_digits: 6,
    allowed: ['prefix:4'],
    invalid_recording: 'recording||welcome',
    confirm: true,
    save_as: 'order_number',
    next_destination: 'request||order-status',
    failed_destination: 'department||support',
  },
  check(collect, faults) {
    checkWords(collect, faults);
    if (collect.min_digits > collect.max_digits)
      faults.add('/min_digits', 'number_out_of_range', 'min_digits must not be greater than max_digits.');
  },
});

export type Collect = DataOf<typeof collectRecord>;
