// The protocol between the main thread and a media worker, as tuples: most commands go through a ring in shared memory, events by
// message, many in one.

import type { EncodedAudio } from '../codec.ts';
import type {
  KeySource,
  ListenMode,
  RecordingEnd,
  RecordingLimits,
  StreamStatistics,
  ToneName,
} from '../media.ts';
import type { Agreed } from './agreed.ts';
import { WAKE_WORDS } from './wake.ts';

/** Words of the shared memory, after the wake-up word's: how many audio events the main thread has taken, and how many messages it
 * has sent. */
export const AUDIO_TAKEN = WAKE_WORDS;
export const POSTED = WAKE_WORDS + 1;
export const SHARED_WORDS = WAKE_WORDS + 2;

/** In place of the stream that is recorded with another: the other's bot. */
export const BOT = -1;

export type Command =
  | readonly ['open', stream: number, pair: number]
  | readonly ['configure', stream: number, agreed: Agreed]
  | readonly ['play', stream: number, playback: number, sound: number, loop: boolean]
  | readonly ['play-tone', stream: number, playback: number, tone: ToneName, loop: boolean]
  | readonly ['stop', stream: number]
  | readonly ['background', stream: number, sound: number | null]
  | readonly ['background-tone', stream: number, tone: ToneName]
  | readonly ['bridge', stream: number, other: number]
  | readonly ['unbridge', stream: number]
  /** A ring of bots/bot-ring.ts; null: no more. */
  | readonly ['bot', stream: number, ring: SharedArrayBuffer | null]
  | readonly ['send-keys', stream: number, keys: string]
  | readonly ['tap', stream: number, on: boolean]
  | readonly ['record', stream: number, recording: number, other: number | null, limits: RecordingLimits]
  | readonly ['stop-recording', stream: number]
  | readonly ['listen-in', stream: number, target: number | null, mode: ListenMode]
  | readonly ['close', stream: number]
  | readonly ['conference', command: ConferenceCommand]
  | readonly ['load', sound: number, audio: EncodedAudio]
  | readonly ['unload', sound: number]
  /** For the test that a dead worker is replaced. */
  | readonly ['die']
  | readonly ['end'];

/** Members are named by their stream. `sound`: its number, a tone, or itself. */
export type ConferenceCommand =
  | { readonly do: 'open'; readonly conference: number }
  | { readonly do: 'close' | 'stop-recording'; readonly conference: number }
  /** A stream of the same worker. */
  | { readonly do: 'join' | 'leave'; readonly conference: number; readonly stream: number }
  /** A stream of another worker, which gets `link`. */
  | {
      readonly do: 'join-linked';
      readonly conference: number;
      readonly stream: number;
      readonly link: SharedArrayBuffer;
    }
  | { readonly do: 'link'; readonly stream: number; readonly link: SharedArrayBuffer }
  | { readonly do: 'unlink'; readonly stream: number }
  | { readonly do: 'mute'; readonly conference: number; readonly stream: number; readonly isMuted: boolean }
  | { readonly do: 'announce'; readonly conference: number; readonly sound: number | ToneName | EncodedAudio }
  | {
      readonly do: 'record';
      readonly conference: number;
      readonly number: number;
      readonly limits: RecordingLimits;
    };

/** Statistics as an array: cloning the property names of an object would cost more than all other events of a call. */
export type Figures = readonly (number | boolean | null)[];

export const figuresOf = (statistics: StreamStatistics): Figures => [
  statistics.packetsSent,
  statistics.packetsReceived,
  statistics.packetsLost,
  statistics.jitterMs,
  statistics.remoteLost,
  statistics.remoteJitterMs,
  statistics.roundTripMs,
  statistics.strangers,
  statistics.oneWay,
  statistics.bufferMs,
  statistics.packetsLate,
];

export function statisticsOf(figures: Figures): StreamStatistics {
  const count = (at: number): number => Number(figures[at] ?? 0);
  const known = (at: number): number | null => (figures[at] === null ? null : count(at));
  return {
    packetsSent: count(0),
    packetsReceived: count(1),
    packetsLost: count(2),
    jitterMs: count(3),
    remoteLost: known(4),
    remoteJitterMs: known(5),
    roundTripMs: known(6),
    strangers: count(7),
    oneWay: figures[8] === true,
    bufferMs: count(9),
    packetsLate: count(10),
  };
}

export type WorkerEvent =
  | readonly ['started', adapter: string, fallback: string | null]
  | readonly ['warning', reason: string]
  | readonly ['ready', pair: number, port: number]
  | readonly ['key', stream: number, key: string, source: KeySource]
  | readonly ['played', stream: number, playback: number]
  | readonly ['silent', stream: number]
  | readonly ['one-way', stream: number, from: string | null]
  | readonly ['heard', stream: number, audio: Uint8Array]
  | readonly [
      'recorded',
      stream: number,
      recording: number,
      audio: Uint8Array,
      soundMs: number,
      soundEndMs: number,
    ]
  | readonly ['record-ended', stream: number, recording: number, why: RecordingEnd]
  | readonly ['failed', stream: number, reason: string]
  | readonly ['closed', stream: number, figures: Figures];

export interface WorkerOptions {
  readonly host: string;
  /** Even; RTCP is the port after it. `to` is the last port that may be used. */
  readonly ports: { readonly from: number; readonly to: number };
  readonly adapter: 'auto' | 'syscalls' | 'dgram';
  readonly rtpTimeoutMs: number;
  readonly realTime: boolean;
  /** SHARED_WORDS, then the file descriptors that the worker holds. */
  readonly shared: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
}
