// Stream: a call talks with a voice bot over a WebSocket.
import { referenceTo } from '../flow/node.ts';
import type { StreamNode } from '../flow/stream-phase.ts';
import { DESCRIPTION, MAX_URL, NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { listOf, optional, text, wholeNumber } from './field.ts';
import { members, secret } from './flow-fields.ts';
import { splitReference } from './reference.ts';
import { recording } from './reference-fields.ts';

/** Four hours. */
export const MAX_STREAM_SECONDS = 14_400;
export const MAX_STREAM_DESTINATIONS = 50;

export const stream = defineKind({
  kind: 'stream',
  noun: 'stream',
  nouns: 'streams',
  word: 'stream',
  directory: 'streams',
  exported: 'streams',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Stream',
  plural: 'Streams',
  path: '/v1/stream',
  listPath: '/v1/streams',
  // As of a request.
  see: 'look',
  change: 'administer',
  sealed: { member: 'secret', place: 'stream secret' },
  fields: (to) => ({
    name: NAME,
    description: DESCRIPTION,
    url: text({ min: 1, max: MAX_URL, description: 'wss, or ws where OUTBOUND_ALLOW permits the address' }),
    parameters: optional(members, {}),
    secret,
    disclosure_recording: optional(recording(), null),
    max_seconds: optional(wholeNumber(1, MAX_STREAM_SECONDS, 'seconds'), 1_800),
    destinations: optional(listOf(to, { min: 0, max: MAX_STREAM_DESTINATIONS, of: 'destinations' }), []),
    next_destination: to,
    failed_destination: to,
  }),
  node: (id, stream): StreamNode => streamNode(id, stream),
});

export type FlowStream = DataOf<typeof stream>;

/** Of what the console sees, too: it has no secret. */
export function streamNode(
  id: string,
  stream: Omit<FlowStream, 'sealed_secret'> & Partial<Pick<FlowStream, 'sealed_secret'>>,
): StreamNode {
  const { disclosure_recording: disclosure, sealed_secret: sealed = null } = stream;
  return {
    kind: 'stream',
    ref: referenceTo('stream', id),
    name: stream.name,
    url: stream.url,
    parameters: Object.entries(stream.parameters).map(([name, value]) => ({ name, value })),
    disclosure: disclosure === null ? null : splitReference(disclosure).id,
    maxSeconds: stream.max_seconds,
    destinations: stream.destinations,
    ...(sealed === null ? {} : { sealedSecret: sealed }),
    next: stream.next_destination,
    failed: stream.failed_destination,
  };
}
