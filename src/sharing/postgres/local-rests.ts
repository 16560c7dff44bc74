// Agents who rest, for while the database is away: what it knows of them is in agent_states.
import type { Clock } from '../../kit/clock.ts';

export class LocalRests {
  readonly #clock: Pick<Clock, 'nowMs'>;
  /** On the monotonic clock. */
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  begin(agent: string, ms: number): void {
    if (ms > 0) this.#untilMs.set(agent, this.#clock.nowMs() + ms);
  }

  end(agent: string): void {
    this.#untilMs.delete(agent);
  }

  has(agent: string): boolean {
    return (this.#untilMs.get(agent) ?? 0) > this.#clock.nowMs();
  }

  /** Forgets those that are over. */
  sweep(): void {
    const nowMs = this.#clock.nowMs();
    for (const [agent, untilMs] of this.#untilMs) if (untilMs < nowMs) this.#untilMs.delete(agent);
  }
}
