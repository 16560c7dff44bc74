// The events of all nodes in one stream per account, for the followers of this node. A source (this node's telephone side, another node) is
// followed once per account, only while the account has followers here, and taken up again after the last event that came from it.
// Events of one call come from one node, in order; the order between nodes is that of arrival.

import type { Following, FollowRefused } from '../calls/control/call-control.ts';
import { LIVE_CHANGED } from '../calls/events/call-events.ts';
import { EventStream } from '../calls/events/event-stream.ts';
import { ASK_MS } from './node-client.ts';

export interface EventSource {
  /** The name of one start of a node: after a restart it is another source. */
  readonly name: string;
  follow(accountId: string, afterId: string | null): Promise<Following | FollowRefused>;
}

export interface HubParts {
  readonly sources: () => readonly EventSource[];
  /** The id of this node; null: there are no others, and ids of events stay as they are. */
  readonly node: string | null;
}

/** A follower waits for sources that do not answer no longer than a list does. */
const OPEN_MS = ASK_MS + 100;
const RETRY_MS = 500;
const WAIT_MS = 15_000;

interface Account {
  readonly links: Map<string, Link>;
  /** How far each source was read. */
  readonly last: Map<string, string>;
  /** Followers that wait for the sources. */
  opening: number;
}

export class EventHub {
  readonly #parts: HubParts;
  readonly #stream: EventStream;
  readonly #accounts = new Map<string, Account>();

  constructor(parts: HubParts) {
    this.#parts = parts;
    const suffix = parts.node === null ? '' : `.${parts.node}`;
    this.#stream = new EventStream({ suffix, lastLeft: (accountId) => this.#unlink(accountId) });
  }

  async follow(accountId: string, lastEventId: string | null): Promise<Following | FollowRefused> {
    const release = this.#stream.takePlace(accountId);
    if (typeof release === 'string') return release;
    this.#dropAbandoned();
    const [afterId = null, node] = lastEventId?.split('.', 2) ?? [];
    const isForeign = this.#parts.node !== null && node !== this.#parts.node;
    const account = this.#accounts.get(accountId) ?? { links: new Map(), last: new Map(), opening: 0 };
    this.#accounts.set(accountId, account);
    // The sources may have what this node has not: a source that has not either begins the stream again.
    if (!this.#stream.isKept(accountId) && afterId !== null) this.#stream.restart(accountId, 0);
    account.opening += 1;
    const isComplete = await this.#open(accountId, account, afterId);
    account.opening -= 1;
    return this.#stream.followAt(accountId, isComplete ? afterId : null, release, isForeign);
  }

  /** Nodes came or went. */
  sourcesChanged(): void {
    const sources = this.#parts.sources();
    const isThere = (name: string): boolean => sources.some((source) => source.name === name);
    for (const [accountId, account] of this.#accounts) {
      for (const name of account.last.keys()) if (!isThere(name)) account.last.delete(name);
      if (account.links.size === 0) continue;
      for (const [name, link] of account.links) {
        if (isThere(name)) continue;
        link.close();
        account.links.delete(name);
        // Its calls are gone, and their last events may be, too.
        this.#stream.restart(accountId);
      }
      this.#link(accountId, account, sources, null);
    }
  }

  close(): void {
    for (const { links } of this.#accounts.values()) for (const link of links.values()) link.close();
    this.#accounts.clear();
  }

  /** False: a source did not answer in time. */
  async #open(accountId: string, account: Account, afterId: string | null): Promise<boolean> {
    this.#link(accountId, account, this.#parts.sources(), afterId);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, OPEN_MS, false);
    });
    const opened = Promise.all([...account.links.values()].map((link) => link.opened)).then(() => true);
    const isComplete = await Promise.race([opened, late]);
    clearTimeout(timer);
    return isComplete;
  }

  #link(accountId: string, account: Account, sources: readonly EventSource[], afterId: string | null): void {
    for (const source of sources) {
      if (account.links.has(source.name)) continue;
      const after = account.last.get(source.name) ?? afterId;
      account.links.set(source.name, new Link(accountId, source, after, this.#stream, account.last));
    }
  }

  #unlink(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account || account.opening > 0) return;
    for (const link of account.links.values()) link.close();
    account.links.clear();
  }

  #dropAbandoned(): void {
    for (const [accountId, { links, opening }] of this.#accounts)
      if (links.size === 0 && opening === 0 && !this.#stream.isKept(accountId))
        this.#accounts.delete(accountId);
  }
}

/** One source of one account. */
class Link {
  readonly #accountId: string;
  readonly #source: EventSource;
  readonly #stream: EventStream;
  readonly #last: Map<string, string>;
  #after: string | null;
  #following: Following | null = null;
  #isClosed = false;
  #open: () => void = () => undefined;
  /** The source has answered for the first time. */
  readonly opened: Promise<void> = new Promise((resolve) => {
    this.#open = resolve;
  });

  constructor(
    accountId: string,
    source: EventSource,
    after: string | null,
    stream: EventStream,
    last: Map<string, string>,
  ) {
    this.#accountId = accountId;
    this.#source = source;
    this.#stream = stream;
    this.#last = last;
    this.#after = after;
    void this.#run();
  }

  close(): void {
    this.#isClosed = true;
    this.#following?.close();
    this.#open();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const following = await this.#source.follow(this.#accountId, this.#after).catch(() => null);
      if (following === null || typeof following === 'string') {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        continue;
      }
      this.#following = following;
      if (this.#isClosed) following.close();
      else await this.#read(following);
    }
  }

  async #read(following: Following): Promise<void> {
    this.#put(following.missed ?? 'snapshot');
    if (following.missed === null) this.#seen(following.position);
    this.#open();
    for (;;) {
      const followed = await following.next(WAIT_MS).catch(() => null);
      if (this.#isClosed || followed === null) break;
      this.#put(followed);
    }
    following.close();
  }

  #put(followed: NonNullable<Awaited<ReturnType<Following['next']>>>): void {
    if (followed === 'snapshot') this.#stream.restart(this.#accountId);
    else for (const event of followed) if (event.accountId === this.#accountId) this.#stream.push(event);
    const last = followed === 'snapshot' ? undefined : followed.findLast(({ type }) => type !== LIVE_CHANGED);
    if (last) this.#seen(last.id);
  }

  #seen(id: string): void {
    this.#after = id;
    this.#last.set(this.#source.name, id);
  }
}
