// One media worker as the main thread holds it: the socket pairs that it has ready, commands on their way, and its restart when it dies.
import { Worker } from 'node:worker_threads';
import { CommandRing, type Posted } from '../commands/command-ring.ts';
import {
  AUDIO_TAKEN,
  type Command,
  POSTED,
  SHARED_WORDS,
  type WorkerEvent,
  type WorkerOptions,
} from '../commands/commands.ts';
import { ring } from '../commands/wake.ts';
import type { MediaConfig } from '../media.ts';

const RESTART_MS = 250;
const END_MS = 2_000;

export interface ThreadOptions {
  readonly config: MediaConfig;
  readonly ports: { readonly from: number; readonly to: number };
  received(event: WorkerEvent): void;
  started(adapter: string, fallback: string | null, thread: Thread): void;
  /** A pair of ports is ready, for the first time or again. */
  bound(port: number): void;
  died(reason: string): void;
  /** A listener of an event threw; the other events of its batch are still delivered. */
  failed(error: unknown): void;
}

/** A pair of sockets that the worker has ready: its number there, and its RTP port. */
export interface ReadyPair {
  readonly index: number;
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
  readonly #shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  #worker: Worker | undefined;
  #ready: ReadyPair[] = [];
  readonly #ringMemory = CommandRing.allocate();
  readonly #ring = new CommandRing(this.#ringMemory);
  /** The syscalls adapter polls the ring; dgram runs in its event loop, which only a message wakes. */
  #takesRing = false;
  /** Sent as one message at the end of this turn of the event loop. */
  #posting: Command[] = [];
  #flushing = false;
  #closing = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { from, to } = options.ports;
    const descriptors = to - from + 1 + 8;
    this.#shared = new SharedArrayBuffer((SHARED_WORDS + descriptors) * 4);
    this.#words = new Int32Array(this.#shared);
  }

  get readyPairs(): number {
    return this.#ready.length;
  }

  /** First in, first out, so that a port is reused as late as possible. */
  takePair(): ReadyPair | undefined {
    const pair = this.#ready.shift();
    if (pair) this.openStreams++;
    return pair;
  }

  /** One that was never opened: no packet can have arrived for a call on it. */
  returnPair(pair: ReadyPair): void {
    this.openStreams--;
    this.#ready.push(pair);
  }

  command(command: Command): void {
    // After a command that goes by message the others follow it there, so that their order is kept.
    if (this.#takesRing && this.#posting.length === 0 && this.#ring.write(command)) {
      // An open stream without a peer has nothing to do: no wake-up before the next command.
      if (command[0] !== 'open') ring(this.#words);
      return;
    }
    this.#posting.push(command);
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  audioTaken(): void {
    Atomics.add(this.#words, AUDIO_TAKEN, 1);
  }

  async start(): Promise<void> {
    const { config, ports } = this.#options;
    const { host, adapter, rtpTimeoutMs, realTime = false } = config;
    this.#ring.clear();
    Atomics.store(this.#words, POSTED, 0);
    const worker = spawn({
      host,
      ports,
      adapter,
      rtpTimeoutMs,
      realTime,
      shared: this.#shared,
      ring: this.#ringMemory,
    });
    this.#worker = worker;
    let reason = 'it exited without an error';
    await new Promise<void>((resolve, reject) => {
      let isStarted = false;
      worker.on('message', (events: WorkerEvent[]) => {
        for (const event of events) {
          if (event[0] === 'started') {
            isStarted = true;
            this.#takesRing = event[1] === 'syscalls';
            this.#options.started(event[1], event[2], this);
            resolve();
          } else
            try {
              this.#take(event);
            } catch (error) {
              this.#options.failed(error);
            }
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
    this.command(['end']);
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
    const commands = this.#posting;
    this.#posting = [];
    if (!this.#worker) return;
    this.#worker.postMessage({ after: this.#ring.written, commands } satisfies Posted);
    Atomics.add(this.#words, POSTED, 1);
    ring(this.#words);
  }

  #take(event: WorkerEvent): void {
    if (event[0] === 'ready') {
      this.#ready.push({ index: event[1], port: event[2] });
      this.#options.bound(event[2]);
      return;
    }
    if (event[0] === 'closed') this.openStreams--;
    this.#options.received(event);
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
