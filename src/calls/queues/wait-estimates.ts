// How long a caller of a department waits, by the waits of the last callers. A wait divided by the position at its start is the time of
// one place. Positions are those of all nodes, so a node needs no more than the waits of its own callers. Callers who were served at
// once say nothing of the wait of others, and neither do call-backs.

import { globalId } from '../../domain/global-id.ts';
import type { Ref } from '../../flow/node.ts';
import type { Clock } from '../../kit/clock.ts';
import type { QueuedCall, QueuedCaller, QueueEntry, QueueOrder, Queues } from '../../sharing/ports/queues.ts';

const MOST = 10;
/** With fewer no wait is estimated. */
export const NEEDED = 5;
const FRESH_MS = 3_600_000;
const MAX_DEPARTMENTS = 10_000;

interface Sample {
  readonly atMs: number;
  readonly placeMs: number;
}

/** The times per place of departments, on the monotonic clock. */
export class WaitEstimates {
  readonly #clock: Pick<Clock, 'nowMs'>;
  /** The department with the latest wait last. */
  readonly #samples = new Map<string, readonly Sample[]>();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  served(department: string, position: number, waitedMs: number): void {
    const sample = { atMs: this.#clock.nowMs(), placeMs: waitedMs / position };
    const samples = [...this.#fresh(department), sample].slice(-MOST);
    this.#samples.delete(department);
    this.#samples.set(department, samples);
    const [oldest] = this.#samples.keys();
    if (this.#samples.size > MAX_DEPARTMENTS && oldest !== undefined) this.#samples.delete(oldest);
  }

  /** Null if not known. */
  placeMs(department: string): number | null {
    const samples = this.#fresh(department);
    if (samples.length < NEEDED) return null;
    return samples.reduce((sum, { placeMs }) => sum + placeMs, 0) / samples.length;
  }

  #fresh(department: string): readonly Sample[] {
    const sinceMs = this.#clock.nowMs() - FRESH_MS;
    return (this.#samples.get(department) ?? []).filter(({ atMs }) => atMs >= sinceMs);
  }
}

/** The queues, with the estimated wait in each position that is reported. */
export class EstimatedQueues implements Queues {
  readonly #queues: Queues;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #estimates: WaitEstimates;
  readonly #measured = new WeakMap<QueueEntry, MeasuredCall>();

  constructor(queues: Queues, clock: Pick<Clock, 'nowMs'>) {
    this.#queues = queues;
    this.#clock = clock;
    this.#estimates = new WaitEstimates(clock);
  }

  join(order: QueueOrder, who: QueuedCaller, call: QueuedCall): QueueEntry | null {
    const department = globalId(who.accountId, order.node);
    const measured = new MeasuredCall(call, this.#clock, () => this.#estimates.placeMs(department));
    const entry = this.#queues.join(order, who, measured);
    if (entry && who.place === undefined) this.#measured.set(entry, measured);
    return entry;
  }

  leave(entry: QueueEntry, servedBy: Ref | null): void {
    const first = this.#measured.get(entry)?.first;
    this.#measured.delete(entry);
    if (first && servedBy !== null) {
      const department = globalId(entry.accountId, entry.order.node);
      this.#estimates.served(department, first.position, this.#clock.nowMs() - first.atMs);
    }
    this.#queues.leave(entry, servedBy);
  }

  /** The wait per place; null: not known. */
  placeMs(department: string): number | null {
    return this.#estimates.placeMs(department);
  }

  endRest(agent: string): void | Promise<void> {
    return this.#queues.endRest(agent);
  }

  resume(entry: QueueEntry): void {
    this.#queues.resume(entry);
  }

  reportPosition(entry: QueueEntry): void {
    this.#queues.reportPosition(entry);
  }

  callbackPlace(entry: QueueEntry): number {
    return this.#queues.callbackPlace(entry);
  }

  forget(entry: QueueEntry): void {
    this.#queues.forget(entry);
  }

  get waiting(): number {
    return this.#queues.waiting;
  }

  get longestWaitMs(): number {
    return this.#queues.longestWaitMs;
  }

  readonly look: Queues['look'] = (...asked) => this.#queues.look(...asked);
}

class MeasuredCall implements QueuedCall {
  readonly #call: QueuedCall;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #placeMs: () => number | null;
  /** Null if it has not waited. */
  first: { readonly atMs: number; readonly position: number } | null = null;

  constructor(call: QueuedCall, clock: Pick<Clock, 'nowMs'>, placeMs: () => number | null) {
    this.#call = call;
    this.#clock = clock;
    this.#placeMs = placeMs;
  }

  report(event: Parameters<QueuedCall['report']>[0]): void {
    if (event.type !== 'queue-position') {
      this.#call.report(event);
      return;
    }
    const { position } = event;
    this.first ??= { atMs: this.#clock.nowMs(), position };
    const placeMs = this.#placeMs();
    this.#call.report(placeMs === null ? event : { ...event, estimateMs: Math.round(position * placeMs) });
  }

  sharingLost(): void {
    this.#call.sharingLost();
  }
}
