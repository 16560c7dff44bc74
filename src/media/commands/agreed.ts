// Stream settings in the form that a worker uses: numbers, so that they fit into a few words of shared memory.

import { FRAME_MS } from '../audio/frame.ts';
import type { CodecName } from '../codec.ts';
import type { Direction, Early, StreamSettings } from '../media.ts';
import { type Endpoint, NOWHERE, parseEndpoint } from '../sockets/endpoint.ts';
import type { SrtpKeys } from '../srtp/suites.ts';

const MAX_FRAMES = 3;

export interface Agreed {
  /** The signalled address; unspecified where it is not valid. */
  readonly remote: Endpoint;
  readonly remoteRtcpPort: number;
  /** Its port has no meaning. Null: the peer may send from any address. */
  readonly signalling: Endpoint | null;
  readonly codec: CodecName;
  readonly payloadType: number;
  readonly eventPayloadType: number | null;
  /** Frames of 20 ms in one packet. */
  readonly frames: number;
  readonly direction: Direction;
  /** Null if answered. */
  readonly early: Early | null;
  /** Null if plain RTP. Such settings go by message: keys are not written into shared memory. */
  readonly srtp: SrtpKeys | null;
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
    early: settings.early ?? null,
    srtp: settings.srtp ?? null,
  };
}
