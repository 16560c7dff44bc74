// The owner's side of a worker thread with a connection to the SQLite file. Clients, of any thread, send it orders by ports of their own
// (client.ts). After an I/O error or a corrupt page the thread ends and is started anew, which opens the file again and gives
// every client a new port.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { StorageError } from '../storage.ts';
import type { FileIdentity } from './database-file.ts';
import { toError } from './fault.ts';
import type { ToOwner, ToWorker, WorkerOptions } from './worker.ts';

const RESTART_MS = 250;

export interface Thread {
  readonly identity: FileIdentity;
  /** Gives a client its port: now, and another one after each restart. */
  connect(deliver: (port: MessagePort) => void): void;
  close(): Promise<void>;
}

interface Started {
  readonly worker: Worker;
  readonly identity: FileIdentity;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawn(options: WorkerOptions): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../../dist/sqlite-worker.js' : './sqlite-worker.js';
  return new Worker(new URL(file, import.meta.url), { workerData: options });
}

export async function startThread(options: WorkerOptions): Promise<Thread> {
  let closing = false;
  let running: Worker | undefined;
  let { identity } = options;
  const clients: ((port: MessagePort) => void)[] = [];

  const start = (): Promise<Started> =>
    new Promise((resolve, reject) => {
      const worker = spawn(identity ? { ...options, identity } : options);
      worker.on('message', (message: ToOwner) => {
        if ('ready' in message) return resolve({ worker, identity: message.ready });
        reject(toError(message.failed, options.file));
        return void worker.terminate();
      });
      worker.on('error', (error) => reject(toError({ code: -1, message: error.message }, options.file)));
      worker.on('exit', () => {
        reject(new StorageError('unavailable', 'The database thread has ended.'));
        if (running !== worker) return;
        running = undefined;
        if (!closing) restartLater();
      });
    });

  const connect = (worker: Worker, deliver: (port: MessagePort) => void): void => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ client: port1 } satisfies ToWorker, [port1]);
    deliver(port2);
  };

  function restartLater(): void {
    setTimeout(() => {
      if (closing) return;
      start().then(
        ({ worker }) => {
          running = worker;
          for (const deliver of clients) connect(worker, deliver);
        },
        () => restartLater(),
      );
    }, RESTART_MS).unref();
  }

  const started = await start();
  running = started.worker;
  identity ??= started.identity;
  return {
    identity,
    connect: (deliver) => {
      clients.push(deliver);
      if (running) connect(running, deliver);
    },
    close: async () => {
      closing = true;
      const worker = running;
      if (!worker) return;
      await new Promise<void>((resolve) => {
        worker.once('exit', () => resolve());
        worker.postMessage('close' satisfies ToWorker);
      });
    },
  };
}
