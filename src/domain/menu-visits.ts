// What callers did in menus, read off the trail of a call: one value per visit. docs/call-records.md defines every word.
import type { Ref } from '../flow/node.ts';
import type { TrailEntry } from '../flow/trail.ts';

/** Where in a menu a caller can leave it: the phases of the machine that belong to a menu. */
export const MENU_STEPS = ['prompt', 'waiting', 'collecting', 'retrying', 'closing'] as const;
export type MenuStep = (typeof MENU_STEPS)[number];

export interface MenuVisit {
  readonly menu: Ref;
  /** From the arrival to the first key; null: none was pressed, or it was typed ahead. */
  readonly keyMs: number | null;
  readonly typedAhead: boolean;
  /** Wrong entries and time-outs, the last of each included. */
  readonly invalid: number;
  readonly timeouts: number;
  /** The keys of the option that was chosen. */
  readonly chosen: string | null;
  /** left: the caller hung up. cut: the call ended otherwise. */
  readonly end: 'chosen' | 'invalid' | 'timeout' | 'left' | 'cut';
  /** Where it ended. */
  readonly step: MenuStep;
  /** This was the last menu, and the caller hung up after it, before an answer. */
  readonly leftLater: 'queue' | 'ringing' | 'elsewhere' | null;
}

type Draft = { -readonly [member in keyof MenuVisit]: MenuVisit[member] };

export function visitsOf(trail: readonly TrailEntry[], callerLeft: boolean): MenuVisit[] {
  const walk = new Walk();
  for (const entry of trail) walk.take(entry);
  return walk.finish(callerLeft);
}

class Walk {
  readonly #visits: Draft[] = [];
  #open: Draft | null = null;
  #arrivedMs = 0;
  /** Sounds since a retry began: its own recording, then the menu again. */
  #sounds = 0;
  #behind: 'queue' | 'ringing' | 'elsewhere' | 'connected' = 'elsewhere';

  take(entry: TrailEntry): void {
    switch (entry.code) {
      case 'arrived':
        this.#goesOn();
        if (entry.node?.startsWith('ivr||')) this.#arrives(entry.node, entry.atMs);
        break;
      case 'destination-missing':
      case 'hop-limit':
        // A department that misses an agent says so too, but is no menu.
        this.#goesOn();
        break;
      case 'queue-joined':
      case 'queue-returned':
        this.#behind = 'queue';
        break;
      case 'ringing':
        this.#behind = 'ringing';
        break;
      case 'connected':
        this.#behind = 'connected';
        break;
      case 'failover':
      case 'apology':
        if (this.#behind === 'ringing' || this.#behind === 'queue') this.#behind = 'elsewhere';
        break;
      default:
        if (this.#open && entry.node === this.#open.menu) this.#inMenu(this.#open, entry);
    }
  }

  finish(callerLeft: boolean): MenuVisit[] {
    if (this.#open) {
      this.#open.end = callerLeft ? 'left' : 'cut';
      this.#open.chosen = null;
    } else {
      const last = this.#visits.at(-1);
      if (last && callerLeft && this.#behind !== 'connected') last.leftLater = this.#behind;
    }
    return this.#visits;
  }

  #arrives(menu: Ref, atMs: number): void {
    this.#open = {
      menu,
      keyMs: null,
      typedAhead: false,
      invalid: 0,
      timeouts: 0,
      chosen: null,
      end: 'cut',
      step: 'prompt',
      leftLater: null,
    };
    this.#arrivedMs = atMs;
    this.#visits.push(this.#open);
  }

  /** A menu that said its last word is left by what follows, not by saying it: callers hang up during that recording. */
  #goesOn(): void {
    this.#open = null;
    this.#behind = 'elsewhere';
  }

  #inMenu(visit: Draft, { code, atMs, keys }: TrailEntry): void {
    switch (code) {
      case 'key-pressed':
        if (visit.keyMs === null && !visit.typedAhead) visit.keyMs = atMs - this.#arrivedMs;
        visit.step = 'collecting';
        break;
      case 'keys-typed-ahead':
        if (visit.keyMs === null) visit.typedAhead = true;
        visit.step = 'collecting';
        break;
      case 'waiting':
        visit.step = 'waiting';
        break;
      case 'playing':
      case 'recording-missing':
        if (visit.step === 'retrying' && ++this.#sounds === 2) visit.step = 'prompt';
        break;
      case 'invalid-retry':
      case 'timeout-retry':
        this.#countFailure(visit, code === 'invalid-retry');
        this.#sounds = 0;
        visit.step = 'retrying';
        break;
      case 'invalid-final':
      case 'timeout-final':
        this.#countFailure(visit, code === 'invalid-final');
        visit.end = code === 'invalid-final' ? 'invalid' : 'timeout';
        visit.step = 'closing';
        break;
      case 'option-matched':
        visit.chosen = keys ?? '';
        visit.end = 'chosen';
        this.#goesOn();
        break;
      default:
    }
  }

  #countFailure(visit: Draft, invalid: boolean): void {
    if (invalid) visit.invalid += 1;
    else visit.timeouts += 1;
  }
}
