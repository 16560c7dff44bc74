// What must leave the service: one runner for each lane that has a handler.

import { newId } from '../domain/id.ts';
import type { JobResult, Lane } from '../domain/outbox-job.ts';
import type { Clock } from '../kit/clock.ts';
import type { OutboxStorage } from '../storage/ports/outbox.ts';
import { type JobHandler, LANE_OPTIONS, type LaneOptions, LaneRunner } from './lane-runner.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long finished jobs can be looked at and sent again. */
export const KEEP_DONE_MS = 3 * DAY_MS;
export const KEEP_DEAD_MS = 30 * DAY_MS;

export interface OutboxParts {
  readonly storage: Pick<OutboxStorage, 'claimJobs' | 'settleJobs'>;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
  readonly settled: (lane: Lane, outcome: JobResult['outcome'], error: string | undefined) => void;
}

export class Outbox {
  readonly #parts: OutboxParts;
  readonly #lanes = new Map<Lane, LaneRunner>();
  readonly #worker: string;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#worker = newId(parts.clock.epochMs());
  }

  /** Jobs of a lane without a handler wait. */
  serve(lane: Lane, handler: JobHandler, options: Partial<LaneOptions> = {}): void {
    const { storage, clock, failed, settled } = this.#parts;
    const runner = new LaneRunner({
      lane,
      worker: this.#worker,
      storage,
      clock,
      handler,
      options: { ...LANE_OPTIONS, ...options },
      failed,
      settled,
    });
    this.#lanes.set(lane, runner);
  }

  start(): void {
    for (const runner of this.#lanes.values()) runner.start();
  }

  wake(lane: Lane): void {
    this.#lanes.get(lane)?.wake();
  }

  get running(): number {
    return [...this.#lanes.values()].reduce((sum, { running }) => sum + running, 0);
  }

  async drain(ms: number): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((runner) => runner.drain(ms)));
  }
}
