// A client that follows live calls (server-sent events) at one node.
import { type Json, TOKEN } from '../../support/service.ts';
import { sleep } from './report.ts';

export interface LiveEvent {
  /** As a client sends it back in Last-Event-ID. */
  readonly id?: string;
  readonly event: string;
  readonly data: Json;
}

export class Follower {
  readonly events: LiveEvent[] = [];
  readonly #stop = new AbortController();
  isOver = false;

  static async open(url: string, lastEventId: string | null = null, token = TOKEN): Promise<Follower> {
    const follower = new Follower();
    const headers = {
      authorization: `Bearer ${token}`,
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    };
    const reply = await fetch(`${url}/v1/live_calls/events`, { headers, signal: follower.#stop.signal });
    if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
    void follower.#read(reply).catch(() => undefined);
    return follower;
  }

  /** The first event that fits, also one that came before. */
  async event(fits: (event: LiveEvent) => boolean, withinMs = 30_000): Promise<LiveEvent> {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      const found = this.events.find(fits);
      if (found) return found;
      if (performance.now() > untilMs)
        throw new Error(`within ${withinMs} ms only: ${this.events.map(({ event }) => event).join(', ')}`);
      await sleep(10);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async #read({ body }: Response): Promise<void> {
    let text = '';
    try {
      for await (const bytes of body ?? []) {
        text += Buffer.from(bytes).toString();
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) this.#take(part);
      }
    } finally {
      this.isOver = true;
    }
  }

  #take(part: string): void {
    const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
    if (fields.data) this.events.push({ ...fields, data: JSON.parse(fields.data) } as LiveEvent);
  }
}
