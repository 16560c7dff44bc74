// The live state of accounts, pushed to all who follow it. Of each account that is followed one watch reads the view of all nodes after
// every notice of a change, and sends what differs: sixty open consoles cost the telephone side as much as one.

import type { CallControl, Followed, Following, FollowRefused } from '../../calls/control/call-control.ts';
import type { PublishedEvent } from '../../calls/events/call-events.ts';
import { LIVE_CHANGED } from '../../calls/events/call-events.ts';
import { FairPool } from '../../kit/fair-share.ts';
import { eventText } from './event-text.ts';
import { changeText, type LiveRows, rowsOf, wholeText } from './live-rows.ts';

/** Open pages of one account: every agent of a large office has one, and some have two. */
export const MAX_READERS = 500;
/** Open pages of all accounts. Together with the readers that follow calls they are fewer than the connections that there may be. */
export const MAX_READERS_IN_ALL = 3_000;
/** Unread pieces of one reader; one that falls further behind gets a snapshot instead. */
export const MAX_PIECES = 100;
/** Between two views of one account. */
const READ_MS = 150;
const WAIT_MS = 15_000;
const RETRY_MS = 2_000;

type LiveControl = Pick<CallControl, 'liveOf' | 'follow'>;

export class LiveWatches {
  readonly #watches = new Map<string, Watch>();
  readonly #places = new FairPool({ total: MAX_READERS_IN_ALL, perAccount: MAX_READERS });

  follow(control: LiveControl, accountId: string): LiveReader | FollowRefused {
    const release = this.#places.take(accountId);
    if (!release) return this.#places.inUse >= MAX_READERS_IN_ALL ? 'all-full' : 'account-full';
    let watch = this.#watches.get(accountId);
    if (!watch) {
      const made: Watch = new Watch(control, accountId, () => {
        if (this.#watches.get(accountId) === made) this.#watches.delete(accountId);
      });
      watch = made;
      this.#watches.set(accountId, watch);
    }
    return watch.add(release);
  }
}

class Watch {
  readonly #control: LiveControl;
  readonly #accountId: string;
  readonly #readers = new Set<LiveReader>();
  readonly #over: () => void;
  #rows: LiveRows | null = null;
  #following: Following | null = null;
  #isOver = false;

  constructor(control: LiveControl, accountId: string, over: () => void) {
    this.#control = control;
    this.#accountId = accountId;
    this.#over = over;
  }

  add(release: () => void): LiveReader {
    const snapshot = (): string | null =>
      this.#rows && `event: snapshot\ndata: ${wholeText(this.#rows, Date.now())}\n\n`;
    const reader: LiveReader = new LiveReader(snapshot, () => {
      release();
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#end();
    });
    this.#readers.add(reader);
    if (this.#readers.size === 1) void this.#run();
    return reader;
  }

  #end(): void {
    this.#isOver = true;
    this.#following?.close();
    this.#over();
  }

  async #run(): Promise<void> {
    for (let isFirst = true; !this.#isOver; ) {
      const following = await this.#control.follow(this.#accountId, null).catch(() => null);
      await this.#read();
      if (following === null || typeof following === 'string') {
        await wait(RETRY_MS);
        continue;
      }
      this.#following = following;
      if (!isFirst) this.#beginAgain();
      isFirst = false;
      if (!this.#isOver) await this.#follow(following);
      following.close();
    }
  }

  async #follow(following: Following): Promise<void> {
    for (;;) {
      const followed: Followed = await following.next(WAIT_MS).catch(() => null);
      if (followed === null || this.#isOver) return;
      if (followed !== 'snapshot') this.#pass(followed);
      await this.#read();
      if (followed === 'snapshot') this.#beginAgain();
      await wait(READ_MS);
    }
  }

  /** Events may have been missed: a snapshot says so. */
  #beginAgain(): void {
    for (const reader of this.#readers) reader.beginAgain();
  }

  #pass(events: readonly PublishedEvent[]): void {
    const texts = events.filter(({ type }) => type !== LIVE_CHANGED).map((event) => eventText(event, ''));
    if (texts.length > 0) this.#push(texts.join(''));
  }

  /** Unanswered: readers keep what they have. */
  async #read(): Promise<void> {
    const view = await this.#control.liveOf({ account: this.#accountId }).catch(() => null);
    if (view === null) return;
    const before = this.#rows;
    const rows = rowsOf(view);
    this.#rows = rows;
    const change = before === null ? null : changeText(before, rows);
    if (before === null) for (const reader of this.#readers) reader.wake();
    else if (change !== null) this.#push(`event: change\ndata: ${change}\n\n`);
  }

  #push(text: string): void {
    for (const reader of this.#readers) reader.push(text);
  }
}

/** One connection. */
export class LiveReader {
  readonly #snapshot: () => string | null;
  readonly #closed: () => void;
  #unread: string[] = [];
  /** The reader begins, or again, with a snapshot; what comes before it is part of it. */
  #mustBegin = true;
  #isOver = false;
  #wake: (() => void) | null = null;

  constructor(snapshot: () => string | null, closed: () => void) {
    this.#snapshot = snapshot;
    this.#closed = closed;
  }

  push(text: string): void {
    if (this.#mustBegin) return;
    if (this.#unread.length >= MAX_PIECES) this.beginAgain();
    else this.#unread.push(text);
    this.wake();
  }

  beginAgain(): void {
    this.#unread = [];
    this.#mustBegin = true;
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#closed();
    this.wake();
  }

  /** What is unread; empty after `withinMs` without any, null: closed. */
  async next(withinMs: number): Promise<string | null> {
    if (!this.#hasSomething()) await this.#wait(withinMs);
    if (this.#isOver) return null;
    if (this.#mustBegin) {
      const text = this.#snapshot();
      if (text === null) return '';
      this.#mustBegin = false;
      this.#unread = [];
      return text;
    }
    const text = this.#unread.join('');
    this.#unread = [];
    return text;
  }

  #hasSomething(): boolean {
    if (this.#isOver || this.#unread.length > 0) return true;
    return this.#mustBegin && this.#snapshot() !== null;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
