// A worker thread of the database as a function: orders in, outcomes out. When the thread ends, pending orders fail as unavailable, never
// succeed; a new port comes when it runs again.
import type { MessagePort } from 'node:worker_threads';
import type { Outcome } from '../group.ts';
import { StorageError } from '../storage.ts';
import { toError, type WorkerFault } from './fault.ts';
import type { Answer, Order, Orders } from './worker.ts';

export class ThreadClient {
  readonly #file: string;
  #port: MessagePort | undefined;
  #pending = new Map<number, (outcomes: Outcome<unknown>[]) => void>();
  #nextId = 0;

  constructor(file: string) {
    this.#file = file;
  }

  use(port: MessagePort): void {
    this.#drop(this.#port);
    const pending = this.#pending;
    this.#port = port;
    port.on('message', ({ id, outcomes }: Answer) => {
      pending.get(id)?.(outcomes);
      pending.delete(id);
    });
    port.on('close', () => this.#drop(port));
  }

  readonly send = async (orders: Order[]): Promise<Outcome<unknown>[]> => {
    const port = this.#port;
    if (!port) throw new StorageError('unavailable', 'The database is being opened again.');
    const id = this.#nextId++;
    const outcomes = await new Promise<Outcome<unknown>[]>((resolve) => {
      this.#pending.set(id, resolve);
      port.postMessage({ id, orders } satisfies Orders);
    });
    return orders.map((_, index) => {
      const outcome = outcomes[index] ??
        outcomes[0] ?? { error: new StorageError('unavailable', 'No outcome.') };
      if (!('error' in outcome) || outcome.error instanceof StorageError) return outcome;
      return { error: toError(outcome.error as WorkerFault, this.#file) };
    });
  };

  close(): void {
    this.#port?.close();
    this.#drop(this.#port);
  }

  #drop(port: MessagePort | undefined): void {
    if (!port || port !== this.#port) return;
    const pending = this.#pending;
    this.#port = undefined;
    this.#pending = new Map();
    const error = new StorageError('unavailable', 'The database thread has ended.');
    for (const settle of pending.values()) settle([{ error }]);
  }
}
