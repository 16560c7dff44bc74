// A simulated call (SimulatedCall, the service's own state machine) that a user controls, in real time, four times as fast, or
// instantly. It reads no clock: tick() passes the elapsed time.

import type { CallState } from '../../../../src/flow/call-state.ts';
import type { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import type { Conditions } from './call-conditions.ts';

export type Speed = 1 | 4 | 'instant';

export interface TimedInput {
  readonly atMs: number;
  /** null: hung up. */
  readonly key: string | null;
}

type Phase = CallState['phase'];

/** A menu, or a question for digits, once its prompt is over. */
const asksForKey = (phase: Phase): boolean =>
  phase.name === 'waiting' || (phase.name === 'digits' && phase.stage !== 'typing' && phase.playback === 0);

const isTyping = (phase: Phase): boolean =>
  phase.name === 'collecting' || (phase.name === 'digits' && phase.stage === 'typing');

/** Steps without elapsed time, at most, before the page renders again. */
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

  /** `scripted`: the keys come from a script or a record; "instant" then does not wait for keys. */
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

  /** The user's keys and hang-up, with their times. */
  get inputs(): readonly TimedInput[] {
    return this.#inputs;
  }

  /** Incremented with each change. */
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

  /** Applies from now on. */
  behave({ agents, waiting, signedOut, requests, streams }: Conditions): void {
    this.call.behave(agents, { waiting, signedOut, requests: requests ?? {}, streams: streams ?? {} });
  }

  /** Advances by the real time that has passed. */
  tick(elapsedMs: number): void {
    if (this.#paused || this.call.over) return;
    if (this.#speed === 'instant') this.#atOnce(elapsedMs);
    else this.#to(this.#nowMs + elapsedMs * this.#speed);
    this.#changed();
  }

  /** Advances to the next step. */
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

  /** Advances to the end of the script. */
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

  /** Whole milliseconds, and none at which another event happened: in a script the key could otherwise come before that event. */
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

  /** Prompts pass instantly; a menu waits for the user's key. */
  #atOnce(elapsedMs: number): void {
    for (let count = 0; count < MOST_AT_ONCE; count += 1) {
      const { phase } = this.call.state;
      if (!this.#scripted && asksForKey(phase)) break;
      if (!this.#scripted && isTyping(phase)) {
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
