// The events of this node's calls for other nodes. A node has one session here, with the accounts that its own followers follow, and asks
// for what is new: one request under way per pair of nodes, however many accounts. An account's next batch is read from its source
// when the former one was fetched, so that unread events stay in the source's bounded buffer.
import type { CallControl, Followed, Following, FollowRefused } from '../calls/control/call-control.ts';

/** A node that asks nothing for so long is gone. */
export const SESSION_MS = 30_000;
const SWEEP_MS = 5_000;
const SOURCE_WAIT_MS = 15_000;
export const MAX_WAIT_MS = 10_000;
/** Events that come together travel together. */
const GATHER_MS = 10;
/** In one answer, unless a single account has more. */
const MAX_EVENTS = 2_000;
const MAX_SESSIONS = 256;

export type Started = Pick<Following, 'missed' | 'position'>;

export interface Relayed {
  readonly account: string;
  readonly followed: Followed;
}

/** Null if the session is not known here. */
export type NextAnswer = { readonly relayed: readonly Relayed[]; readonly draining: boolean } | null;

interface Feed {
  readonly following: Following;
  /** Fetched: the next batch may be read. */
  fetched: (() => void) | null;
  unfetched: Followed | undefined;
}

interface Session {
  readonly id: string;
  readonly feeds: Map<string, Feed>;
  usedMs: number;
  /** Ends the wait of the request under way. */
  wake: (() => void) | null;
}

export interface RelayParts {
  /** Null if SIP is off. */
  readonly own: () => CallControl | null;
  readonly isDraining: () => boolean;
}

export class RelaySessions {
  readonly #parts: RelayParts;
  /** By the id of the asking node. */
  readonly #sessions = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#sweep = setInterval(() => this.#dropSilent(), SWEEP_MS).unref();
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const node of [...this.#sessions.keys()]) this.#end(node);
  }

  /** Ends waiting requests: a node that drains does not wait for them. */
  wakeAll(): void {
    for (const { wake } of this.#sessions.values()) wake?.();
  }

  async follow(
    node: string,
    id: string,
    account: string,
    after: string | null,
  ): Promise<Started | FollowRefused> {
    const own = this.#parts.own();
    const session = this.#open(node, id);
    if (!own || !session) return 'all-full';
    const following = await own.follow(account, after);
    if (typeof following === 'string') return following;
    // The session was replaced meanwhile, or the account is followed twice.
    if (this.#sessions.get(node) !== session) {
      following.close();
      return 'all-full';
    }
    this.#stop(session, account);
    const feed: Feed = { following, fetched: null, unfetched: undefined };
    session.feeds.set(account, feed);
    void this.#pump(session, account, feed);
    return { missed: following.missed, position: following.position };
  }

  unfollow(node: string, id: string, account: string): void {
    const session = this.#sessions.get(node);
    if (session?.id === id) this.#stop(session, account);
  }

  async next(node: string, id: string, withinMs: number): Promise<NextAnswer> {
    const session = this.#sessions.get(node);
    if (session?.id !== id) return null;
    session.usedMs = performance.now();
    session.wake?.();
    if (!hasNews(session) && !this.#parts.isDraining()) {
      await waitFor(session, Math.min(withinMs, MAX_WAIT_MS));
      if (hasNews(session)) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
    session.usedMs = performance.now();
    return { relayed: takeUnfetched(session), draining: this.#parts.isDraining() };
  }

  async #pump(session: Session, account: string, feed: Feed): Promise<void> {
    for (;;) {
      const followed = await feed.following.next(SOURCE_WAIT_MS).catch(() => null);
      if (session.feeds.get(account) !== feed) return;
      if (followed?.length === 0) continue;
      feed.unfetched = followed;
      const fetched = new Promise<void>((resolve) => {
        feed.fetched = resolve;
      });
      session.wake?.();
      await fetched;
      if (followed === null) return this.#stop(session, account);
    }
  }

  #open(node: string, id: string): Session | null {
    const present = this.#sessions.get(node);
    if (present?.id === id) return present;
    if (!present && this.#sessions.size >= MAX_SESSIONS) return null;
    // The node has started again, or has lost an answer: it follows anew.
    this.#end(node);
    const session: Session = { id, feeds: new Map(), usedMs: performance.now(), wake: null };
    this.#sessions.set(node, session);
    return session;
  }

  #end(node: string): void {
    const session = this.#sessions.get(node);
    if (!session) return;
    this.#sessions.delete(node);
    for (const account of [...session.feeds.keys()]) this.#stop(session, account);
    session.wake?.();
  }

  #stop(session: Session, account: string): void {
    const feed = session.feeds.get(account);
    session.feeds.delete(account);
    feed?.following.close();
    feed?.fetched?.();
  }

  #dropSilent(): void {
    const beforeMs = performance.now() - SESSION_MS;
    for (const [node, { usedMs }] of this.#sessions) if (usedMs < beforeMs) this.#end(node);
  }
}

function hasNews({ feeds }: Session): boolean {
  for (const { unfetched } of feeds.values()) if (unfetched !== undefined) return true;
  return false;
}

function waitFor(session: Session, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => wake(), withinMs);
    const wake = (): void => {
      clearTimeout(timer);
      if (session.wake === wake) session.wake = null;
      resolve();
    };
    session.wake = wake;
  });
}

function takeUnfetched({ feeds }: Session): Relayed[] {
  const relayed: Relayed[] = [];
  let events = 0;
  for (const [account, feed] of feeds) {
    const { unfetched: followed } = feed;
    if (followed === undefined) continue;
    const count = Array.isArray(followed) ? followed.length : 0;
    if (relayed.length > 0 && events + count > MAX_EVENTS) break;
    events += count;
    relayed.push({ account, followed });
    feed.unfetched = undefined;
    feed.fetched?.();
  }
  return relayed;
}
