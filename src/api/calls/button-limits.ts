// How often visitors may ask for a phone session by a call button: of one network, and of one key; and how often one network may ask
// at all.
import { isLoopback, networkOf } from '../http/client-address.ts';
import { RateLimit } from '../http/rate-limit.ts';

export const BUTTON_SESSIONS_PER_MINUTE = { network: 10, key: 120 } as const;

/** Requests of one network, whatever the key and the answer, including what browsers ask before (preflights). */
export const BUTTON_REQUESTS_PER_MINUTE = 120;

export class ButtonLimits {
  readonly #requests: RateLimit;
  readonly #perNetwork: RateLimit;
  readonly #perKey: RateLimit;
  readonly #onLoopback: boolean;

  /** Where requests are not limited at all (RATE_LIMIT=0), networks are not either; keys always are. */
  constructor(
    { rateLimit, rateLimitLoopback }: { rateLimit: number; rateLimitLoopback: boolean },
    nodes?: () => number,
  ) {
    const { network, key } = BUTTON_SESSIONS_PER_MINUTE;
    this.#requests = new RateLimit(rateLimit === 0 ? 0 : BUTTON_REQUESTS_PER_MINUTE / 60, 60, nodes);
    this.#perNetwork = new RateLimit(rateLimit === 0 ? 0 : network / 60, 60, nodes);
    this.#perKey = new RateLimit(key / 60, 60, nodes);
    this.#onLoopback = rateLimitLoopback;
  }

  /** Before anything is read for it. As take(). */
  takeRequest(address: string, nowMs: number): number {
    return this.#isFree(address) ? 0 : this.#requests.take(networkOf(address), nowMs);
  }

  /** 0 when it may be, else the seconds to wait. */
  take(address: string, key: string, nowMs: number): number {
    const seconds = this.#isFree(address) ? 0 : this.#perNetwork.take(`${networkOf(address)} ${key}`, nowMs);
    return seconds > 0 ? seconds : this.#perKey.take(key, nowMs);
  }

  #isFree(address: string): boolean {
    return isLoopback(address) && !this.#onLoopback;
  }
}
