// How often numbers that callers chose are texted: of one caller, to one number and of one account in an hour, at this node. Who forges a
// caller ID with each call still has one number, and one account, to text.
import { HOUR_MS, MAX_PER_CALLER } from '../../domain/callback.ts';

export const MAX_CHOSEN_PER_HOUR = 100;

/** As Numbering.key() has them; `caller` is '' of a withheld number. */
export interface ChosenNumber {
  readonly caller: string;
  readonly number: string;
}

export class ChosenNumbers {
  readonly #nowMs: () => number;
  #hour = -1;
  /** The counts of this hour: an account adds to them as often as it may text. */
  readonly #used = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  take(accountId: string, { caller, number }: ChosenNumber): boolean {
    const hour = Math.floor(this.#nowMs() / HOUR_MS);
    if (hour !== this.#hour) this.#used.clear();
    this.#hour = hour;
    const limits: [key: string, most: number][] = [
      [accountId, MAX_CHOSEN_PER_HOUR],
      [`${accountId} from ${caller}`, MAX_PER_CALLER],
      [`${accountId} to ${number}`, MAX_PER_CALLER],
    ];
    if (limits.some(([key, most]) => (this.#used.get(key) ?? 0) >= most)) return false;
    for (const [key] of limits) this.#used.set(key, (this.#used.get(key) ?? 0) + 1);
    return true;
  }
}
