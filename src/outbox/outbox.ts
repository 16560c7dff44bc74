// What must leave the service: one runner for each lane that has somebody to serve it, and a broom for what is finished.
import type { Clock } from '../clock.ts';
import { newId } from '../domain/id.ts';
import type { JobResult, Lane } from '../domain/outbox-job.ts';
import type { OutboxStorage } from '../storage/ports/outbox.ts';
import { type JobHandler, LANE_OPTIONS, type LaneOptions, LaneRunner } from './lane-runner.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long finished jobs can be looked at and sent again. */
export const KEEP_DONE_MS = 3 * DAY_MS;
export const KEEP_DEAD_MS = 30 * DAY_MS;
const SWEEP_MS = 10 * 60 * 1000;
const SWEEP_ROWS = 1000;
const MAX_BITES = 1000;

export interface OutboxParts {
  readonly storage: Pick<OutboxStorage, 'claimJobs' | 'settleJobs' | 'forgetJobs'>;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
  readonly settled: (lane: Lane, outcome: JobResult['outcome'], error: string | undefined) => void;
}

export class Outbox {
  readonly #parts: OutboxParts;
  readonly #lanes = new Map<Lane, LaneRunner>();
  /** Of this process alone: a lease belongs to nobody else. */
  readonly #worker: string;
  #cancelSweep: () => void = () => undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#worker = newId(parts.clock.epochMs());
  }

  /** Jobs of a lane that nobody serves wait. */
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
    this.#sweepLater();
  }

  wake(lane: Lane): void {
    this.#lanes.get(lane)?.wake();
  }

  /** Jobs that are being tried. */
  get running(): number {
    return [...this.#lanes.values()].reduce((sum, { running }) => sum + running, 0);
  }

  async drain(ms: number): Promise<void> {
    this.#cancelSweep();
    await Promise.all([...this.#lanes.values()].map((runner) => runner.drain(ms)));
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#parts.clock.after(SWEEP_MS, () => {
      this.#sweepLater();
      void this.sweep().catch((error: unknown) => this.#parts.failed(error));
    });
  }

  /** In small bites, so that a large backlog delays nobody's write for long. */
  async sweep(): Promise<void> {
    const nowMs = this.#parts.clock.epochMs();
    const ages = { doneBeforeMs: nowMs - KEEP_DONE_MS, deadBeforeMs: nowMs - KEEP_DEAD_MS };
    for (let bite = 0; bite < MAX_BITES; bite++) {
      const { forgotten } = await this.#parts.storage.forgetJobs({ ...ages, limit: SWEEP_ROWS });
      if (forgotten < SWEEP_ROWS) return;
    }
  }
}
