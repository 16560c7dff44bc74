// What may be sent for announcements.
import type { Announcement } from '../../domain/announcement.ts';
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import { optional, readFields, text } from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { destination, recording } from '../../kinds/reference-fields.ts';
import { checkWords, SPOKEN_TEXT } from '../../kinds/spoken-text.ts';
import { stampedSchema } from './output.ts';

export const ANNOUNCEMENT_FIELDS = {
  name: text({ min: 1, max: 100 }),
  recording: optional(recording(), null),
  text: SPOKEN_TEXT,
  destination: destination(DESTINATION_KINDS),
} as const;

export function readAnnouncement(body: { readonly [name: string]: unknown }): Announcement | Problem {
  const faults = new Faults();
  const announcement = readFields(ANNOUNCEMENT_FIELDS, body, faults);
  checkWords(announcement, faults);
  return faults.list.length > 0 ? faults.toProblem() : announcement;
}

export const ANNOUNCEMENT_SCHEMAS = { Announcement: stampedSchema(ANNOUNCEMENT_FIELDS) };
