// How often an address may try to sign in. 256 bits cannot be guessed; this bounds the cost of the attempts. Passwords can be guessed:
// wrong ones are counted for each user too, wherever they come from and whichever node got them.
import type { Problem } from '../../kinds/problem.ts';
import { isLoopback, networkOf } from '../http/client-address.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { ShareSignIn, SignInNotice } from './sign-in-notices.ts';
import { tooOften } from './too-often.ts';

export const SIGN_INS_PER_MINUTE = 10;
/** Readings of one phonebook: an office full of phones may have one address. */
export const PHONEBOOKS_PER_MINUTE = 60;
/** Wrong passwords and codes for one e-mail address: from one network, and from all together. */
export const WRONG_PER_NETWORK = 10;
export const WRONG_IN_ALL = 100;
/** Wrong codes of one user, from all networks together: who sends one knows the password. */
export const WRONG_CODES = 10;
/** E-mails that reset one password, in the same time. */
export const RESETS = 3;
/** Failed sign-ins of one user that the audit gets, in the same time: it is no log of a flood. */
export const NOTED = 10;
const WRONG_SECONDS = 15 * 60;

export interface SignInNodes {
  /** How many live ones there are, this one included. */
  readonly nodes?: () => number;
  /** To heard() of the others. */
  readonly share: ShareSignIn;
}

const ALONE: SignInNodes = { share: () => undefined };

export class SignIns {
  readonly #limit: RateLimit;
  readonly #phonebooks: RateLimit;
  readonly #onLoopback: boolean;
  readonly #nodes: SignInNodes;
  readonly #wrong = new Tries(WRONG_PER_NETWORK);
  readonly #wrongInAll = new Tries(WRONG_IN_ALL);
  readonly #wrongCodes = new Tries(WRONG_CODES);
  readonly #resets = new Tries(RESETS);
  readonly #noted = new Tries(NOTED);

  /** Where requests are not limited at all (RATE_LIMIT=0), these are not either. */
  constructor(
    { rateLimit, rateLimitLoopback }: { rateLimit: number; rateLimitLoopback: boolean },
    nodes: SignInNodes = ALONE,
  ) {
    this.#limit = new RateLimit(rateLimit === 0 ? 0 : SIGN_INS_PER_MINUTE / 60, 60, nodes.nodes);
    this.#phonebooks = new RateLimit(rateLimit === 0 ? 0 : PHONEBOOKS_PER_MINUTE / 60, 60, nodes.nodes);
    this.#onLoopback = rateLimitLoopback;
    this.#nodes = nodes;
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

  /** 0 when the phonebook with this address may be read, else the seconds to wait. */
  takePhonebook(address: string, nowMs: number): number {
    return this.#phonebooks.take(address, nowMs);
  }

  /**
   * Checks a password for this e-mail address, unless too many were wrong. While the check runs it counts as wrong, so that guesses at
   * the same time are bounded, too. Of one network so many may be wrong for all addresses together (not on loopback, nor without
   * RATE_LIMIT); those for one address are limited everywhere.
   */
  async guess<Result>(
    { email, address, nowMs }: Guess,
    check: () => Result | Promise<Result>,
    isWrong: (result: Result) => boolean,
  ): Promise<Result | Problem> {
    const network = networkOf(address);
    const counted = this.#countedFor(email, network);
    const waits = waitFor(counted, nowMs) || this.take(address, null, nowMs);
    if (waits > 0) return tooOften(waits);
    const { result, wasWrong } = await tryOnce(counted, nowMs, check, isWrong, () =>
      this.#limit.giveBack(network),
    );
    if (wasWrong) this.#nodes.share({ what: 'wrong', email, network });
    return result;
  }

  /** Checks a code of the authenticator app, or a recovery code, of this user (`accountId userId`), in the same way. */
  async guessCode<Result>(
    user: string,
    nowMs: number,
    check: () => Result | Promise<Result>,
    isWrong: (result: Result) => boolean,
  ): Promise<Result | Problem> {
    const counted: Counted = [[this.#wrongCodes, user]];
    const waits = waitFor(counted, nowMs);
    if (waits > 0) return tooOften(waits);
    const { result, wasWrong } = await tryOnce(counted, nowMs, check, isWrong);
    if (wasWrong) this.#nodes.share({ what: 'code', user });
    return result;
  }

  #countedFor(email: string, network: string): Counted {
    return [
      [this.#wrong, `${email} ${network}`],
      [this.#wrongInAll, email],
    ];
  }

  /** Also counts it: e-mail that somebody asks for is a nuisance to its reader. */
  resetWait(email: string, address: string, nowMs: number): number {
    const wait = Math.max(this.#resets.waitFor(email, nowMs), this.take(address, null, nowMs));
    if (wait > 0) return wait;
    this.#resets.add(email, nowMs);
    this.#nodes.share({ what: 'reset', email });
    return 0;
  }

  /** Whether a failed sign-in of this user goes into the audit; then it counts. */
  mayNote(user: string, nowMs: number): boolean {
    if (this.#noted.waitFor(user, nowMs) > 0) return false;
    this.#noted.add(user, nowMs);
    return true;
  }

  /** What another node shared. */
  heard(notice: SignInNotice, nowMs = performance.now()): void {
    if (notice.what === 'reset') this.#resets.add(notice.email, nowMs);
    if (notice.what === 'code') this.#wrongCodes.add(notice.user, nowMs);
    if (notice.what === 'wrong')
      for (const [tries, key] of this.#countedFor(notice.email, notice.network)) tries.add(key, nowMs);
  }
}

export interface Guess {
  readonly email: string;
  readonly address: string;
  /** Monotonic. */
  readonly nowMs: number;
}

type Counted = readonly (readonly [Tries, string])[];

const waitFor = (counted: Counted, nowMs: number): number =>
  Math.max(...counted.map(([tries, key]) => tries.waitFor(key, nowMs)));

/** Counts the check as wrong until it is over, and afterwards if it was. One that failed was not: nothing was compared. */
async function tryOnce<Result>(
  counted: Counted,
  nowMs: number,
  check: () => Result | Promise<Result>,
  isWrong: (result: Result) => boolean,
  onNotWrong: () => void = () => undefined,
): Promise<{ readonly result: Result; readonly wasWrong: boolean }> {
  for (const [tries, key] of counted) tries.add(key, nowMs);
  let wasWrong = false;
  try {
    const result = await check();
    wasWrong = isWrong(result);
    return { result, wasWrong };
  } finally {
    if (!wasWrong) {
      for (const [tries, key] of counted) tries.takeBack(key, nowMs);
      onNotWrong();
    }
  }
}

export const MAX_KEYS = 10_000;

/** So many within the span; then one more each time a part of the span has passed. */
class Tries {
  readonly #most: number;
  readonly #stepMs: number;
  /** When the tries of a key are forgotten. */
  readonly #untilMs = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
    this.#stepMs = (WRONG_SECONDS * 1000) / most;
  }

  waitFor(key: string, nowMs: number): number {
    const untilMs = this.#untilMs.get(key) ?? 0;
    const overMs = untilMs + this.#stepMs - nowMs - this.#most * this.#stepMs;
    return overMs > 0 ? Math.ceil(overMs / 1000) : 0;
  }

  add(key: string, nowMs: number): void {
    this.#untilMs.set(key, Math.max(this.#untilMs.get(key) ?? 0, nowMs) + this.#stepMs);
    if (this.#untilMs.size > MAX_KEYS) this.#makeRoom(key, nowMs);
  }

  /** `nowMs`: as it was added. */
  takeBack(key: string, nowMs: number): void {
    const untilMs = (this.#untilMs.get(key) ?? 0) - this.#stepMs;
    // A key that counts nothing takes no room from those that do.
    if (untilMs > nowMs) this.#untilMs.set(key, untilMs);
    else this.#untilMs.delete(key);
  }

  /** Those that have expired go, else the one with the fewest tries: strangers must not push out what counts against them. */
  #makeRoom(added: string, nowMs: number): void {
    let least: string | null = null;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const [key, untilMs] of this.#untilMs)
      if (untilMs <= nowMs) this.#untilMs.delete(key);
      else if (untilMs < leastMs && key !== added) {
        least = key;
        leastMs = untilMs;
      }
    if (least !== null && this.#untilMs.size > MAX_KEYS) this.#untilMs.delete(least);
  }
}
