// Stream: a call talks with a voice bot over a WebSocket.

import { DESCRIPTION, MAX_URL, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { listOf, optional, text, wholeNumber } from './field.ts';
import { members, secret } from './flow-fields.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';

/** Four hours. */
export const MAX_STREAM_SECONDS = 14_400;
export const MAX_STREAM_DESTINATIONS = 50;

export const streamRecord = defineRecord(KINDS.stream, {
  fields: {
    name: NAME,
    description: DESCRIPTION,
    url: text({ min: 1, max: MAX_URL, description: 'wss, or ws where OUTBOUND_ALLOW permits the address' }),
    parameters: optional(members, {}),
    secret,
    disclosure_recording: optional(recording(), null),
    max_seconds: optional(wholeNumber(1, MAX_STREAM_SECONDS, 'seconds'), 1_800),
    destinations: optional(
      listOf(DESTINATION, { min: 0, max: MAX_STREAM_DESTINATIONS, of: 'destinations' }),
      [],
    ),
    next_destination: DESTINATION,
    failed_destination: DESTINATION,
  },
});

export type FlowStream = DataOf<typeof streamRecord>;
