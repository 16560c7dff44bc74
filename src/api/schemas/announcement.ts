// What may be sent for announcements.
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import { text } from './field.ts';
import { stampedSchema } from './output.ts';
import { destination, recording } from './reference.ts';

export const ANNOUNCEMENT_FIELDS = {
  name: text({ min: 1, max: 100 }),
  recording: recording(),
  destination: destination(DESTINATION_KINDS),
} as const;

export const ANNOUNCEMENT_SCHEMAS = { Announcement: stampedSchema(ANNOUNCEMENT_FIELDS) };
