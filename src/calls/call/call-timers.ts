// The timers of one call: of each name one at most.

import type { Clock } from '../../clock.ts';
import type { TimerName } from '../../flow/call-state.ts';

type Expired = (event: {
  readonly type: 'timer-expired';
  readonly timer: TimerName;
  readonly generation: number;
}) => void;

interface RunningTimer {
  readonly timer: TimerName;
  readonly generation: number;
  readonly cancel: () => void;
}

export class CallTimers {
  readonly #clock: Clock;
  readonly #expired: Expired;
  /** A call has three of them at most: a list is all they need. */
  readonly #running: RunningTimer[] = [];

  constructor(clock: Clock, expired: Expired) {
    this.#clock = clock;
    this.#expired = expired;
  }

  start(timer: TimerName, generation: number, ms: number): void {
    this.#drop(timer)?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#drop(timer);
      this.#expired({ type: 'timer-expired', timer, generation });
    });
    this.#running.push({ timer, generation, cancel });
  }

  /** One of another generation is not meant. */
  stop(timer: TimerName, generation: number): void {
    if (this.#running[this.#placeOf(timer)]?.generation === generation) this.#drop(timer)?.cancel();
  }

  stopAll(): void {
    for (const { cancel } of this.#running) cancel();
    this.#running.length = 0;
  }

  /** The last takes the place of one that is dropped: their order means nothing. */
  #drop(timer: TimerName): RunningTimer | undefined {
    const at = this.#placeOf(timer);
    const dropped = this.#running[at];
    const last = dropped && this.#running.pop();
    if (last && last !== dropped) this.#running[at] = last;
    return dropped;
  }

  /** -1: it does not run. */
  #placeOf(timer: TimerName): number {
    for (let at = 0; at < this.#running.length; at++) if (this.#running[at]?.timer === timer) return at;
    return -1;
  }
}
