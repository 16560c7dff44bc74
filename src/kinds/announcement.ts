// An announcement: a recording or a text that is played to its end, and where the call goes after it.

import { NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { optional } from './field.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';
import { SPOKEN } from './shared-meanings.ts';
import { checkWords, SPOKEN_TEXT } from './spoken-text.ts';

export const announcementRecord = defineRecord(KINDS.announcement, {
  about: 'A prompt that is played once, then the call goes on to a destination.',
  fields: {
    name: NAME,
    recording: optional(recording(), null),
    text: SPOKEN_TEXT,
    destination: DESTINATION,
  },
  means: {
    name: 'The name of the announcement, as the console shows it.',
    recording: 'The prompt that is played once, to its end. Null: `text` is spoken.',
    text: SPOKEN,
    destination: 'Where the call goes when the prompt has ended.',
  },
  example: {
    name: 'Calls are recorded',
    recording: 'recording||welcome',
    destination: 'department||support',
  },
  check: (announcement, faults) => checkWords(announcement, faults),
});

export type Announcement = DataOf<typeof announcementRecord>;
