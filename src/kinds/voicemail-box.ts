// A voicemail box: where callers leave messages. The messages themselves are no configuration.

import { email, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { optional, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { recording } from './reference-fields.ts';

export const voicemailBoxRecord = defineRecord(KINDS.voicemail, {
  fields: {
    name: NAME,
    greeting: optional(recording(), null),
    max_seconds: optional(wholeNumber(1, 600, 'seconds'), 120),
    silence_seconds: optional(wholeNumber(1, 30, 'seconds'), 5),
    email: optional(email, null),
  },
  means: {
    name: 'The name of the box, as the console and e-mails show it.',
    greeting: 'What callers hear before the beep. Null: the built-in greeting.',
    max_seconds: 'The longest message, in seconds.',
    silence_seconds: 'How much silence ends a message, in seconds.',
    email: 'Where a notification of each message goes. Null: none is sent.',
    warnings: 'What is likely wrong with the box.',
  },
  example: {
    name: 'Support',
    greeting: 'recording||welcome',
    max_seconds: 180,
    email: 'support@example.com',
  },
});

export type VoicemailBox = DataOf<typeof voicemailBoxRecord>;
