// A worker thread as a function: orders in, outcomes out. After an I/O error or a corrupt page the thread is terminated and
// restarted, which opens the file again; pending orders fail as unavailable, never succeed.
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../group.ts';
import { StorageError } from '../storage.ts';
import { type FileIdentity, lostError } from './database-file.ts';
import type { Order, WorkerFault, WorkerOptions, WorkerReply } from './worker.ts';

const FULL = 13;
const IO_ERROR = 10;
const CORRUPT = 11;
const RESTART_MS = 250;

export interface Thread {
  readonly identity: FileIdentity;
  send(orders: Order[]): Promise<Outcome<unknown>[]>;
  close(): Promise<void>;
}

interface Running {
  readonly worker: Worker;
  readonly identity: FileIdentity;
  readonly pending: Map<number, (outcomes: Outcome<unknown>[]) => void>;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawn(options: WorkerOptions): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../../dist/sqlite-worker.js' : './sqlite-worker.js';
  return new Worker(new URL(file, import.meta.url), { workerData: options });
}

function toError({ code, message, lost }: WorkerFault, file: string): StorageError {
  if (lost !== undefined) return lostError(file, lost);
  if ((code & 0xff) === FULL)
    return new StorageError('full', 'The disk of the database is full: no space left on device.');
  return new StorageError('unavailable', `${file}: ${message}`);
}

const needsRestart = (code: number): boolean => (code & 0xff) === IO_ERROR || (code & 0xff) === CORRUPT;

export async function startThread(options: WorkerOptions): Promise<Thread> {
  let nextId = 0;
  let closing = false;
  let running: Running | undefined;
  let { identity } = options;

  function start(): Promise<Running> {
    return new Promise((resolve, reject) => {
      const worker = spawn(identity ? { ...options, identity } : options);
      const pending: Running['pending'] = new Map();
      const fail = (error: StorageError): void => {
        reject(error);
        for (const settle of pending.values()) settle([{ error }]);
        pending.clear();
      };
      worker.on('message', (reply: WorkerReply) => {
        if ('ready' in reply) resolve({ worker, pending, identity: reply.ready });
        else if ('failed' in reply) {
          fail(toError(reply.failed, options.file));
          void worker.terminate();
        } else {
          pending.get(reply.id)?.(reply.outcomes);
          pending.delete(reply.id);
        }
      });
      worker.on('error', (error) => fail(toError({ code: -1, message: error.message }, options.file)));
      worker.on('exit', () => {
        fail(new StorageError('unavailable', 'The database thread has ended.'));
        if (running?.worker !== worker) return;
        running = undefined;
        if (!closing) restartLater();
      });
    });
  }

  function restartLater(): void {
    setTimeout(() => {
      if (closing) return;
      start().then(
        (started) => {
          running = started;
        },
        () => restartLater(),
      );
    }, RESTART_MS).unref();
  }

  running = await start();
  identity ??= running.identity;
  return {
    identity,
    send: async (orders) => {
      const { worker, pending } = running ?? {};
      if (!worker || !pending) throw new StorageError('unavailable', 'The database is being opened again.');
      const id = nextId++;
      const outcomes = await new Promise<Outcome<unknown>[]>((resolve) => {
        pending.set(id, resolve);
        worker.postMessage({ id, orders });
      });
      return orders.map((_, index) => {
        const outcome = outcomes[index] ??
          outcomes[0] ?? { error: new StorageError('unavailable', 'No outcome.') };
        if (!('error' in outcome) || outcome.error instanceof StorageError) return outcome;
        const fault = outcome.error as WorkerFault;
        if (needsRestart(fault.code)) void worker.terminate();
        return { error: toError(fault, options.file) };
      });
    },
    close: async () => {
      closing = true;
      const worker = running?.worker;
      if (!worker) return;
      await new Promise<void>((resolve) => {
        worker.once('exit', () => resolve());
        worker.postMessage('close');
      });
    },
  };
}
