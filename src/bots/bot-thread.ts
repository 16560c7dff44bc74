// The thread of the voice bots, as the main thread holds it: it gives orders, passes reports on, and starts the thread anew when it dies.
// The thread starts with the first stream: most services have none.
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { BotEvents, BotStream, BotStreams, WantedBot } from '../calls/bots/bot-streams.ts';
import type { StreamFailure } from '../flow/stream-phase.ts';
import { FairPool, type Shares } from '../kit/fair-share.ts';
import { allocateBotRing } from '../media/bots/bot-ring.ts';
import type { BotOrder, BotReport, BotThreadOptions } from './thread-messages.ts';
import { sidOf } from './wire.ts';

/** Streams at once; callers who find no slot go to failed_destination. */
export const STREAM_SHARES: Shares = { total: 500, perAccount: 250, reserved: 50 };
const END_MS = 3_000;
/** The limit of the thread's heap: beyond it the thread dies, and with it its streams, not the process. */
const MAX_HEAP_MB = 512;

export interface BotThreadParts extends BotThreadOptions {
  readonly shares?: Shares;
  /** Headers for the request that opens the WebSocket; null: the secret cannot be opened. */
  readonly headersOf: (wanted: WantedBot) => { readonly [name: string]: string } | null;
  readonly died: (reason: string) => void;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawn(options: BotThreadOptions): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../dist/bot-worker.js' : './bot-worker.js';
  return new Worker(new URL(file, import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
}

interface Held {
  readonly events: BotEvents;
  readonly release: () => void;
}

export class BotThread implements BotStreams {
  readonly #parts: BotThreadParts;
  readonly #pool: FairPool;
  readonly #held = new Map<number, Held>();
  #worker: Worker | null = null;
  #nextId = 1;
  #isClosing = false;

  constructor(parts: BotThreadParts) {
    this.#parts = parts;
    this.#pool = new FairPool(parts.shares ?? STREAM_SHARES);
  }

  get openStreams(): number {
    return this.#held.size;
  }

  open(wanted: WantedBot, events: BotEvents): BotStream {
    const id = this.#nextId++;
    const ring = allocateBotRing();
    const release = this.#pool.take(wanted.accountId);
    const headers = this.#parts.headersOf(wanted);
    if (!release || !headers) {
      release?.();
      return refused(ring, release ? 'refused' : 'busy', events);
    }
    this.#held.set(id, { events, release });
    this.#order({ do: 'open', id, url: wanted.url, headers, ring, facts: factsOf(wanted) });
    return {
      ring,
      sendKey: (key) => {
        if (this.#held.has(id)) this.#order({ do: 'key', id, key });
      },
      close: () => {
        if (!this.#held.has(id)) return;
        this.#forget(id);
        this.#order({ do: 'close', id });
      },
    };
  }

  /** For the test that a dead thread is replaced. */
  kill(): void {
    void this.#worker?.terminate();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const worker = this.#worker;
    if (!worker) return;
    worker.postMessage({ do: 'end' } satisfies BotOrder);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => void worker.terminate(), END_MS);
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #order(order: BotOrder): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(order);
  }

  #start(): Worker {
    const { allow, limits } = this.#parts;
    const worker = spawn({ allow, ...(limits && { limits }) });
    let reason = 'it exited without an error';
    worker.on('message', (report: BotReport) => this.#take(report));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      if (!this.#isClosing) this.#lose(reason);
    });
    return worker;
  }

  /** The next stream starts another thread. */
  #lose(reason: string): void {
    this.#parts.died(reason);
    for (const id of [...this.#held.keys()])
      this.#forget(id)?.events.ended({ ok: false, failure: 'broken', detail: 'the service failed' });
  }

  #take(report: BotReport): void {
    if (report.type === 'started') return;
    const held = this.#held.get(report.id);
    if (!held) return;
    switch (report.type) {
      case 'opened':
        held.events.opened();
        return;
      case 'transfer':
        held.events.transfer(report.destination);
        return;
      case 'variables':
        held.events.setVariables(report.values);
        return;
      case 'ended':
        this.#forget(report.id);
        held.events.ended(report.outcome);
        return;
      default:
        report satisfies never;
    }
  }

  #forget(id: number): Held | undefined {
    const held = this.#held.get(id);
    this.#held.delete(id);
    held?.release();
    return held;
  }
}

function factsOf({ accountId, callId, parameters, caller, dialled }: WantedBot) {
  return {
    streamSid: sidOf('MZ', randomUUID()),
    accountSid: sidOf('AC', accountId),
    callSid: sidOf('CA', callId),
    parameters: { ...parameters, from_number: caller ?? '', to_number: dialled },
  };
}

function refused(ring: SharedArrayBuffer, failure: StreamFailure, events: BotEvents): BotStream {
  let isOpen = true;
  const detail = failure === 'refused' ? 'the secret was sealed with another key' : '';
  queueMicrotask(() => {
    if (isOpen) events.ended({ ok: false, failure, detail });
  });
  return {
    ring,
    sendKey: () => undefined,
    close: () => {
      isOpen = false;
    },
  };
}
