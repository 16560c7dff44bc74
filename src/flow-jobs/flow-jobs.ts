// Flow threads, seen from the main thread (T37): simulations, tests and the linter of whole accounts take their time there, not
// from signalling and other accounts. Accounts take turns, one job of an account runs at a time, and a job that takes too long
// costs its thread.
import { Worker } from 'node:worker_threads';
import { Counts, FairQueue } from '../kit/fair-share.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import type { Asked, FlowJob, FlowResult, FromThread, ToThread } from './job.ts';

export const THREADS = 2;
export const WAITING = { total: 128, perAccount: 32 };
/** From the start of the job, with the reads that it needs. */
export const JOB_MS = { simulate: 5_000, test: 5_000, lint: 20_000, draft: 20_000, write: 5_000 };
/** A thread without work gives its memory back. */
const IDLE_MS = 5 * 60_000;
/** The heap of one thread: an account of 100,000 menus fits. */
const HEAP_MB = 512;

/** The job was given up: it took too long, or more memory than its thread has. */
export interface GivenUp {
  readonly givenUp: 'late' | 'died';
}

export interface FlowJobsOptions {
  readonly storage: Pick<Storage, Asked>;
  readonly jobMs?: Readonly<Record<FlowJob['kind'], number>>;
  readonly spawn?: () => Worker;
}

interface QueuedJob {
  readonly job: FlowJob;
  resolve(result: FlowResult | GivenUp): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  current: QueuedJob | null;
  lastAccount: string;
  timer: NodeJS.Timeout | undefined;
  storageError: unknown;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawnThread(): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../dist/flow-worker.js' : './flow-worker.js';
  return new Worker(new URL(file, import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
}

export class FlowJobs {
  readonly #storage: Pick<Storage, Asked>;
  readonly #jobMs: Readonly<Record<FlowJob['kind'], number>>;
  readonly #spawn: () => Worker;
  readonly #waiting = new FairQueue<QueuedJob>(WAITING);
  readonly #running = new Counts();
  readonly #threads = new Set<Thread>();
  #closed = false;

  constructor({ storage, jobMs = JOB_MS, spawn = spawnThread }: FlowJobsOptions) {
    this.#storage = storage;
    this.#jobMs = jobMs;
    this.#spawn = spawn;
  }

  /** Rejects with StorageError: too much to do, or a database that fails. */
  run(job: FlowJob): Promise<FlowResult | GivenUp> {
    return new Promise((resolve, reject) => {
      if (this.#closed || !this.#waiting.push(job.accountId, { job, resolve, reject }))
        return reject(
          new StorageError('overloaded', 'More simulations, tests and lints wait than there is room for.'),
        );
      return this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, 'died')));
    for (let left = this.#waiting.shift(); left; left = this.#waiting.shift())
      left.resolve({ givenUp: 'died' });
  }

  #next(): void {
    const idle = [...this.#threads].filter(({ current }) => current === null);
    if (this.#closed || (idle.length === 0 && this.#threads.size >= THREADS)) return;
    const queued = this.#waiting.shift((account) => this.#running.of(account) > 0);
    if (!queued) return;
    const { job } = queued;
    // The thread that holds the account's data, if it is free.
    const thread = idle.find(({ lastAccount }) => lastAccount === job.accountId) ?? idle[0] ?? this.#open();
    clearTimeout(thread.timer);
    thread.current = queued;
    thread.lastAccount = job.accountId;
    thread.storageError = undefined;
    thread.timer = setTimeout(() => void this.#end(thread, 'late'), this.#jobMs[job.kind]);
    this.#running.add(job.accountId, 1);
    post(thread, { job });
    this.#next();
  }

  #open(): Thread {
    const worker = this.#spawn();
    const thread: Thread = {
      worker,
      current: null,
      lastAccount: '',
      timer: undefined,
      storageError: undefined,
    };
    this.#threads.add(thread);
    // A job under way keeps the process by its timer; an idle thread does not.
    worker.unref();
    worker.on('message', (message: FromThread) => this.#hear(thread, message));
    worker.on('error', () => undefined);
    worker.on('exit', () => void this.#end(thread, 'died'));
    return thread;
  }

  #hear(thread: Thread, message: FromThread): void {
    if ('ask' in message) return void this.#answer(thread, message);
    const { current } = thread;
    if (!current) return;
    this.#finish(thread);
    if ('result' in message) current.resolve(message.result);
    else current.reject(thread.storageError ?? new Error(message.error));
    thread.timer = setTimeout(() => void this.#end(thread, 'died'), IDLE_MS);
    thread.timer.unref();
    this.#next();
  }

  async #answer(thread: Thread, { ask, method, input }: Extract<FromThread, { ask: number }>): Promise<void> {
    // The thread's storage has the signatures of these methods.
    const read = this.#storage[method] as (input: unknown) => Promise<unknown>;
    try {
      post(thread, { answered: ask, output: await read.call(this.#storage, input) });
    } catch (error) {
      thread.storageError = error;
      post(thread, { answered: ask, failed: true });
    }
  }

  #finish(thread: Thread): void {
    clearTimeout(thread.timer);
    if (thread.current) this.#running.add(thread.current.job.accountId, -1);
    thread.current = null;
  }

  async #end(thread: Thread, why: GivenUp['givenUp']): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    const { current } = thread;
    this.#finish(thread);
    current?.resolve({ givenUp: why });
    this.#next();
    await thread.worker.terminate();
  }
}

const post = ({ worker }: Thread, message: ToThread): void => worker.postMessage(message);
