// What was agreed on with a peer, in the form in which a worker uses it: numbers, so that it fits into a few words of shared memory.

import type { Codec, Direction, StreamSettings } from '../media.ts';
import { type Endpoint, NOWHERE, parseEndpoint } from '../sockets/endpoint.ts';

const FRAME_MS = 20;
const MAX_FRAMES = 3;

export interface Agreed {
  /** Where the peer says that it is; of no address and port where that cannot be understood. */
  readonly remote: Endpoint;
  readonly remoteRtcpPort: number;
  /** Its port means nothing. Null: the peer may be anywhere. */
  readonly signalling: Endpoint | null;
  readonly codec: Codec;
  readonly payloadType: number;
  readonly eventPayloadType: number | null;
  /** Of 20 ms, in one packet. */
  readonly frames: number;
  readonly direction: Direction;
}

export function agreedOf(settings: StreamSettings): Agreed {
  const frames = settings.ptimeMs / FRAME_MS;
  return {
    remote: parseEndpoint(settings.remoteAddress, settings.remotePort) ?? NOWHERE,
    remoteRtcpPort: settings.remoteRtcpPort,
    signalling: parseEndpoint(settings.signallingAddress ?? '', 0),
    codec: settings.codec,
    payloadType: settings.payloadType,
    eventPayloadType: settings.eventPayloadType,
    frames: Number.isInteger(frames) && frames >= 1 && frames <= MAX_FRAMES ? frames : 1,
    direction: settings.direction,
  };
}
