// The thread of the API, seen from the main thread.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Config } from '../../config/config.ts';
import type { NodeIdentity } from '../../storage/ports/nodes.ts';
import type { Api } from '../open-api.ts';
import type { ServiceStorage } from '../open-storage.ts';
import { within } from '../resources.ts';
import { Link } from './link.ts';
import type { ApiThread, ApiThreadData, MainThread } from './offers.ts';
import { fromPlain } from './plain-error.ts';
import { SharedCounts } from './shared-counts.ts';
import { WaitingMessages, WebSocketPort } from './web-phone-port.ts';

/** Opening waits for a database and a port. */
const OPEN_MS = 30_000;
const CLOSE_MS = 4_000;
/** A sweep of files may take its time. */
const SWEEP_MS = 600_000;

export interface ApiThreadParts {
  readonly config: Config;
  readonly node: NodeIdentity;
  readonly storage: ServiceStorage;
  readonly offered: Omit<MainThread, 'failed'>;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawn(data: ApiThreadData, ports: MessagePort[]): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../../dist/api-thread.js' : './api-thread.js';
  return new Worker(new URL(file, import.meta.url), { workerData: data, transferList: ports });
}

/** Its program is loaded while the main thread opens the database. */
export class ApiThreadHandle {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #port: MessagePort;
  readonly #writers: MessagePort;
  readonly #failed: (error: unknown) => void;
  readonly #webPhones: MessagePort;
  readonly #webPhonesWaiting = new WaitingMessages();
  #link: Link<ApiThread> | null = null;
  #closing: Promise<void> | null = null;
  readonly counts = new SharedCounts();

  /** `failed`: an error that no handler caught, or the end of the thread. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
    const link = new MessageChannel();
    const writers = new MessageChannel();
    const webPhones = new MessageChannel();
    this.#webPhones = webPhones.port1;
    this.#port = link.port1;
    this.#writers = writers.port1;
    const data: ApiThreadData = {
      link: link.port2,
      writers: writers.port2,
      counts: this.counts.memory,
      webPhones: webPhones.port2,
      webPhonesWaiting: this.#webPhonesWaiting.memory,
      sourceMaps: process.sourceMapsEnabled === true,
    };
    this.#worker = spawn(data, [data.link, data.writers, data.webPhones]);
    this.#worker.on('error', (error) => this.#failed(error));
    this.#exited = new Promise((resolve) =>
      this.#worker.once('exit', (code) => {
        resolve();
        // None of them will be answered.
        this.counts.requests = 0;
        this.#link?.close();
        if (!this.#closing) this.#failed(new Error(`The API thread has ended with code ${code}.`));
      }),
    );
  }

  /** Rejects with a StartError when the port or the address cannot be used. */
  async open({ config, node, storage, offered }: ApiThreadParts): Promise<Api> {
    const own: MainThread = { ...offered, failed: (error) => this.#failed(fromPlain(error)) };
    const link = new Link<ApiThread>(this.#port, own, {
      failed: this.#failed,
      unanswered: () => new Error('The API thread does not answer.'),
    });
    this.#link = link;
    const { counts } = this;
    const address = await link.call('open', OPEN_MS, { config, node, storage: storage.share(this.#writers) });
    return {
      address,
      running: {
        get count() {
          return counts.requests;
        },
      },
      run: () => link.tell('run'),
      drain: () => link.tell('drain'),
      heardSignIn: (text) => link.tell('heardSignIn', text),
      sweepRecordings: (nowMs) => link.call('sweepRecordings', SWEEP_MS, nowMs),
      closeServer: () => link.call('closeServer', CLOSE_MS).catch(() => undefined),
    };
  }

  /** The WebSockets of browsers, for telephony. */
  webSockets(): WebSocketPort {
    return new WebSocketPort(this.#webPhones, this.#webPhonesWaiting);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#link) {
      await this.#link.call('close', CLOSE_MS).catch(() => undefined);
      this.#link.close();
      await within(CLOSE_MS, () => this.#exited);
    }
    this.#port.close();
    this.#writers.close();
    this.#webPhones.close();
    await this.#worker.terminate();
  }
}
