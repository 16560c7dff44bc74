// Which counts of which nonces were used (RFC 7616 §3.4, nc). Only nonces that proved a password get here, so strangers
// cannot fill it; when it is full the oldest is forgotten, and with it every nonce that is no younger.
import { detached } from './ids.ts';

interface Counts {
  /** The highest count, and a bit for each of the 32 up to it: requests may overtake each other. */
  highest: number;
  window: number;
  readonly issued: number;
}

const WINDOW = 32;
/** Looked through at each use, so that expired ones go without a timer. */
const SWEEP = 2;

export class NonceCounts {
  private readonly most: number;
  /** In the order of their first use. */
  private readonly nonces = new Map<string, Counts>();
  private forgottenUpTo = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return this.nonces.size;
  }

  /** `used`: that count came before, or may have. `forgotten`: evicted; challenge with a new nonce. */
  use(nonce: string, issued: number, count: number): 'new' | 'used' | 'forgotten' {
    const counts = this.nonces.get(nonce);
    if (counts !== undefined) return mark(counts, count) ? 'new' : 'used';
    if (issued <= this.forgottenUpTo) return 'forgotten';
    // Detached, or each would keep the message alive that it came in.
    this.nonces.set(detached(nonce), { highest: count, window: 1, issued });
    this.makeRoom();
    return 'new';
  }

  /** Nonces issued before that time are stale and need not be remembered. */
  expire(before: number): void {
    let looked = 0;
    for (const [nonce, { issued }] of this.nonces) {
      looked += 1;
      if (issued >= before || looked > SWEEP) return;
      this.nonces.delete(nonce);
    }
  }

  private makeRoom(): void {
    for (const [nonce, { issued }] of this.nonces) {
      if (this.nonces.size <= this.most) return;
      this.nonces.delete(nonce);
      this.forgottenUpTo = Math.max(this.forgottenUpTo, issued);
    }
  }
}

function mark(counts: Counts, count: number): boolean {
  const ahead = count - counts.highest;
  if (ahead > 0) {
    counts.window = ahead >= WINDOW ? 1 : ((counts.window << ahead) | 1) >>> 0;
    counts.highest = count;
    return true;
  }
  if (-ahead >= WINDOW) return false;
  const bit = (1 << -ahead) >>> 0;
  if ((counts.window & bit) !== 0) return false;
  counts.window = (counts.window | bit) >>> 0;
  return true;
}
