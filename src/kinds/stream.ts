// Stream: a call talks with a voice bot over a WebSocket.

import { DESCRIPTION, MAX_URL, NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { listOf, optional, text, wholeNumber } from './field.ts';
import { members, secret } from './flow-fields.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';
import { CALLED, NOTE, TEMPLATE } from './shared-meanings.ts';

/** Four hours. */
const MAX_STREAM_SECONDS = 14_400;
const MAX_STREAM_DESTINATIONS = 50;

export const streamRecord = defineRecord(KINDS.stream, {
  about: 'Places of a call that connect the caller with a voice bot over a WebSocket.',
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
  means: {
    description: NOTE,
    name: CALLED,
    url: `The address of the voice bot: wss, or ws where OUTBOUND_ALLOW names its network. The host is fixed. ${TEMPLATE} Values are percent-encoded.`,
    parameters: `What the bot is given in \`customParameters\` of its start message, each a text. ${TEMPLATE}`,
    secret:
      'Signs the request for the WebSocket as webhooks are signed: `whsec_` and base64. It is never shown. Not sent: the stored one stays.',
    has_secret: 'Whether the request for the WebSocket is signed.',
    disclosure_recording:
      'Played to its end before the bot is connected: the caller talks to a machine. Null: nothing is played.',
    max_seconds: 'How long they may talk. Then the call goes on to `next_destination`.',
    destinations: 'Where the bot may send the caller. It is refused any other.',
    next_destination: 'Where the call goes on when the bot ends the conversation, or the time is over.',
    failed_destination: 'Where the call goes if the bot cannot be reached, or the connection breaks.',
    warnings: 'What is likely wrong with it.',
  },
  example: {
    name: 'Voice bot',
    url: 'wss://bot.example.com/telephone',
    parameters: { customer: '{caller}' },
    disclosure_recording: 'recording||welcome',
    max_seconds: 900,
    destinations: ['department||support'],
    next_destination: 'hangup||now',
    failed_destination: 'department||support',
  },
});

export type FlowStream = DataOf<typeof streamRecord>;
