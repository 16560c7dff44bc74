// The events of each account for clients that follow them live (SSE). The latest events are kept for a while, so that a client
// that reconnects continues where it stopped; one that was away for longer starts again from a snapshot.
import { firstIdAt, newId } from '../../domain/id.ts';
import { FairPool } from '../../kit/fair-share.ts';
import type { Followed, Following, FollowRefused } from '../control/call-control.ts';
import { LIVE_CHANGED, type PublishedEvent } from './call-events.ts';

/** Events of one account that are kept for clients that reconnect. */
export const KEPT_EVENTS = 1000;
/** How long they are kept after the last client has left. */
export const KEPT_MS = 5 * 60_000;
/** Unread events of one client; one that falls further behind is disconnected, and reconnects. */
export const MAX_UNREAD = 1000;
export const MAX_FOLLOWERS = 50;
/** The followers of all accounts: half of the connections that there may be, so that requests find one. */
export const MAX_FOLLOWERS_IN_ALL = 5_000;

/** An event that is not known here, from another node: events are repeated from so long before it, by the clocks of two nodes. */
export const OVERLAP_MS = 2_000;

interface AccountStream {
  readonly kept: PublishedEvent[];
  /** The id of the event before the first one that is kept, or made up. */
  beforeId: string;
  /** All events with a later id are kept. By the clock of ids: the machine's may be set back. */
  completeSinceMs: number;
  readonly followers: Set<Follower>;
  emptyAtMs: number;
}

interface StreamOptions {
  readonly lastLeft?: (accountId: string) => void;
  /** See Following. */
  readonly suffix?: string;
}

export class EventStream {
  readonly #streams = new Map<string, AccountStream>();
  readonly #places = new FairPool({ total: MAX_FOLLOWERS_IN_ALL, perAccount: MAX_FOLLOWERS });
  readonly #options: StreamOptions;

  constructor(options: StreamOptions = {}) {
    this.#options = options;
  }

  /** The function that gives a place back. */
  takePlace(accountId: string): (() => void) | FollowRefused {
    const release = this.#places.take(accountId);
    return release ?? (this.#places.inUse >= MAX_FOLLOWERS_IN_ALL ? 'all-full' : 'account-full');
  }

  follow(accountId: string, afterId: string | null): Follower | FollowRefused {
    const release = this.takePlace(accountId);
    return typeof release === 'string' ? release : this.followAt(accountId, afterId, release);
  }

  /** At a place that was taken before. `isForeign`: the order here is not the one in which the follower saw its events. */
  followAt(accountId: string, afterId: string | null, release: () => void, isForeign = false): Follower {
    this.#dropAbandoned();
    const stream = this.#streamOf(accountId);
    const missed = afterId === null ? null : missedOf(stream, afterId, isForeign);
    const position = stream.kept.at(-1)?.id ?? stream.beforeId;
    const { suffix = '' } = this.#options;
    const follower = new Follower({ missed, position, suffix }, release, (left) => {
      stream.followers.delete(left);
      if (stream.followers.size > 0) return;
      stream.emptyAtMs = performance.now();
      this.#options.lastLeft?.(accountId);
    });
    stream.followers.add(follower);
    return follower;
  }

  hasFollowers(accountId: string): boolean {
    return (this.#streams.get(accountId)?.followers.size ?? 0) > 0;
  }

  /** Accounts that have followers. */
  get followed(): Iterable<string> {
    return [...this.#streams]
      .filter(([, { followers }]) => followers.size > 0)
      .map(([accountId]) => accountId);
  }

  /** Followed now, or within the last KEPT_MS: otherwise no event is built for this stream. */
  isKept(accountId: string): boolean {
    const stream = this.#streams.get(accountId);
    if (!stream) return false;
    if (stream.followers.size > 0 || stream.emptyAtMs >= performance.now() - KEPT_MS) return true;
    this.#streams.delete(accountId);
    return false;
  }

  push(event: PublishedEvent): void {
    const stream = this.#streams.get(event.accountId);
    if (!stream) return;
    // A notice is for those who follow now.
    if (event.type !== LIVE_CHANGED) this.#keep(stream, event);
    for (const follower of stream.followers) follower.push(event);
  }

  #keep(stream: AccountStream, event: PublishedEvent): void {
    stream.kept.push(event);
    // Many at once: a shift per event would move the whole list each time.
    if (stream.kept.length >= 2 * KEPT_EVENTS) {
      const last = stream.kept.splice(0, KEPT_EVENTS).at(-1);
      stream.beforeId = last?.id ?? stream.beforeId;
      stream.completeSinceMs = Math.max(stream.completeSinceMs, timeOfId(stream.beforeId));
    }
  }

  /** Events may be missing up to now: followers begin again, and none is taken up where it stopped before. */
  restart(accountId: string, completeSinceMs?: number): void {
    const stream = this.#streamOf(accountId);
    stream.kept.length = 0;
    stream.beforeId = newId(Date.now());
    stream.completeSinceMs = completeSinceMs ?? timeOfId(stream.beforeId);
    for (const follower of stream.followers) follower.restart();
  }

  #streamOf(accountId: string): AccountStream {
    const known = this.#streams.get(accountId);
    if (known) return known;
    const [beforeId, emptyAtMs] = [newId(Date.now()), performance.now()];
    const followers = new Set<Follower>();
    const made = { kept: [], beforeId, completeSinceMs: timeOfId(beforeId), followers, emptyAtMs };
    this.#streams.set(accountId, made);
    return made;
  }

  #dropAbandoned(): void {
    const beforeMs = performance.now() - KEPT_MS;
    for (const [accountId, { followers, emptyAtMs }] of this.#streams)
      if (followers.size === 0 && emptyAtMs < beforeMs) this.#streams.delete(accountId);
  }
}

/** Null if not all of them are kept. */
function missedOf(
  { kept, beforeId, completeSinceMs }: AccountStream,
  afterId: string,
  isForeign: boolean,
): PublishedEvent[] | null {
  const seen = isForeign ? -1 : kept.findIndex(({ id }) => id === afterId);
  if (seen >= 0 || afterId === beforeId) return kept.slice(seen + 1);
  const fromMs = timeOfId(afterId) - OVERLAP_MS;
  // NaN: not an id of ours.
  if (!(fromMs >= completeSinceMs)) return null;
  const fromId = firstIdAt(fromMs);
  return kept.filter(({ id }) => id >= fromId && id !== afterId);
}

/** The time of a UUIDv7; NaN for any other text. */
function timeOfId(id: string): number {
  const [, high = '', low = ''] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(id) ?? [];
  return Number.parseInt(high + low, 16);
}

export class Follower implements Following {
  readonly missed: readonly PublishedEvent[] | null;
  readonly position: string;
  readonly suffix: string;
  readonly #release: () => void;
  readonly #left: (follower: Follower) => void;
  readonly #unread: PublishedEvent[] = [];
  #wake: (() => void) | null = null;
  #isOver = false;
  #mustRestart = false;

  constructor(
    from: Required<Pick<Following, 'missed' | 'position' | 'suffix'>>,
    release: () => void,
    left: (follower: Follower) => void,
  ) {
    this.missed = from.missed;
    this.position = from.position;
    this.suffix = from.suffix;
    this.#release = release;
    this.#left = left;
  }

  /** The place is held for as long as the connection: one that does not read still takes memory. */
  close(): void {
    this.#leave();
    this.#release();
  }

  push(event: PublishedEvent): void {
    if (event.type === LIVE_CHANGED && this.#unread.at(-1)?.type === LIVE_CHANGED) return;
    if (this.#unread.length >= MAX_UNREAD) this.#leave();
    else this.#unread.push(event);
    this.#wake?.();
  }

  /** What is unread is part of the snapshot that the reader gets instead. */
  restart(): void {
    this.#unread.length = 0;
    this.#mustRestart = true;
    this.#wake?.();
  }

  async next(withinMs: number): Promise<Followed> {
    if (this.#unread.length === 0 && !this.#isOver && !this.#mustRestart) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    if (this.#isOver) return null;
    if (!this.#mustRestart) return this.#unread.splice(0);
    this.#mustRestart = false;
    return 'snapshot';
  }

  /** No more events: the client has not read those before, or is gone. */
  #leave(): void {
    if (this.#isOver) return;
    this.#unread.length = 0;
    this.#isOver = true;
    this.#left(this);
    this.#wake?.();
  }
}
