// Bans of addresses, from node to node: one that floods or guesses passwords at one node is banned at all. A notice that is lost is no
// harm: the other node bans by what it sees itself.
import { isIP } from 'node:net';
import type { Clock } from '../kit/clock.ts';
import type { Notices } from '../sharing/ports/notices.ts';
import type { BanSharing } from '../telephony/telephony.ts';

const TOPIC = 'bans';
/** Bans that come together share a notice, and a flood from many addresses makes no flood of notices. */
const WAIT_MS = 200;
export const MAX_PER_NOTICE = 100;
const MAX_BAN_MS = 3_600_000;

export class SharedBans implements BanSharing {
  readonly #node: string;
  readonly #notices: Notices;
  readonly #clock: Pick<Clock, 'after'>;
  /** By address, until the next notice: for how long. */
  readonly #waiting = new Map<string, number>();
  #unsubscribe: () => void = () => undefined;
  #cancel: (() => void) | null = null;

  constructor(node: string, notices: Notices, clock: Pick<Clock, 'after'>) {
    this.#node = node;
    this.#notices = notices;
    this.#clock = clock;
  }

  banned(address: string, forMs: number): void {
    // Those beyond it are banned here alone.
    if (this.#waiting.size >= MAX_PER_NOTICE) return;
    this.#waiting.set(address, Math.round(forMs));
    this.#cancel ??= this.#clock.after(WAIT_MS, () => {
      this.#cancel = null;
      this.#publish();
    });
  }

  follow(banned: (address: string, forMs: number) => void): void {
    const heard = (text: string): void => {
      const notice = read(text);
      if (notice === null || notice.node === this.#node) return;
      for (const [address, forMs] of notice.bans) banned(address, forMs);
    };
    this.#unsubscribe = this.#notices.subscribe(TOPIC, heard, () => undefined);
  }

  close(): void {
    this.#unsubscribe();
    this.#cancel?.();
    this.#cancel = null;
  }

  #publish(): void {
    const bans = [...this.#waiting];
    this.#waiting.clear();
    void Promise.resolve(this.#notices.publish(TOPIC, JSON.stringify({ node: this.#node, bans }))).catch(
      () => undefined,
    );
  }
}

function read(text: string): { node: string; bans: [string, number][] } | null {
  let notice: { node?: unknown; bans?: unknown } | null;
  try {
    notice = JSON.parse(text) as typeof notice;
  } catch {
    return null;
  }
  const { node, bans } = notice ?? {};
  if (typeof node !== 'string' || !Array.isArray(bans)) return null;
  const isBan = (ban: unknown): ban is [string, number] =>
    Array.isArray(ban) &&
    typeof ban[0] === 'string' &&
    isIP(ban[0]) !== 0 &&
    typeof ban[1] === 'number' &&
    ban[1] > 0 &&
    ban[1] <= MAX_BAN_MS;
  return { node, bans: bans.slice(0, MAX_PER_NOTICE).filter(isBan) };
}
