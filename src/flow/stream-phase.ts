// A call that talks with a voice bot over a WebSocket: its node, its phase, what the machine asks for and what it hears.

import type { RecordingId, Ref } from './ref.ts';

/** Connects the caller's audio, both ways, to a voice bot. */
export interface StreamNode {
  readonly kind: 'stream';
  readonly ref: Ref;
  readonly name: string;
  /** A template; values are percent-encoded. */
  readonly url: string;
  /** Given to the bot when it is connected, each with a template. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Played first, to its end: the caller talks to a machine. Null: none. */
  readonly disclosure: RecordingId | null;
  readonly maxSeconds: number;
  /** Where the bot may send the caller. */
  readonly destinations: readonly Ref[];
  /** Opened by who connects; absent: the request is not signed. */
  readonly sealedSecret?: string;
  /** It ended normally. */
  readonly next: Ref;
  /** It could not be reached, or broke. */
  readonly failed: Ref;
}

//   disclosing ── played ─▶ opening ── opened ─▶ talking ── closed, time over ─▶ next
//                              │                    │ └── transfer ─▶ one of destinations
//                              └─ failed, no answer ┴─ broken ─▶ failed
export interface Streaming {
  readonly name: 'streaming';
  readonly node: Ref;
  readonly stage: 'disclosing' | 'opening' | 'talking';
  /** 0 before it is opened. */
  readonly request: number;
  /** The disclosure, then the tone while it is opened; 0 while nothing is played. */
  readonly playback: number;
  /** Since when they talk. */
  readonly sinceMs: number;
}

/** Answered by stream-opened, or by stream-ended alone. Never repeated. */
export interface OpenStream {
  readonly type: 'open-stream';
  readonly request: number;
  readonly node: Ref;
  readonly url: string;
  readonly parameters: { readonly [name: string]: string };
}

export type StreamAction =
  | OpenStream
  | { readonly type: 'send-stream-key'; readonly request: number; readonly key: string }
  /** Always, once, when a call that opened one goes elsewhere or ends, unless the stream has ended. */
  | { readonly type: 'close-stream'; readonly request: number };

export const STREAM_FAILURES = [
  'timeout',
  'unreachable',
  'refused',
  'status',
  'broken',
  'malformed',
  'too-large',
  'flooding',
  'busy',
] as const;
export type StreamFailure = (typeof STREAM_FAILURES)[number];

export type StreamOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: StreamFailure; readonly detail: string };

interface OfStream {
  /** Milliseconds since the call started. */
  readonly atMs: number;
  readonly request: number;
}

export type StreamEvent =
  | ({ readonly type: 'stream-opened' } & OfStream)
  /** The bot asks for a destination, which may be none of those it may ask for. */
  | ({ readonly type: 'stream-transfer'; readonly destination: string } & OfStream)
  | ({
      readonly type: 'stream-variables';
      readonly values: { readonly [variable: string]: string };
    } & OfStream)
  /** Nothing follows it. */
  | ({ readonly type: 'stream-ended'; readonly outcome: StreamOutcome } & OfStream);
