// Which packets of one source were there before: the roll-over counter and the replay window (RFC 3711 §3.3.1 and §3.3.2), by libsrtp's
// rules. A packet that is not authentic changes nothing: `note` follows the check of its tag.

/** As libsrtp has it. */
export const WINDOW = 128;
const HALF = 0x8000;
const WHOLE = 0x1_0000;

export class PacketIndex {
  readonly ssrc: number;
  #highest = -1;
  /** By the index modulo WINDOW. */
  readonly #seen = new Uint8Array(WINDOW);

  constructor(ssrc: number) {
    this.ssrc = ssrc;
  }

  /** The index that a sequence number most likely has: roll-over counter · 2^16 + sequence number. */
  estimate(sequence: number): number {
    const highest = this.#highest;
    if (highest < 0) return sequence;
    const last = highest % WHOLE;
    const base = highest - last;
    // Before half of the first round, a number far ahead is a gap: there was no round before.
    if (last < HALF) return sequence - last > HALF && base > 0 ? base - WHOLE + sequence : base + sequence;
    return last - HALF > sequence ? base + WHOLE + sequence : base + sequence;
  }

  /** False: a repetition, or too old to tell. */
  isNew(index: number): boolean {
    if (index > this.#highest) return true;
    return this.#highest - index < WINDOW && this.#seen[index % WINDOW] === 0;
  }

  note(index: number): void {
    if (index > this.#highest) {
      const from = Math.max(this.#highest + 1, index - WINDOW + 1);
      for (let skipped = from; skipped < index; skipped++) this.#seen[skipped % WINDOW] = 0;
      this.#highest = index;
    }
    this.#seen[index % WINDOW] = 1;
  }
}

/** A peer has one source; another may follow it, after a transfer for example. */
const MAX_SOURCES = 4;

/** The sources of one peer; a new one takes the place of the oldest. */
export class PacketIndexes {
  #known: PacketIndex[] = [];

  /** It is kept once `keep` is called: strangers must not displace the peer. */
  of(ssrc: number): PacketIndex {
    for (const one of this.#known) if (one.ssrc === ssrc) return one;
    return new PacketIndex(ssrc);
  }

  keep(one: PacketIndex): void {
    if (this.#known.includes(one)) return;
    this.#known = [...this.#known, one].slice(-MAX_SOURCES);
  }
}
