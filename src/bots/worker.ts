// The thread that owns the WebSockets of all voice bots. It looks at the rings every few milliseconds while there is one.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { makeSafeFetch } from '../safe-fetch/safe-fetch.ts';
import { BotConnection, type BotConnectionHost } from './bot-connection.ts';
import type { BotOrder, BotReport, BotThreadOptions } from './thread-messages.ts';

/** What it adds to the delay of the caller's audio at most. */
const POLL_MS = 5;

class BotWorker {
  readonly #port: MessagePort;
  readonly #connections = new Map<number, BotConnection>();
  readonly #host: BotConnectionHost;
  #polling: NodeJS.Timeout | null = null;

  constructor(port: MessagePort, { allow, limits }: BotThreadOptions) {
    this.#port = port;
    this.#host = {
      safeFetch: makeSafeFetch({ allow }),
      limits,
      report: (report) => this.#port.postMessage(report satisfies BotReport),
      forget: (id) => this.#forget(id),
    };
    port.on('message', (order: BotOrder) => this.#execute(order));
    port.postMessage({ type: 'started' } satisfies BotReport);
  }

  #execute(order: BotOrder): void {
    switch (order.do) {
      case 'open': {
        const connection = new BotConnection(order, this.#host, performance.now());
        this.#connections.set(order.id, connection);
        this.#polling ??= setInterval(() => this.#poll(), POLL_MS);
        void connection.connect();
        return;
      }
      case 'key':
        this.#connections.get(order.id)?.sendKey(order.key);
        return;
      case 'close':
        this.#connections.get(order.id)?.close();
        return;
      case 'end':
        for (const connection of [...this.#connections.values()]) connection.close();
        this.#port.close();
        return;
      default:
        order satisfies never;
    }
  }

  #poll(): void {
    const nowMs = performance.now();
    for (const connection of this.#connections.values()) connection.poll(nowMs);
  }

  #forget(id: number): void {
    this.#connections.delete(id);
    if (this.#connections.size > 0 || !this.#polling) return;
    clearInterval(this.#polling);
    this.#polling = null;
  }
}

if (parentPort) new BotWorker(parentPort, workerData as BotThreadOptions);
