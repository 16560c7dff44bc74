// What may be asked of voicemail messages and recorded calls, and what is shown of them.

import { type JsonSchema, oneOf, optional, text } from '../../kinds/field.ts';
import { instant } from '../../kinds/moment.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { object, string, time } from './output.ts';

const one = (description: string) => optional(text({ min: 1, max: 100, description }), null);

const TIMES = {
  from: optional(instant('those that began then or later'), null),
  to: optional(instant('those that began before'), null),
} as const;

export const VOICEMAIL_QUERY = {
  ...PAGE_QUERY,
  box: one('the id of a voicemail box'),
  heard: optional(oneOf(['true', 'false']), null),
  caller: one('the number it was left from'),
  ...TIMES,
} as const;

export const CALL_RECORDING_QUERY = {
  ...PAGE_QUERY,
  call_id: one('the id of a call record'),
  agent: one('the eid of the agent in the call'),
  caller: one('the number that called'),
  ...TIMES,
} as const;

const orNull = { type: ['string', 'null'] };
const SHARED: Record<string, JsonSchema> = {
  id: string,
  call_id: { ...string, description: 'the id of the call record' },
  caller: orNull,
  caller_name: string,
  dialled: string,
  started_at: time,
  duration_ms: { type: 'integer', minimum: 0 },
  bytes: { type: 'integer', minimum: 0 },
  audio: { ...string, description: 'where to hear it' },
};

export const CALL_RECORDING_SCHEMAS = {
  Voicemail: object({
    ...SHARED,
    box: { ...orNull, description: 'the id of the voicemail box' },
    heard: { type: 'boolean' },
    heard_at: { type: ['string', 'null'], format: 'date-time' },
  }),
  CallRecording: object({ ...SHARED, agent: { ...orNull, description: 'eid of the agent in the call' } }),
};
