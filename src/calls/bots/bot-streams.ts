// PORT: how calls talk with voice bots. bots/bot-thread.ts has the adapter: the WebSockets are in a thread of their own.
import type { OpenStream, StreamOutcome } from '../../flow/stream-phase.ts';

export interface WantedBot extends Pick<OpenStream, 'url' | 'parameters'> {
  readonly accountId: string;
  readonly callId: string;
  /** The id of the record. */
  readonly id: string;
  /** Null if the request is not signed. */
  readonly sealedSecret: string | null;
  readonly caller: string | null;
  readonly dialled: string;
}

/** Never called while `open` runs. */
export interface BotEvents {
  opened(): void;
  transfer(destination: string): void;
  setVariables(values: { readonly [variable: string]: string }): void;
  /** Once, last; not after `close`. */
  ended(outcome: StreamOutcome): void;
}

export interface BotStream {
  /** For the caller's leg. */
  readonly ring: SharedArrayBuffer;
  sendKey(key: string): void;
  /** Idempotent. */
  close(): void;
}

export interface BotStreams {
  open(wanted: WantedBot, events: BotEvents): BotStream;
}

/** Where nothing may be connected, as in tests of other things. */
export const NO_BOTS: BotStreams = {
  open: (_wanted, events) => {
    let isOpen = true;
    queueMicrotask(() => {
      if (isOpen) events.ended({ ok: false, failure: 'refused', detail: 'streams are off' });
    });
    return {
      ring: new SharedArrayBuffer(0),
      sendKey: () => undefined,
      close: () => {
        isOpen = false;
      },
    };
  },
};
