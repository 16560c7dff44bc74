// Which node counts the time of agents that no call holds: one of them, by a lease. It knows which agents the calls of others hold.
import type { Clock } from '../../kit/clock.ts';
import type { Agents } from '../../sharing/ports/queues.ts';
import type { LeaseStorage } from '../../storage/ports/leases.ts';

const EVERY_MS = 5_000;
const LEASE = { name: 'agent-times', seconds: 15 };

export interface CountingNodeParts {
  readonly storage: Pick<LeaseStorage, 'takeLease'>;
  readonly agents: Pick<Agents, 'busyElsewhere'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Null if this is the only one. */
  readonly node: string | null;
  readonly failed: (error: unknown) => void;
}

export class CountingNode {
  readonly #parts: CountingNodeParts;
  #isCounting: boolean;
  #busy: ReadonlySet<string> = new Set();
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: CountingNodeParts) {
    this.#parts = parts;
    this.#isCounting = parts.node === null;
  }

  /** The first answer is there when it resolves. */
  async open(): Promise<void> {
    if (this.#parts.node !== null) await this.#ask();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  readonly isCounting = (): boolean => this.#isCounting;

  readonly isBusyElsewhere = (agent: string): boolean => this.#busy.has(agent);

  async #ask(): Promise<void> {
    const { storage, agents, clock, node, failed } = this.#parts;
    try {
      const { taken } = await storage.takeLease({ ...LEASE, node: node ?? '' });
      if (taken) this.#busy = await agents.busyElsewhere();
      this.#isCounting = taken;
    } catch (error) {
      // Another node may count them from now on.
      this.#isCounting = false;
      failed(error);
    }
    if (!this.#isClosed) this.#cancel = clock.after(EVERY_MS, () => void this.#ask());
  }
}
