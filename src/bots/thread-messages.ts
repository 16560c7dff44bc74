// The protocol between the main thread and the thread of the voice bots. Audio is not in it: that goes by rings in shared memory.
import type { StreamOutcome } from '../flow/stream-phase.ts';
import type { Network } from '../safe-fetch/network.ts';

export interface BotThreadOptions {
  /** Networks of our own that may be reached. */
  readonly allow: readonly Network[];
  readonly limits?: BotLimits;
}

export interface BotLimits {
  /** A bot that is not connected by then. */
  readonly connectMs: number;
  /** One that does not read its audio for so long counts as gone. */
  readonly unreadMs: number;
}

/** What a bot is told of its call. */
export interface StreamFacts {
  readonly streamSid: string;
  readonly accountSid: string;
  readonly callSid: string;
  readonly parameters: { readonly [name: string]: string };
}

export type BotOrder =
  | {
      readonly do: 'open';
      readonly id: number;
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
      readonly ring: SharedArrayBuffer;
      readonly facts: StreamFacts;
    }
  | { readonly do: 'key'; readonly id: number; readonly key: string }
  | { readonly do: 'close'; readonly id: number }
  | { readonly do: 'end' };

export type BotReport =
  | { readonly type: 'started' }
  | { readonly type: 'opened'; readonly id: number }
  | { readonly type: 'transfer'; readonly id: number; readonly destination: string }
  | {
      readonly type: 'variables';
      readonly id: number;
      readonly values: { readonly [variable: string]: string };
    }
  | { readonly type: 'ended'; readonly id: number; readonly outcome: StreamOutcome };
