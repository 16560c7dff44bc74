// The events of each account for clients that follow them live (SSE). The latest events are kept for a while, so that a client
// that reconnects continues where it stopped; one that was away for longer starts again from a snapshot.
import { FairPool } from '../../fair-share.ts';
import type { CallEvents, PublishedEvent } from './call-events.ts';

/** Events of one account that are kept for clients that reconnect. */
export const KEPT_EVENTS = 1000;
/** How long they are kept after the last client has left. */
export const KEPT_MS = 5 * 60_000;
/** Unread events of one client; one that falls further behind is disconnected, and reconnects. */
export const MAX_UNREAD = 1000;
export const MAX_FOLLOWERS = 50;
/** Of all accounts: half of the connections that there may be, so that requests find one. */
export const MAX_FOLLOWERS_IN_ALL = 5_000;

interface AccountStream {
  readonly kept: PublishedEvent[];
  readonly followers: Set<Follower>;
  emptyAtMs: number;
}

export class EventStream {
  readonly #streams = new Map<string, AccountStream>();
  readonly #places = new FairPool({ total: MAX_FOLLOWERS_IN_ALL, perAccount: MAX_FOLLOWERS });
  readonly #unsubscribe: () => void;

  constructor(callEvents: CallEvents) {
    this.#unsubscribe = callEvents.subscribe(
      (event) => this.#push(event),
      (accountId) => this.#isFollowed(accountId),
    );
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Whether the service follows as many as it may, of whatever account. */
  get isFull(): boolean {
    return this.#places.inUse >= MAX_FOLLOWERS_IN_ALL;
  }

  /** Null: there are too many followers. `missed` is null when the events since `afterId` are no longer kept. */
  follow(
    accountId: string,
    afterId: string | null,
  ): { readonly follower: Follower; readonly missed: readonly PublishedEvent[] | null } | null {
    this.#dropAbandoned();
    const release = this.#places.take(accountId);
    if (!release) return null;
    const stream = this.#streams.get(accountId) ?? { kept: [], followers: new Set(), emptyAtMs: 0 };
    this.#streams.set(accountId, stream);
    const follower = new Follower((left) => {
      stream.followers.delete(left);
      stream.emptyAtMs = performance.now();
    }, release);
    stream.followers.add(follower);
    const seen = afterId === null ? -1 : stream.kept.findIndex(({ id }) => id === afterId);
    return { follower, missed: seen < 0 ? null : stream.kept.slice(seen + 1) };
  }

  /** Now, or within the last KEPT_MS: otherwise no event is built for this stream. */
  #isFollowed(accountId: string): boolean {
    const stream = this.#streams.get(accountId);
    if (!stream) return false;
    if (stream.followers.size > 0 || stream.emptyAtMs >= performance.now() - KEPT_MS) return true;
    this.#streams.delete(accountId);
    return false;
  }

  #push(event: PublishedEvent): void {
    const stream = this.#streams.get(event.accountId);
    if (!stream) return;
    stream.kept.push(event);
    // Many at once: a shift per event would move the whole list each time.
    if (stream.kept.length >= 2 * KEPT_EVENTS) stream.kept.splice(0, KEPT_EVENTS);
    for (const follower of stream.followers) follower.push(event);
  }

  #dropAbandoned(): void {
    const beforeMs = performance.now() - KEPT_MS;
    for (const [accountId, { followers, emptyAtMs }] of this.#streams)
      if (followers.size === 0 && emptyAtMs < beforeMs) this.#streams.delete(accountId);
  }
}

export class Follower {
  readonly #left: (follower: Follower) => void;
  readonly #unread: PublishedEvent[] = [];
  #wake: (() => void) | null = null;
  #isOver = false;

  /** Gives back its place, which it has for as long as its connection: one that does not read still takes memory. */
  readonly close: () => void;

  constructor(left: (follower: Follower) => void, release: () => void) {
    this.#left = left;
    this.close = () => {
      this.leave();
      release();
    };
  }

  push(event: PublishedEvent): void {
    if (this.#unread.length >= MAX_UNREAD) this.leave();
    else this.#unread.push(event);
    this.#wake?.();
  }

  /** The unread events, none after `withinMs` without any; null once the follower has left. */
  async next(withinMs: number): Promise<readonly PublishedEvent[] | null> {
    if (this.#unread.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    return this.#isOver ? null : this.#unread.splice(0);
  }

  /** No more events: the client has not read those before, or is gone. */
  leave(): void {
    if (this.#isOver) return;
    this.#unread.length = 0;
    this.#isOver = true;
    this.#left(this);
    this.#wake?.();
  }
}
