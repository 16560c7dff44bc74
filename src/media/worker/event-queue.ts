// Events on their way from a worker to the main thread, many in one message.
import type { MessagePort } from 'node:worker_threads';
import { AUDIO_TAKEN, type WorkerEvent } from '../commands/commands.ts';
import { ENOUGH_READY, EVENT_DELAY_MS } from '../sockets/port-pool.ts';

/** Audio frames that the main thread has not taken yet; if it is stuck, further ones are dropped. */
const MAX_AUDIO_WAITING = 2_000;

export class EventQueue {
  readonly #port: MessagePort;
  readonly #words: Int32Array;
  #events: WorkerEvent[] = [];
  #audioSent = 0;
  /** Since when only events are queued that can wait. */
  #waitingSinceMs: number | null = null;
  #isFlushScheduled = false;
  /** With dgram no turn of the loop follows an event: it is sent at the end of the task. */
  flushesItself = false;

  constructor(port: MessagePort, words: Int32Array) {
    this.#port = port;
    this.#words = words;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  push(event: WorkerEvent): void {
    if (event[0] === 'heard' || event[0] === 'recorded') {
      const waiting = (this.#audioSent - Atomics.load(this.#words, AUDIO_TAKEN)) | 0;
      if (waiting > MAX_AUDIO_WAITING) return;
      this.#audioSent = (this.#audioSent + 1) | 0;
    }
    this.#events.push(event);
    if (!this.flushesItself || this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    queueMicrotask(() => {
      this.#isFlushScheduled = false;
      this.flush();
    });
  }

  /** Sends what is queued, if something in it is urgent: statistics are not, nor are ports while enough others are ready. */
  flushIfUrgent(nowMs: number, readyPorts: number): void {
    if (this.#events.length === 0) return;
    const canWait = this.#events.every(([kind]) => kind === 'ready' || kind === 'closed');
    if (canWait && readyPorts - this.#events.length >= ENOUGH_READY) {
      this.#waitingSinceMs ??= nowMs;
      if (nowMs - this.#waitingSinceMs < EVENT_DELAY_MS) return;
    }
    this.flush();
  }

  flush(): void {
    this.#waitingSinceMs = null;
    if (this.#events.length === 0) return;
    this.#port.postMessage(this.#events);
    this.#events = [];
  }
}
