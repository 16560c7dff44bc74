// The converting thread, seen from the main thread: one job at a time, a short queue, and a deadline after which the thread is
// replaced. A file that breaks a decoder breaks that thread alone.
import { Worker } from 'node:worker_threads';
import { StorageError } from '../storage/storage.ts';
import type { Job, Outcome, Results } from './jobs.ts';

export const MAX_WAITING = 16;
/** Ten minutes of MP3 take about ten seconds of a processor that has nothing else to do. Less than a client waits (STALLED_MS). */
export const JOB_MS = 50_000;
/** A thread without work gives its memory back. */
const IDLE_MS = 30_000;
/** For its own objects; sound is held beside them, and is bounded by the length of recordings. */
const HEAP_MB = 128;

/** The job was given up, since it took too long or ended its thread. */
export interface GivenUp {
  readonly givenUp: 'late' | 'died';
}

interface QueuedJob {
  readonly job: Job;
  readonly done: (outcome: Outcome | GivenUp) => void;
}

export interface TranscoderOptions {
  readonly jobMs?: number;
  readonly idleMs?: number;
  readonly maxWaiting?: number;
  readonly spawn?: () => Worker;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawnThread(): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../dist/recordings-worker.js' : './recordings-worker.js';
  return new Worker(new URL(file, import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
}

export class Transcoder {
  readonly #jobMs: number;
  readonly #idleMs: number;
  readonly #maxWaiting: number;
  readonly #spawn: () => Worker;
  readonly #waiting: QueuedJob[] = [];
  #worker: Worker | null = null;
  #current: QueuedJob | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: TranscoderOptions = {}) {
    this.#jobMs = options.jobMs ?? JOB_MS;
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
    this.#spawn = options.spawn ?? spawnThread;
  }

  /** Rejects with StorageError: too much to do, or a disk that fails. */
  async run<J extends Job>(job: J): Promise<Results[J['kind']] | GivenUp> {
    if (this.#closed || this.#waiting.length >= this.#maxWaiting)
      throw new StorageError('overloaded', 'More recordings wait to be converted than there is room for.');
    const outcome = await new Promise<Outcome | GivenUp>((done) => {
      this.#waiting.push({ job, done });
      this.#next();
    });
    if ('givenUp' in outcome) return outcome;
    if ('value' in outcome) return outcome.value as Results[J['kind']];
    throw new StorageError(outcome.errno === 'ENOSPC' ? 'full' : 'unavailable', outcome.message);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { done } of this.#waiting.splice(0)) done({ givenUp: 'died' });
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current) return;
    clearTimeout(this.#timer);
    const next = this.#waiting.shift();
    if (!next) {
      this.#timer = setTimeout(() => this.#end(), this.#idleMs);
      this.#timer.unref();
      return;
    }
    this.#current = next;
    this.#timer = setTimeout(() => this.#giveUp('late'), this.#jobMs);
    this.#thread().postMessage(next.job);
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#spawn();
    // A job under way keeps the process by its timer; an idle thread does not.
    worker.unref();
    worker.on('message', (outcome: Outcome) => {
      if (this.#worker === worker) this.#finish(outcome);
    });
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#finish({ givenUp: 'died' });
    });
    this.#worker = worker;
    return worker;
  }

  #giveUp(why: 'late'): void {
    this.#end();
    this.#finish({ givenUp: why });
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  #finish(outcome: Outcome | GivenUp): void {
    const current = this.#current;
    this.#current = null;
    current?.done(outcome);
    if (!this.#closed) this.#next();
  }
}
