// What other nodes changed of the registered phones, read from the database: at once after a notice, and every two seconds, because
// refreshes are stored without one. A row is read again for a few seconds: one with an earlier time may have been committed later.
import type { Clock } from '../kit/clock.ts';
import type { Notices } from '../sharing/ports/notices.ts';
import type { BindingAddress, BindingStorage, ChangedBinding } from '../storage/ports/bindings.ts';

export const POLL_MS = 2_000;
const OVERLAP_MS = 3_000;
const PAGE = 5_000;
const TOPIC = 'phones';

export interface PhoneChangesParts {
  readonly storage: Pick<BindingStorage, 'changedBindings' | 'takeBindings'>;
  readonly clock: Pick<Clock, 'after' | 'epochMs'>;
  readonly node: string;
  readonly notices: Notices;
  readonly failed: (error: unknown) => void;
  /** A newer change of it waits to be written here, or is being written. */
  readonly isWaiting: (binding: BindingAddress) => boolean;
}

export class PhoneChanges {
  readonly #parts: PhoneChangesParts;
  /** By the database's clock: changes before it have been read. */
  #readMs: number | null = null;
  #offsetMs = 0;
  /** When each row that was read in the last seconds had changed. */
  #seen = new Map<string, number>();
  /** By name: written here since the present read was asked for, which may have found an older row. */
  readonly #written = new Set<string>();
  #changed: (bindings: readonly ChangedBinding[]) => void = () => undefined;
  #polling: Promise<void> | null = null;
  #isAskedAgain = false;
  #unsubscribe: () => void = () => undefined;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: PhoneChangesParts) {
    this.#parts = parts;
  }

  /** Before all rows are read for the first time: what changes from then on is read later. */
  async begin(): Promise<void> {
    const { nowMs } = await this.#parts.storage.changedBindings({
      sinceMs: Number.MAX_SAFE_INTEGER,
      limit: 1,
    });
    this.#readMs = nowMs;
    this.#offsetMs = nowMs - this.#parts.clock.epochMs();
  }

  /** The database's clock minus this node's: expiries are stored by the database's. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  follow(changed: (bindings: readonly ChangedBinding[]) => void): void {
    this.#changed = changed;
    const { notices, node } = this.#parts;
    this.#unsubscribe = notices.subscribe(
      TOPIC,
      (text) => {
        if (text !== node) void this.poll();
      },
      () => void this.poll(),
    );
    this.#pollLater();
  }

  /** To the other nodes: something is to be read. A notice that is lost costs two seconds. */
  publish(): void {
    const { notices, node } = this.#parts;
    void Promise.resolve(notices.publish(TOPIC, node)).catch(() => undefined);
  }

  /** Changes of this node were written. */
  wrote(bindings: Iterable<BindingAddress>): void {
    if (!this.#polling) return;
    for (const binding of bindings) this.#written.add(nameOf(binding));
  }

  async takeOver(from: string): Promise<void> {
    const { taken } = await this.#parts.storage.takeBindings({ from, node: this.#parts.node });
    if (taken === 0) return;
    this.publish();
    await this.poll();
  }

  poll(): Promise<void> {
    if (this.#polling) {
      // What is being read may be older than what is asked for.
      this.#isAskedAgain = true;
      return this.#polling;
    }
    this.#polling = this.#read()
      .catch(this.#parts.failed)
      .finally(() => {
        this.#polling = null;
        const isAskedAgain = this.#isAskedAgain;
        this.#isAskedAgain = false;
        if (isAskedAgain && !this.#isClosed) void this.poll();
      });
    return this.#polling;
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancel();
  }

  #pollLater(): void {
    this.#cancel = this.#parts.clock.after(POLL_MS, () => {
      void this.poll();
      this.#pollLater();
    });
  }

  async #read(): Promise<void> {
    if (this.#readMs === null) await this.begin();
    let sinceMs = (this.#readMs ?? 0) - OVERLAP_MS;
    for (;;) {
      this.#written.clear();
      const { changes, nowMs } = await this.#parts.storage.changedBindings({ sinceMs, limit: PAGE });
      if (this.#isClosed) return;
      const isWhole = changes.length < PAGE;
      const news = changes.filter(({ changedAtMs, binding }) => this.#isNew(binding, changedAtMs));
      if (news.length > 0) this.#changed(news.map(({ binding }) => binding));
      sinceMs = isWhole ? nowMs : Math.max(changes.at(-1)?.changedAtMs ?? 0, sinceMs + 1);
      if (!isWhole) continue;
      this.#readMs = nowMs;
      this.#offsetMs = nowMs - this.#parts.clock.epochMs();
      for (const [name, atMs] of this.#seen) if (atMs < nowMs - OVERLAP_MS) this.#seen.delete(name);
      return;
    }
  }

  #isNew(binding: ChangedBinding, changedAtMs: number): boolean {
    const name = nameOf(binding);
    if (this.#written.has(name) || this.#parts.isWaiting(binding)) return false;
    if (this.#seen.get(name) === changedAtMs) return false;
    this.#seen.set(name, changedAtMs);
    return true;
  }
}

export const nameOf = ({ accountId, agent, key }: BindingAddress): string =>
  JSON.stringify([accountId, agent, key]);
