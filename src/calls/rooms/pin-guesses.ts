// How many wrong PINs a room takes. Three attempts end a call, so one who guesses calls again and again: these bounds hold over all calls.
// During a pause right PINs are refused as well: otherwise the answer would tell which one is right.

export const WRONG_PINS_PER_CALLER = 6;
/** Callers can change their number. Agents' phones, which are authenticated, are counted by themselves alone. */
export const WRONG_PINS_PER_ROOM = 30;
export const PIN_PAUSE_MS = 10 * 60_000;
/** Callers and rooms of all accounts; the oldest are forgotten first. A room that is paused adds none. */
const MAX_COUNTED = 10_000;

export interface PinCaller {
  /** The agent whose phone calls; null: none. */
  readonly agent: string | null;
  /** Null if withheld. */
  readonly number: string | null;
}

interface Count {
  readonly wrong: number;
  readonly untilMs: number;
}

export class PinGuesses {
  readonly #counts = new Map<string, Count>();

  isPaused(room: string, caller: PinCaller, nowMs: number): boolean {
    return (
      this.#isFull(callerKey(room, caller), WRONG_PINS_PER_CALLER, nowMs) ||
      (caller.agent === null && this.#isFull(room, WRONG_PINS_PER_ROOM, nowMs))
    );
  }

  wrong(room: string, caller: PinCaller, nowMs: number): void {
    if (this.isPaused(room, caller, nowMs)) return;
    this.#count(callerKey(room, caller), nowMs);
    if (caller.agent === null) this.#count(room, nowMs);
  }

  right(room: string, caller: PinCaller): void {
    this.#counts.delete(callerKey(room, caller));
  }

  #isFull(key: string, most: number, nowMs: number): boolean {
    const count = this.#counts.get(key);
    return count !== undefined && count.untilMs > nowMs && count.wrong >= most;
  }

  /** The pause runs from the last of them. */
  #count(key: string, nowMs: number): void {
    const former = this.#counts.get(key);
    const wrong = former && former.untilMs > nowMs ? former.wrong + 1 : 1;
    this.#counts.delete(key);
    this.#counts.set(key, { wrong, untilMs: nowMs + PIN_PAUSE_MS });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_COUNTED && oldest !== undefined) this.#counts.delete(oldest);
  }
}

const callerKey = (room: string, { agent, number }: PinCaller): string =>
  `${room} ${agent === null ? `from ${number ?? ''}` : `agent ${agent}`}`;
