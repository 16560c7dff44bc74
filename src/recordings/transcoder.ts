// The converting threads, seen from the main thread: each does one job at a time, with a deadline after which it is replaced. A file
// that breaks a decoder breaks that thread alone. An account has one job under way, so that another account finds a thread free.
import { Worker } from 'node:worker_threads';
import { Counts, FairQueue, type Shares } from '../kit/fair-share.ts';
import { StorageError } from '../storage/storage.ts';
import type { Job, Outcome, Results } from './jobs.ts';

export const CONVERSIONS: Shares = { total: 2, perAccount: 1 };
export const WAITING: Shares = { total: 16, perAccount: 8, reserved: 2 };
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
  readonly accountId: string;
  readonly job: Job;
  readonly done: (outcome: Outcome | GivenUp) => void;
}

export interface TranscoderOptions {
  readonly jobMs?: number;
  readonly idleMs?: number;
  readonly waiting?: Shares;
  readonly spawn?: () => Worker;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawnThread(): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../dist/recordings-worker.js' : './recordings-worker.js';
  return new Worker(new URL(file, import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
}

export class Transcoder {
  readonly #waiting: FairQueue<QueuedJob>;
  readonly #running = new Counts();
  readonly #threads: readonly Thread[];
  #closed = false;

  constructor(options: TranscoderOptions = {}) {
    const { jobMs = JOB_MS, idleMs = IDLE_MS, waiting = WAITING, spawn = spawnThread } = options;
    this.#waiting = new FairQueue(waiting);
    this.#threads = Array.from({ length: CONVERSIONS.total }, () => new Thread(jobMs, idleMs, spawn));
  }

  /** Rejects with StorageError: too much to do, or a disk that fails. */
  async run<J extends Job>(accountId: string, job: J): Promise<Results[J['kind']] | GivenUp> {
    const outcome = await new Promise<Outcome | GivenUp>((done, reject) => {
      if (this.#closed || !this.#waiting.push(accountId, { accountId, job, done }))
        reject(
          new StorageError('overloaded', 'More recordings wait to be converted than there is room for.'),
        );
      else this.#next();
    });
    if ('givenUp' in outcome) return outcome;
    if ('value' in outcome) return outcome.value as Results[J['kind']];
    throw new StorageError(outcome.errno === 'ENOSPC' ? 'full' : 'unavailable', outcome.message);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next.done({ givenUp: 'died' });
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #next(): void {
    const thread = this.#threads.find(({ busy }) => !busy);
    if (!thread || this.#closed) return;
    const next = this.#waiting.shift((account) => !this.#running.mayAdd(account, CONVERSIONS));
    if (!next) return;
    this.#running.add(next.accountId, 1);
    thread.run(next.job, (outcome) => {
      this.#running.add(next.accountId, -1);
      next.done(outcome);
      this.#next();
    });
    this.#next();
  }
}

class Thread {
  readonly #jobMs: number;
  readonly #idleMs: number;
  readonly #spawn: () => Worker;
  #worker: Worker | null = null;
  #done: ((outcome: Outcome | GivenUp) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(jobMs: number, idleMs: number, spawn: () => Worker) {
    this.#jobMs = jobMs;
    this.#idleMs = idleMs;
    this.#spawn = spawn;
  }

  get busy(): boolean {
    return this.#done !== null;
  }

  run(job: Job, done: (outcome: Outcome | GivenUp) => void): void {
    clearTimeout(this.#timer);
    this.#done = done;
    this.#timer = setTimeout(() => {
      this.#end();
      this.#finish({ givenUp: 'late' });
    }, this.#jobMs);
    this.#open().postMessage(job);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  #open(): Worker {
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

  #end(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  #finish(outcome: Outcome | GivenUp): void {
    const done = this.#done;
    this.#done = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), this.#idleMs);
    this.#timer.unref();
    done?.(outcome);
  }
}
