// Each challenge of a passkey and each state of an OpenID Connect sign-in works once, at one node.

export const CHALLENGE_MS = 5 * 60_000;
/** Until the provider's answer, and from there until the page asks for the session. */
export const OIDC_PENDING_MS = 10 * 60_000;
export const OIDC_FINISHED_MS = 60_000;
/** No challenge and no state is valid for longer. */
const REMEMBERED_MS = Math.max(CHALLENGE_MS, OIDC_PENDING_MS + OIDC_FINISHED_MS);
const MAX_USED = 10_000;

/** Challenges that were answered, until they would expire anyway. */
export class UsedChallenges {
  readonly #share: (challenge: string) => void;
  readonly #untilMs = new Map<string, number>();

  /** `share`: to heard() of the other nodes. */
  constructor(share: (challenge: string) => void = () => undefined) {
    this.#share = share;
  }

  /** False: it was used before. */
  use(challenge: string, nowMs: number): boolean {
    if (this.#untilMs.has(challenge)) return false;
    this.heard(challenge, nowMs);
    this.#share(challenge);
    return true;
  }

  heard(challenge: string, nowMs: number): void {
    for (const [old, untilMs] of this.#untilMs) {
      if (untilMs > nowMs && this.#untilMs.size < MAX_USED) break;
      this.#untilMs.delete(old);
    }
    this.#untilMs.set(challenge, nowMs + REMEMBERED_MS);
  }
}
