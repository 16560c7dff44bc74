// An announcement: a recording or a text that is played to its end, and where the call goes after it.

import { NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { optional } from './field.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';
import { checkWords, SPOKEN_TEXT } from './spoken-text.ts';

export const announcementRecord = defineRecord(KINDS.announcement, {
  fields: {
    name: NAME,
    recording: optional(recording(), null),
    text: SPOKEN_TEXT,
    destination: DESTINATION,
  },
  check: (announcement, faults) => checkWords(announcement, faults),
});

export type Announcement = DataOf<typeof announcementRecord>;
