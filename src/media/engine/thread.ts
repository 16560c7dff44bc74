// One media worker as the main thread holds it: the ports that it has ready, the orders on their way, and its successor when it dies.
import { Worker } from 'node:worker_threads';
import type { MediaConfig } from '../media.ts';
import { ring } from '../orders/doorbell.ts';
import { OrderRing, type Posted } from '../orders/order-ring.ts';
import {
  HEARD_TAKEN,
  type Order,
  POSTED,
  SHARED_WORDS,
  type WorkerEvent,
  type WorkerOptions,
} from '../orders/orders.ts';

const RESTART_MS = 250;
const END_MS = 2_000;

export interface ThreadOptions {
  readonly config: MediaConfig;
  readonly ports: { readonly from: number; readonly to: number };
  told(event: WorkerEvent): void;
  started(adapter: string, fallback: string | null, thread: Thread): void;
  died(reason: string): void;
}

/** A pair of sockets that the worker has ready, and its RTP port. */
export interface Place {
  readonly pair: number;
  readonly port: number;
}

export async function startThread(options: ThreadOptions): Promise<Thread> {
  const thread = new Thread(options);
  await thread.start();
  return thread;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawn(options: WorkerOptions): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../../dist/media-worker.js' : './media-worker.js';
  return new Worker(new URL(file, import.meta.url), { workerData: options });
}

export class Thread {
  openStreams = 0;
  readonly #options: ThreadOptions;
  readonly #words: Int32Array;
  #worker: Worker | undefined;
  #ready: Place[] = [];
  readonly #ringMemory = OrderRing.allocate();
  readonly #ring = new OrderRing(this.#ringMemory);
  /** The loop over system calls takes orders from the ring; dgram lives on its event loop, which only a message wakes. */
  #takesRing = false;
  /** What goes by message, at the end of this turn. */
  #posting: Order[] = [];
  #flushing = false;
  #closing = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { from, to } = options.ports;
    const descriptors = to - from + 1 + 8;
    this.#words = new Int32Array(new SharedArrayBuffer((SHARED_WORDS + descriptors) * 4));
  }

  get readyPorts(): number {
    return this.#ready.length;
  }

  /** In the order in which they came free, so that a port rests as long as it can. */
  takePort(): Place | undefined {
    const place = this.#ready.shift();
    if (place) this.openStreams++;
    return place;
  }

  /** One that was taken and never used: no packet can have come for it. */
  returnPort(place: Place): void {
    this.openStreams--;
    this.#ready.push(place);
  }

  order(order: Order): void {
    // After one that goes by message the others follow it there, so that they stay in turn.
    if (this.#takesRing && this.#posting.length === 0 && this.#ring.write(order)) {
      // A stream that is only open knows no peer: it can wait for what follows.
      if (order[0] !== 'open') ring(this.#words);
      return;
    }
    this.#posting.push(order);
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  heardTaken(): void {
    Atomics.add(this.#words, HEARD_TAKEN, 1);
  }

  async start(): Promise<void> {
    const { config, ports } = this.#options;
    const { host, adapter, rtpTimeoutMs, realTime = false } = config;
    const shared = this.#words.buffer as SharedArrayBuffer;
    this.#ring.clear();
    Atomics.store(this.#words, POSTED, 0);
    const worker = spawn({ host, ports, adapter, rtpTimeoutMs, realTime, shared, ring: this.#ringMemory });
    this.#worker = worker;
    let reason = 'it ended by itself';
    await new Promise<void>((resolve, reject) => {
      let isStarted = false;
      worker.on('message', (told: WorkerEvent[]) => {
        for (const event of told) {
          if (event[0] === 'started') {
            isStarted = true;
            this.#takesRing = event[1] === 'syscalls';
            this.#options.started(event[1], event[2], this);
            resolve();
          } else this.#take(event);
        }
      });
      worker.on('error', (error) => {
        reason = error.message;
      });
      worker.on('exit', () => {
        if (this.#worker === worker) this.#worker = undefined;
        reject(new Error(`The media worker could not start: ${reason}`));
        if (isStarted && !this.#closing) this.#lose(reason);
      });
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    const worker = this.#worker;
    if (!worker) return;
    this.order(['end']);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => void worker.terminate(), END_MS);
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #flush(): void {
    this.#flushing = false;
    const orders = this.#posting;
    this.#posting = [];
    if (!this.#worker) return;
    this.#worker.postMessage({ after: this.#ring.written, orders } satisfies Posted);
    Atomics.add(this.#words, POSTED, 1);
    ring(this.#words);
  }

  #take(event: WorkerEvent): void {
    if (event[0] === 'ready') {
      this.#ready.push({ pair: event[1], port: event[2] });
      return;
    }
    if (event[0] === 'closed') this.openStreams--;
    this.#options.told(event);
  }

  #lose(reason: string): void {
    this.#ready = [];
    this.#posting = [];
    this.#takesRing = false;
    this.openStreams = 0;
    this.#options.died(reason);
    this.#restartLater();
  }

  #restartLater(): void {
    setTimeout(() => {
      if (this.#closing) return;
      this.start().catch(() => this.#restartLater());
    }, RESTART_MS).unref();
  }
}
