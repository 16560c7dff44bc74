// The timers of one call, at most one of each name.

import type { TimerName } from '../../flow/timer.ts';
import type { Clock } from '../../kit/clock.ts';
import type { CallInput } from './call-input.ts';

interface RunningTimer {
  readonly timer: TimerName;
  readonly generation: number;
  readonly cancel: () => void;
}

export class CallTimers {
  readonly #clock: Clock;
  readonly #input: Pick<CallInput, 'report'>;
  /** A list: a call has three of them at most. */
  readonly #running: RunningTimer[] = [];

  constructor(clock: Clock, input: Pick<CallInput, 'report'>) {
    this.#clock = clock;
    this.#input = input;
  }

  start(timer: TimerName, generation: number, ms: number): void {
    this.#drop(timer)?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#drop(timer);
      this.#input.report({ type: 'timer-expired', timer, generation });
    });
    this.#running.push({ timer, generation, cancel });
  }

  /** A timer of another generation keeps running. */
  stop(timer: TimerName, generation: number): void {
    if (this.#running[this.#indexOf(timer)]?.generation === generation) this.#drop(timer)?.cancel();
  }

  stopAll(): void {
    for (const { cancel } of this.#running) cancel();
    this.#running.length = 0;
  }

  /** Moves the last timer to the dropped one's index: their order means nothing. */
  #drop(timer: TimerName): RunningTimer | undefined {
    const at = this.#indexOf(timer);
    const dropped = this.#running[at];
    const last = dropped && this.#running.pop();
    if (last && last !== dropped) this.#running[at] = last;
    return dropped;
  }

  /** -1: not running. */
  #indexOf(timer: TimerName): number {
    for (let at = 0; at < this.#running.length; at++) if (this.#running[at]?.timer === timer) return at;
    return -1;
  }
}
