// The caller of a simulated call: takes one step of the script after the other, each when its moment comes.

import type { CallState } from '../call-state.ts';
import type { RingStep, ScriptStep } from './script.ts';

/** A person hears a word of the prompt before pressing, and needs a moment between keys. */
const FIRST_KEY_MS = 500;
const BETWEEN_KEYS_MS = 200;

export type CallerDeed = { readonly do: 'press'; readonly key: string } | { readonly do: 'hang-up' };

type Doing =
  | { readonly name: 'ready' }
  | { readonly name: 'pressing'; left: number }
  | { readonly name: 'silent'; readonly prompt: number }
  | { readonly name: 'pausing'; readonly untilMs: number };

export class ScriptedCaller {
  readonly #script: readonly ScriptStep[];
  readonly #plan: (afterMs: number, deed: CallerDeed | null) => void;
  #cursor = 0;
  #doing: Doing = { name: 'ready' };
  /** After a timed wait the next keys are pressed whatever is happening. */
  #atOnce = false;
  /** The playback id of the last prompt heard, and of the last one that got its step. */
  #prompt = 0;
  #served = 0;

  /** Calls `plan` with what happens how much later; null = only look again then. */
  constructor(script: readonly ScriptStep[], plan: (afterMs: number, deed: CallerDeed | null) => void) {
    this.#script = script;
    this.#plan = plan;
  }

  get unused(): readonly ScriptStep[] {
    return this.#script.slice(this.#cursor);
  }

  pressed(): void {
    this.#served = this.#prompt;
    if (this.#doing.name !== 'pressing') return;
    this.#doing.left -= 1;
    if (this.#doing.left === 0) this.#doing = { name: 'ready' };
  }

  /** How the script says that the phones ringing now are met, if it does. */
  takeRingStep(): RingStep | undefined {
    const step = this.#script[this.#cursor];
    if (this.#doing.name !== 'ready' || !step) return undefined;
    if (step.do === 'press' || step.do === 'wait' || step.do === 'hang-up') return undefined;
    this.#cursor += 1;
    this.#atOnce = false;
    return step;
  }

  /** Looks at the call after something has happened, and begins as many steps as have come due. */
  look({ phase }: CallState, atMs: number): void {
    const asksPin = phase.name === 'room-pin' && phase.keys === '';
    const asks = asksPin || asksDigits(phase);
    if (phase.name === 'prompt' || (asks && 'playback' in phase && phase.playback !== 0))
      this.#prompt = phase.playback;
    const listening = phase.name === 'prompt' || phase.name === 'waiting' || asks;
    const doing = this.#doing;
    if (doing.name === 'silent' && !(listening && doing.prompt === this.#prompt)) {
      this.#doing = { name: 'ready' };
    }
    if (doing.name === 'pausing' && atMs >= doing.untilMs) {
      this.#doing = { name: 'ready' };
      this.#atOnce = true;
    }
    while (this.#doing.name === 'ready') {
      const step = this.#script[this.#cursor];
      if (!step || !this.#begin(step, listening && this.#served !== this.#prompt, atMs)) return;
      this.#cursor += 1;
    }
  }

  /** Begins a step; false = its moment has not come. */
  #begin(step: ScriptStep, asked: boolean, atMs: number): boolean {
    switch (step.do) {
      case 'press':
        if (!asked && !this.#atOnce) return false;
        this.#press(step.keys, step.afterMs ?? (this.#atOnce ? 0 : FIRST_KEY_MS));
        return true;
      case 'wait':
        if (step.ms !== undefined) {
          this.#doing = { name: 'pausing', untilMs: atMs + step.ms };
          this.#plan(step.ms, null);
          return true;
        }
        if (!asked) return false;
        this.#served = this.#prompt;
        this.#doing = { name: 'silent', prompt: this.#prompt };
        this.#atOnce = false;
        return true;
      case 'hang-up':
        this.#plan(0, { do: 'hang-up' });
        return true;
      case 'answer':
      case 'busy':
      case 'unreachable':
      case 'no-answer':
        return false;
      default:
        return step satisfies never;
    }
  }

  #press(keys: string, afterMs: number): void {
    this.#atOnce = false;
    this.#doing = { name: 'pressing', left: keys.length };
    for (const [index, key] of [...keys].entries()) {
      this.#plan(afterMs + index * BETWEEN_KEYS_MS, { do: 'press', key });
    }
  }
}

/** For digits, or whether those that were read back are right: from the last of the prompts on. */
function asksDigits(phase: CallState['phase']): boolean {
  if (phase.name !== 'digits') return false;
  return phase.stage === 'ask' || (phase.stage === 'confirm' && phase.rest.length === 0);
}
