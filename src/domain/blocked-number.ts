// The block list: callers who are refused before anything is answered. Asked once for every call that comes in, so it costs
// the length of the caller's number and not the length of the list.
import { numberKey } from './number.ts';
import { Numbering } from './numbering.ts';

export interface BlockedNumber {
  /** The whole number, or how it begins and a star behind it; null: those who withhold theirs. */
  readonly number: string | null;
  readonly anonymous: boolean;
  /** Only for calls to this number of the account; null: to all. */
  readonly dialled: string | null;
  readonly reason: string;
}

/** Entries that concern the same calls. */
interface Entries {
  /** By Numbering.key(). */
  readonly exact: Map<string, BlockedNumber>;
  readonly prefixes: Map<string, BlockedNumber>;
  longestPrefix: number;
  anonymous: BlockedNumber | null;
}

/** The entries for calls to every number of the account stand under this. */
const EVERY = '';

export class BlockList {
  readonly #byDialled = new Map<string, Entries>();
  readonly #numbering: Numbering;

  constructor(numbering = Numbering.NONE) {
    this.#numbering = numbering;
  }

  get isEmpty(): boolean {
    return this.#byDialled.size === 0;
  }

  add(entry: BlockedNumber): void {
    const dialled = entry.dialled === null ? EVERY : this.#numbering.key(entry.dialled);
    const entries = this.#byDialled.get(dialled) ?? {
      exact: new Map(),
      prefixes: new Map(),
      longestPrefix: 0,
      anonymous: null,
    };
    this.#byDialled.set(dialled, entries);
    const { number } = entry;
    if (number === null) entries.anonymous = entry;
    else if (number.endsWith('*')) {
      for (const prefix of this.#numbering.prefixKeys(number.slice(0, -1))) {
        entries.prefixes.set(prefix, entry);
        entries.longestPrefix = Math.max(entries.longestPrefix, prefix.length);
      }
    } else entries.exact.set(this.#numbering.key(number), entry);
  }

  /** The entry that keeps this caller out; null: none does. */
  find(caller: string | null, dialled: string): BlockedNumber | null {
    const keys = caller === null ? null : [this.#numbering.key(caller), ...this.#numbering.wholeKeys(caller)];
    return (
      among(this.#byDialled.get(EVERY), keys) ??
      among(this.#byDialled.get(this.#numbering.key(dialled)), keys)
    );
  }
}

/** `caller`: the key of the number, and what beginnings are compared with. */
function among(entries: Entries | undefined, caller: readonly string[] | null): BlockedNumber | null {
  if (!entries) return null;
  if (caller === null) return entries.anonymous;
  const [number = '', ...beginnings] = caller;
  const exact = entries.exact.get(number);
  if (exact) return exact;
  for (const key of beginnings) {
    for (let length = Math.min(entries.longestPrefix, key.length); length > 0; length -= 1) {
      const found = entries.prefixes.get(key.slice(0, length));
      if (found) return found;
    }
  }
  return null;
}

/** What no two entries of an account may share, in words that a refusal can quote. */
export function blockKey({ number, dialled }: BlockedNumber): string {
  const star = number?.endsWith('*') ? '*' : '';
  const who = number === null ? 'withheld' : numberKey(star ? number.slice(0, -1) : number) + star;
  return dialled === null ? who : `${who} for calls to ${numberKey(dialled)}`;
}

export function blockedBy({ number, dialled, reason }: BlockedNumber): string {
  const entry = number === null ? 'withheld numbers' : number;
  const where = dialled === null ? '' : ` for calls to ${dialled}`;
  return `The block list has ${entry}${where}${reason === '' ? '' : ` (${reason})`}: the call is refused.`;
}
