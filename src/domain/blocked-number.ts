// The block list: callers who are refused before anything is answered. Asked once for every call that comes in, so it costs
// the length of the caller's number and not the length of the list.
import { BLOCKED_VERSTATS, type BlockedNumber, VERSTAT_TEXTS } from '../kinds/blocked-number.ts';
import { Numbering } from './numbering.ts';

/** What the network says of a caller's number; null: nothing. */
type Verstat = 'passed' | 'failed' | 'none' | null;

/** Entries that concern the same calls. */
interface Entries {
  /** By Numbering.key(). */
  readonly exact: Map<string, BlockedNumber>;
  readonly prefixes: Map<string, BlockedNumber>;
  longestPrefix: number;
  anonymous: BlockedNumber | null;
  everyone: BlockedNumber | null;
}

/** The entries for calls to every number of the account stand under this. */
const EVERY = '';

export class BlockList {
  readonly #byDialled = new Map<string, Entries>();
  readonly #numbering: Numbering;
  #hasVerstat = false;

  constructor(numbering = Numbering.NONE) {
    this.#numbering = numbering;
  }

  get isEmpty(): boolean {
    return this.#byDialled.size === 0;
  }

  add(entry: BlockedNumber): void {
    const { number, verstat } = entry;
    const dialled = keyOf(entry.dialled === null ? EVERY : this.#numbering.key(entry.dialled), verstat);
    const entries = this.#byDialled.get(dialled) ?? {
      exact: new Map(),
      prefixes: new Map(),
      longestPrefix: 0,
      anonymous: null,
      everyone: null,
    };
    this.#byDialled.set(dialled, entries);
    if (verstat !== null) this.#hasVerstat = true;
    if (number === null && entry.anonymous) entries.anonymous = entry;
    else if (number === null) entries.everyone = entry;
    else if (number.endsWith('*')) {
      for (const prefix of this.#numbering.prefixKeys(number.slice(0, -1))) {
        entries.prefixes.set(prefix, entry);
        entries.longestPrefix = Math.max(entries.longestPrefix, prefix.length);
      }
    } else entries.exact.set(this.#numbering.key(number), entry);
  }

  /** The entry that keeps this caller out; null: none does. */
  find(caller: string | null, dialled: string, verstat: Verstat = null): BlockedNumber | null {
    const keys = caller === null ? null : [this.#numbering.key(caller), ...this.#numbering.wholeKeys(caller)];
    const to = this.#numbering.key(dialled);
    const found = among(this.#byDialled.get(EVERY), keys) ?? among(this.#byDialled.get(to), keys);
    if (found !== null || !this.#hasVerstat || verstat === 'passed') return found;
    for (const condition of verstat === 'failed' ? BLOCKED_VERSTATS : UNVERIFIED)
      for (const entries of [EVERY, to]) {
        const conditional = among(this.#byDialled.get(keyOf(entries, condition)), keys);
        if (conditional) return conditional;
      }
    return null;
  }
}

const UNVERIFIED = ['unverified'] as const;

const keyOf = (dialled: string, verstat: BlockedNumber['verstat']): string =>
  verstat === null ? dialled : `${dialled} ${verstat}`;

/** `caller`: the key of the number, and what beginnings are compared with. */
function among(entries: Entries | undefined, caller: readonly string[] | null): BlockedNumber | null {
  if (!entries) return null;
  if (caller === null) return entries.anonymous ?? entries.everyone;
  const [number = '', ...beginnings] = caller;
  const exact = entries.exact.get(number);
  if (exact) return exact;
  for (const key of beginnings) {
    for (let length = Math.min(entries.longestPrefix, key.length); length > 0; length -= 1) {
      const found = entries.prefixes.get(key.slice(0, length));
      if (found) return found;
    }
  }
  return entries.everyone;
}

export function blockedBy({ number, anonymous, verstat, dialled, reason }: BlockedNumber): string {
  const who = number ?? (anonymous ? 'withheld numbers' : 'callers');
  const checked = verstat === null ? who : `${who} ${VERSTAT_TEXTS[verstat]}`;
  const where = dialled === null ? '' : ` for calls to ${dialled}`;
  return `The block list has ${checked}${where}${reason === '' ? '' : ` (${reason})`}: the call is refused.`;
}
