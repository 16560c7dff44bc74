// One call in the hand of a person: the service's own machine (SimulatedCall) on a clock that runs as fast as time does, four
// times as fast, or at once. Nothing here reads a clock: whoever shows it says how much time has passed.

import type { PhaseName } from '../../../../src/flow/call-state.ts';
import type { Scenario } from '../../../../src/flow/simulation/scenario.ts';
import type { Behaviours, SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';

export type Speed = 1 | 4 | 'instant';

export interface TimedInput {
  readonly atMs: number;
  /** null: hung up. */
  readonly key: string | null;
}

/** Things that happen one after the other without time passing, at most, before the page is shown again. */
const MOST_AT_ONCE = 2_000;

export class PacedCall {
  readonly call: SimulatedCall;
  readonly #scripted: boolean;
  readonly #inputs: TimedInput[] = [];
  readonly #listeners = new Set<() => void>();
  #nowMs = 0;
  #speed: Speed;
  #paused = false;
  #version = 0;

  /** `scripted`: the caller's part is written already, in a script or a record; then "at once" does not wait for keys. */
  constructor(call: SimulatedCall, speed: Speed, scripted = false) {
    this.call = call;
    this.#speed = speed;
    this.#scripted = scripted;
  }

  /** Virtual time since the call began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  get speed(): Speed {
    return this.#speed;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get over(): boolean {
    return this.call.over;
  }

  /** What the person did, when. */
  get inputs(): readonly TimedInput[] {
    return this.#inputs;
  }

  /** Rises whenever there is something new to be shown. */
  get version(): number {
    return this.#version;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  setSpeed(speed: Speed): void {
    this.#speed = speed;
    this.#changed();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#changed();
  }

  /** From now on. */
  behave(agents: Behaviours, waiting: NonNullable<Scenario['waiting']>): void {
    this.call.behave(agents, waiting);
  }

  /** So much time has passed for whoever looks on. */
  tick(elapsedMs: number): void {
    if (this.#paused || this.call.over) return;
    if (this.#speed === 'instant') this.#atOnce(elapsedMs);
    else this.#to(this.#nowMs + elapsedMs * this.#speed);
    this.#changed();
  }

  /** Goes to the next thing that happens. */
  skip(): void {
    const { call } = this;
    const before = call.steps.length;
    const { playing } = call;
    for (let count = 0; count < MOST_AT_ONCE && call.next(); count += 1) {
      if (call.steps.length > before || call.playing !== playing) break;
    }
    this.#nowMs = Math.max(this.#nowMs, call.atMs);
    this.#changed();
  }

  /** To the end of what is written. */
  finish(): void {
    for (let count = 0; count < MOST_AT_ONCE && this.call.next(); count += 1);
    this.#nowMs = Math.max(this.#nowMs, this.call.atMs);
    this.#changed();
  }

  press(key: string): void {
    this.#act({ key }, (atMs) => this.call.press(key, atMs));
  }

  hangUp(): void {
    this.#act({ key: null }, (atMs) => this.call.hangUp(atMs));
  }

  /**
   * Whole milliseconds, and none at which something else happened: written as a script, "wait" and the key would otherwise
   * be free to come before it.
   */
  #act(input: Omit<TimedInput, 'atMs'>, act: (atMs: number) => void): void {
    let atMs = Math.ceil(this.#nowMs);
    for (;;) {
      this.call.advanceTo(atMs);
      if (this.call.over) break;
      if (this.call.atMs < atMs) {
        this.#inputs.push({ atMs, ...input });
        act(atMs);
        break;
      }
      atMs = Math.floor(this.call.atMs) + 1;
    }
    this.#nowMs = Math.max(this.#nowMs, this.call.atMs);
    this.#changed();
  }

  #to(nowMs: number): void {
    this.call.advanceTo(nowMs);
    this.#nowMs = this.call.over ? Math.max(this.#nowMs, this.call.atMs) : nowMs;
  }

  /** What the caller only listens to passes at once; a menu waits for its key as long as the person likes. */
  #atOnce(elapsedMs: number): void {
    for (let count = 0; count < MOST_AT_ONCE; count += 1) {
      const phase: PhaseName = this.call.state.phase.name;
      if (!this.#scripted && phase === 'waiting') break;
      if (!this.#scripted && phase === 'collecting') {
        this.#to(this.#nowMs + elapsedMs);
        return;
      }
      if (!this.call.next()) break;
    }
    this.#nowMs = Math.max(this.#nowMs, this.call.atMs);
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
