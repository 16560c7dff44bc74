// Limits floods, scanners and password guessing, by address: Kamailio's pike with its defaults, the usual scanners' names, and a
// count of failed passwords. Consulted for each request before it is parsed.

export interface GuardOptions {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Pike's sampling_time_unit and reqs_density_per_unit. */
  readonly windowMs?: number;
  readonly requests?: number;
  /** From the addresses of one trunk, and of all trunks of one account, in `windowMs`; more are dropped. */
  readonly trunkRequests?: number;
  readonly trunkOwnerRequests?: number;
  readonly banMs?: number;
  /** So many failed passwords in so long. */
  readonly failures?: number;
  readonly failureWindowMs?: number;
  /** How long an address is trusted after a successful authentication. */
  readonly trustMs?: number;
  /** How many addresses are remembered; the one longest unheard goes first. */
  readonly addresses?: number;
  /** An address was banned, for so long. */
  readonly banned?: (address: string, forMs: number) => void;
}

export interface GuardCounts {
  /** Messages dropped because their sender is banned. */
  dropped: number;
  floodBans: number;
  scannerBans: number;
  passwordBans: number;
}

/** Requests counted. */
interface Rate {
  /** Which window `current` is of; `previous` is of the one before. */
  window: number;
  current: number;
  previous: number;
}

/** What is known of one address. All times in milliseconds of the guard's clock. */
interface Suspect extends Rate {
  bannedUntil: number;
  /** Passwords from it are not looked at. Of a trunk's address, whose calls need none. */
  lockedUntil: number;
  failures: number;
  failuresSince: number;
}

/** Parts of a User-Agent, in lower case. sipsak is not among them: people test with it. */
const SCANNERS = [
  'friendly-scanner',
  'friendly-request',
  'sipvicious',
  'sipcli',
  'sip-scan',
  'sipscan',
  'sundayddr',
  'iwar',
  'vaxsipuseragent',
  'vaxasip',
  'pplsip',
  'smap',
  'siparmyknife',
  'sivus',
];
const LONGEST_AGENT = 200;
/** A trusted address loses its trust after this many times the failures of an unknown one. */
const TRUSTED_PATIENCE = 10;

export class Guard {
  readonly counts: GuardCounts = { dropped: 0, floodBans: 0, scannerBans: 0, passwordBans: 0 };
  /** In the order in which they were heard last, the longest unheard first. */
  readonly #suspects = new Map<string, Suspect>();
  /** Until when. A flood from spoofed addresses evicts no entry. */
  readonly #trusted = new Map<string, number>();
  /** By trunk, and by account: an account's networks have more addresses than could be remembered. The longest unheard first. */
  readonly #trunks = new Map<string, Rate>();
  readonly #now: () => number;
  readonly #windowMs: number;
  readonly #requests: number;
  readonly #trunkRequests: number;
  readonly #trunkOwnerRequests: number;
  readonly #banMs: number;
  readonly #failures: number;
  readonly #failureWindowMs: number;
  readonly #trustMs: number;
  readonly #addresses: number;
  readonly #banned: (address: string, forMs: number) => void;

  constructor(options: GuardOptions) {
    this.#now = options.now;
    this.#windowMs = options.windowMs ?? 2_000;
    this.#requests = options.requests ?? 16;
    this.#trunkRequests = options.trunkRequests ?? 2_000;
    this.#trunkOwnerRequests = options.trunkOwnerRequests ?? 8_000;
    this.#banMs = options.banMs ?? 300_000;
    this.#failures = options.failures ?? 5;
    this.#failureWindowMs = options.failureWindowMs ?? 60_000;
    this.#trustMs = options.trustMs ?? 3_600_000;
    this.#addresses = options.addresses ?? 10_000;
    this.#banned = options.banned ?? (() => undefined);
  }

  get size(): number {
    return this.#suspects.size + this.#trusted.size + this.#trunks.size;
  }

  /** A password was right: trusts the address for a while. Called at every success. Failures before it still count. */
  trust(address: string): void {
    this.#trusted.delete(address);
    if (this.#trusted.size >= this.#addresses) forgetFirst(this.#trusted);
    this.#trusted.set(address, this.#now() + this.#trustMs);
  }

  isTrusted(address: string): boolean {
    const until = this.#trusted.get(address);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#trusted.delete(address);
    return false;
  }

  /** Another node has banned it. One that is trusted here stays so. */
  ban(address: string, forMs: number): void {
    if (this.isTrusted(address)) return;
    const suspect = this.#heard(address);
    suspect.bannedUntil = Math.max(suspect.bannedUntil, this.#now() + forMs);
  }

  isBanned(address: string): boolean {
    return (this.#suspects.get(address)?.bannedUntil ?? 0) > this.#now() && !this.isTrusted(address);
  }

  /** False: a password from there is not looked at. */
  acceptPassword(address: string): boolean {
    return (this.#suspects.get(address)?.lockedUntil ?? 0) <= this.#now();
  }

  /**
   * From a trunk's address. A ban of before holds, but none is made: with UDP anyone can write a provider's address on a packet,
   * and must not silence the provider by it, nor the other trunks of the account (T38).
   */
  acceptFromTrunk(
    address: string,
    { id, account }: { readonly id: string; readonly account: string },
  ): boolean {
    const now = this.#now();
    const accepted =
      (this.#suspects.get(address)?.bannedUntil ?? 0) <= now &&
      this.#countRequest(this.#rateOf(`trunk ${id}`), now) <= this.#trunkRequests &&
      this.#countRequest(this.#rateOf(`account ${account}`), now) <= this.#trunkOwnerRequests;
    if (!accepted) this.counts.dropped++;
    return accepted;
  }

  /** Counts one request. False: drop it. */
  accept(address: string): boolean {
    if (this.isTrusted(address)) return true;
    const now = this.#now();
    const suspect = this.#heard(address);
    if (suspect.bannedUntil > now) {
      this.counts.dropped++;
      return false;
    }
    if (this.#countRequest(suspect, now) <= this.#requests) return true;
    this.#ban(address, suspect, now);
    this.counts.floodBans++;
    this.counts.dropped++;
    return false;
  }

  /** False for a scanner, which is banned unless others at its address are trusted. */
  acceptAgent(address: string, userAgent: string): boolean {
    const agent = userAgent.slice(0, LONGEST_AGENT).toLowerCase();
    if (!SCANNERS.some((scanner) => agent.includes(scanner))) return true;
    this.counts.dropped++;
    if (this.isTrusted(address)) return false;
    this.#ban(address, this.#heard(address), this.#now());
    this.counts.scannerBans++;
    return false;
  }

  /**
   * A wrong password or an unknown user. One at a trusted address must not lock the others there out; at a trunk's address the trunk
   * goes on.
   */
  failedAuthentication(address: string, isTrunk = false): void {
    const now = this.#now();
    const trusted = this.isTrusted(address);
    const suspect = this.#heard(address);
    if (now - suspect.failuresSince > this.#failureWindowMs) {
      suspect.failuresSince = now;
      suspect.failures = 0;
    }
    suspect.failures++;
    // A phone with a wrong password must not lock out those behind the same address, but guessing is bounded.
    if (suspect.failures < (trusted ? TRUSTED_PATIENCE : 1) * this.#failures) return;
    suspect.failures = 0;
    if (trusted) {
      this.#trusted.delete(address);
      return;
    }
    if (isTrunk) suspect.lockedUntil = now + this.#banMs;
    else this.#ban(address, suspect, now);
    this.counts.passwordBans++;
  }

  #ban(address: string, suspect: Suspect, now: number): void {
    suspect.bannedUntil = now + this.#banMs;
    this.#banned(address, this.#banMs);
  }

  /** Pike's two blocks, the older one weighed by how much of it the last window still covers. */
  #countRequest(rate: Rate, now: number): number {
    const window = Math.floor(now / this.#windowMs);
    if (window !== rate.window) {
      rate.previous = window === rate.window + 1 ? rate.current : 0;
      rate.current = 0;
      rate.window = window;
    }
    rate.current++;
    const covered = 1 - (now - window * this.#windowMs) / this.#windowMs;
    return rate.previous * covered + rate.current;
  }

  #rateOf(key: string): Rate {
    const rate = this.#trunks.get(key) ?? { window: 0, current: 0, previous: 0 };
    this.#trunks.delete(key);
    if (this.#trunks.size >= this.#addresses) forgetFirst(this.#trunks);
    this.#trunks.set(key, rate);
    return rate;
  }

  #heard(address: string): Suspect {
    let suspect = this.#suspects.get(address);
    if (suspect === undefined) {
      if (this.#suspects.size >= this.#addresses) forgetFirst(this.#suspects);
      suspect = {
        window: 0,
        current: 0,
        previous: 0,
        bannedUntil: 0,
        lockedUntil: 0,
        failures: 0,
        failuresSince: 0,
      };
    } else this.#suspects.delete(address);
    this.#suspects.set(address, suspect);
    return suspect;
  }
}

function forgetFirst(map: Map<string, unknown>): void {
  for (const first of map.keys()) {
    map.delete(first);
    return;
  }
}
