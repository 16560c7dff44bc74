// How often an address may try to sign in. 256 bits cannot be guessed; this bounds the cost of the attempts.
import { isLoopback, networkOf } from '../http/client-address.ts';
import { RateLimit } from '../http/rate-limit.ts';

export const SIGN_INS_PER_MINUTE = 10;

export class SignIns {
  readonly #limit: RateLimit;
  readonly #onLoopback: boolean;

  /** Where requests are not limited at all (RATE_LIMIT=0), these are not either. */
  constructor(
    { rateLimit, rateLimitLoopback }: { rateLimit: number; rateLimitLoopback: boolean },
    nodes?: () => number,
  ) {
    this.#limit = new RateLimit(rateLimit === 0 ? 0 : SIGN_INS_PER_MINUTE / 60, 60, nodes);
    this.#onLoopback = rateLimitLoopback;
  }

  /**
   * 0 when it may be, else the seconds to wait. Failures are counted by address, valid tokens by token: strangers behind the same
   * proxy lock out no user.
   */
  take(address: string, tokenId: string | null, nowMs: number): number {
    return isLoopback(address) && !this.#onLoopback
      ? 0
      : this.#limit.take(tokenId ?? networkOf(address), nowMs);
  }
}
