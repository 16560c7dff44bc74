// Stream: a call talks with a voice bot over a WebSocket.
import { referenceTo } from '../flow/node.ts';
import type { StreamNode } from '../flow/stream-phase.ts';
import { splitReference } from '../kinds/reference.ts';

/** Four hours. */
export const MAX_STREAM_SECONDS = 14_400;
export const MAX_STREAM_DESTINATIONS = 50;

export interface FlowStream {
  readonly name: string;
  readonly description: string;
  /** A template. */
  readonly url: string;
  /** By name, with templates. */
  readonly parameters: { readonly [name: string]: string };
  /** Null: the request is not signed. */
  readonly sealed_secret: string | null;
  readonly disclosure_recording: string | null;
  readonly max_seconds: number;
  readonly destinations: readonly string[];
  readonly next_destination: string;
  readonly failed_destination: string;
}

export const STREAM_DEFAULTS = {
  description: '',
  disclosure_recording: null,
  max_seconds: 1_800,
} as const satisfies Partial<FlowStream>;

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
