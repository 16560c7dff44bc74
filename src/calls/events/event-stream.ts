// The news of each account for those who follow it live. The last of it is kept for a while, so that a follower whose connection
// broke goes on where it was; one who was away for too long is told to look at everything anew.
import type { CallEvent, CallEvents } from './call-events.ts';

/** Events of one account that a returning follower may have missed. */
export const KEPT_EVENTS = 1000;
/** How long it is kept after the last follower has gone. */
export const KEPT_MS = 5 * 60_000;
/** Events that a follower has not read yet; one who falls further behind is sent away, to come back. */
export const MAX_UNREAD = 1000;
export const MAX_FOLLOWERS = 50;

interface Feed {
  readonly kept: CallEvent[];
  readonly followers: Set<Follower>;
  emptyAtMs: number;
}

export class EventStream {
  readonly #feeds = new Map<string, Feed>();
  readonly #stop: () => void;

  constructor(callEvents: CallEvents) {
    this.#stop = callEvents.listen(
      (each) => this.#take(each),
      (accountId) => this.#isFollowed(accountId),
    );
  }

  close(): void {
    this.#stop();
  }

  /** Null when the account has too many followers. `missed` is null when it cannot be told what was missed. */
  follow(
    accountId: string,
    afterId: string | null,
  ): { readonly follower: Follower; readonly missed: readonly CallEvent[] | null } | null {
    this.#forgetQuiet();
    const feed = this.#feeds.get(accountId) ?? { kept: [], followers: new Set(), emptyAtMs: 0 };
    if (feed.followers.size >= MAX_FOLLOWERS) return null;
    this.#feeds.set(accountId, feed);
    const follower = new Follower((gone) => {
      feed.followers.delete(gone);
      feed.emptyAtMs = performance.now();
    });
    feed.followers.add(follower);
    const seen = afterId === null ? -1 : feed.kept.findIndex(({ id }) => id === afterId);
    return { follower, missed: seen < 0 ? null : feed.kept.slice(seen + 1) };
  }

  /** By somebody who is here, or was a moment ago: calls do not pay for those who will not come back. */
  #isFollowed(accountId: string): boolean {
    const feed = this.#feeds.get(accountId);
    if (!feed) return false;
    if (feed.followers.size > 0 || feed.emptyAtMs >= performance.now() - KEPT_MS) return true;
    this.#feeds.delete(accountId);
    return false;
  }

  #take(callEvents: CallEvent): void {
    const feed = this.#feeds.get(callEvents.accountId);
    if (!feed) return;
    feed.kept.push(callEvents);
    // In bites: a shift for every piece of news would move the whole list each time.
    if (feed.kept.length >= 2 * KEPT_EVENTS) feed.kept.splice(0, KEPT_EVENTS);
    for (const follower of feed.followers) follower.tell(callEvents);
  }

  #forgetQuiet(): void {
    const beforeMs = performance.now() - KEPT_MS;
    for (const [accountId, { followers, emptyAtMs }] of this.#feeds)
      if (followers.size === 0 && emptyAtMs < beforeMs) this.#feeds.delete(accountId);
  }
}

export class Follower {
  readonly #gone: (follower: Follower) => void;
  readonly #unread: CallEvent[] = [];
  #wake: (() => void) | null = null;
  #over = false;

  constructor(gone: (follower: Follower) => void) {
    this.#gone = gone;
  }

  tell(callEvents: CallEvent): void {
    if (this.#unread.length >= MAX_UNREAD) this.leave();
    else this.#unread.push(callEvents);
    this.#wake?.();
  }

  /** What there is, or nothing when none came within that time; null once it is over. */
  async next(withinMs: number): Promise<readonly CallEvent[] | null> {
    if (this.#unread.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    return this.#over ? null : this.#unread.splice(0);
  }

  leave(): void {
    if (this.#over) return;
    this.#over = true;
    this.#gone(this);
    this.#wake?.();
  }
}
