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
});

export type VoicemailBox = DataOf<typeof voicemailBoxRecord>;
