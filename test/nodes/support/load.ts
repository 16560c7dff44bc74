// API requests and calls at a steady pace, in turn at the nodes that are in service, as a balancer and an edge send them.
import { randomUUID } from 'node:crypto';
import { menu } from '../../support/payload.ts';
import { call } from '../../support/service.ts';
import type { Cluster, ClusterNode } from './cluster.ts';

export interface LoadOptions {
  readonly requestEveryMs?: number;
  readonly callEveryMs?: number;
  /** The number to call and the tone to hear there. */
  readonly number: string;
  readonly hz: number;
}

export class Load {
  /** Nodes that get new requests and calls. Those that are taken out finish what they have. */
  readonly inService: ClusterNode[] = [];
  readonly failed: string[] = [];
  readonly created: string[] = [];
  requests = 0;
  /** Sent again to another node after 503 or a closed connection. */
  repeated = 0;
  calls = 0;
  readonly setUpMs: number[] = [];
  readonly #cluster: Cluster;
  readonly #options: LoadOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #startedMs = performance.now();

  constructor(cluster: Cluster, options: LoadOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#timers = [
      setInterval(() => this.#run('request', () => this.#request()), options.requestEveryMs ?? 25),
      setInterval(() => this.#run('call', () => this.#call()), options.callEveryMs ?? 100),
    ];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
  }

  #run(what: string, work: () => Promise<void>): void {
    if (this.inService.length === 0) return;
    const running = work()
      .catch((error: Error) => void this.failed.push(`${what}: ${error.message}`))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #request(): Promise<void> {
    const number = this.requests++;
    const isWrite = number % 2 === 0;
    const name = `load ${number}`;
    const options = isWrite ? { body: menu({ name }), headers: { 'idempotency-key': randomUUID() } } : {};
    const nodes = [...this.inService];
    let last = '';
    for (let attempt = 0; attempt < nodes.length; attempt++) {
      const node = nodes[(number + attempt) % nodes.length];
      if (!node) break;
      const reply = await call(
        node.url,
        isWrite ? 'POST' : 'GET',
        isWrite ? '/v1/ivr' : '/v1/agents',
        options,
      ).catch((error: Error) => ({ status: 0, text: `${error.message} ${String(error.cause)}` }));
      if (reply.status === 201) this.created.push(name);
      if (reply.status === 200 || reply.status === 201) return;
      last = `${node.id}: ${reply.status} ${reply.text}`;
      if (reply.status !== 503 && reply.status !== 0) break;
      this.repeated += 1;
    }
    throw new Error(last);
  }

  async #call(): Promise<void> {
    const node = this.inService[this.calls % this.inService.length];
    if (!node) return;
    this.calls += 1;
    const phone = await this.#cluster.phone(node);
    const startedMs = performance.now();
    const talk = await (await phone.call(this.#options.number)).answered().catch((error: Error) => {
      throw new Error(`${node.id}, ${Math.round(startedMs - this.#startedMs)} ms: ${error.message}`);
    });
    this.setUpMs.push(performance.now() - startedMs);
    await talk.hears(this.#options.hz, { forMs: 60 });
    await talk.hangUp();
  }
}
