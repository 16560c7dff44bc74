// The events of one other node's calls: one session there, one loop that fetches what is new, however many accounts are followed. Runs
// only while an account is followed. An answer that is lost ends the session, since its events are gone: followers take it up again
// after the last event they have seen (event-hub.ts).
import { randomUUID } from 'node:crypto';
import {
  type Followed,
  type Following,
  type FollowRefused,
  TelephonesUnavailable,
} from '../calls/control/call-control.ts';
import type { PublishedEvent } from '../calls/events/call-events.ts';
import { ASK_MS, type NodeClient, NodeRefused } from './node-client.ts';
import type { Peer } from './peers.ts';
import { MAX_WAIT_MS, type NextAnswer, type Started } from './relay-sessions.ts';

/** Between questions to a node that drains: its last requests must come to an end. */
const DRAINING_MS = 250;

export class RelayClient {
  readonly #peer: Peer;
  readonly #client: NodeClient;
  #session: RelaySession | null = null;

  constructor(peer: Peer, client: NodeClient) {
    this.#peer = peer;
    this.#client = client;
  }

  /** Rejects with TelephonesUnavailable. */
  async follow(account: string, after: string | null): Promise<Following | FollowRefused> {
    if (!this.#session || this.#session.isOver) this.#session = new RelaySession(this.#peer, this.#client);
    return this.#session.follow(account, after);
  }

  close(): void {
    this.#session?.end();
  }
}

class RelaySession {
  readonly #id = randomUUID();
  readonly #peer: Peer;
  readonly #client: NodeClient;
  readonly #followings = new Map<string, RelayedFollowing>();
  #isRunning = false;
  isOver = false;

  constructor(peer: Peer, client: NodeClient) {
    this.#peer = peer;
    this.#client = client;
  }

  async follow(account: string, after: string | null): Promise<Following | FollowRefused> {
    const session = this.#id;
    // Before the answer: its first events may overtake it.
    const following = new RelayedFollowing(() => this.#unfollow(account, following));
    this.#followings.get(account)?.put(null);
    this.#followings.set(account, following);
    const answer = await this.#client
      .ask(this.#peer, { op: 'follow', session, account, after })
      .catch((error: unknown) => {
        // A refusal concerns this account alone.
        if (!(error instanceof NodeRefused)) this.end();
        else if (this.#followings.get(account) === following) this.#followings.delete(account);
        throw error;
      });
    if (!isStarted(answer)) {
      this.#followings.delete(account);
      return answer === 'account-full' ? 'account-full' : 'all-full';
    }
    following.missed = answer.missed;
    following.position = answer.position;
    void this.#run();
    return following;
  }

  end(): void {
    this.isOver = true;
    for (const following of this.#followings.values()) following.put(null);
    this.#followings.clear();
  }

  #unfollow(account: string, following: RelayedFollowing): void {
    if (this.#followings.get(account) !== following) return;
    this.#followings.delete(account);
    // Unanswered: the other node drops the session when it is no longer asked.
    this.#client.ask(this.#peer, { op: 'unfollow', session: this.#id, account }).catch(() => undefined);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#followings.size > 0 && !this.isOver) {
        const answer = await this.#next();
        for (const { account, followed } of answer.relayed) this.#followings.get(account)?.put(followed);
        if (answer.draining) await new Promise((resolve) => setTimeout(resolve, DRAINING_MS));
      }
    } catch {
      this.end();
    } finally {
      this.#isRunning = false;
    }
  }

  async #next(): Promise<NonNullable<NextAnswer>> {
    const question = { op: 'next', session: this.#id, withinMs: MAX_WAIT_MS } as const;
    const answer = await this.#client.ask(this.#peer, question, MAX_WAIT_MS + ASK_MS);
    if (!isNext(answer)) throw new TelephonesUnavailable('session lost');
    return answer;
  }
}

function isStarted(answer: unknown): answer is Started {
  return typeof answer === 'object' && answer !== null && 'missed' in answer && 'position' in answer;
}

function isNext(answer: unknown): answer is NonNullable<NextAnswer> {
  return (
    typeof answer === 'object' && answer !== null && 'relayed' in answer && Array.isArray(answer.relayed)
  );
}

/** The reader is the hub, which takes everything at once: what is unread here is one answer at most. */
class RelayedFollowing implements Following {
  missed: readonly PublishedEvent[] | null = null;
  position = '';
  readonly #unread: Followed[] = [];
  readonly #closed: () => void;
  #wake: (() => void) | null = null;

  constructor(closed: () => void) {
    this.#closed = closed;
  }

  put(followed: Followed): void {
    this.#unread.push(followed);
    this.#wake?.();
  }

  async next(withinMs: number): Promise<Followed> {
    if (this.#unread.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    const first = this.#unread[0];
    // Once it is over, it stays so.
    if (first === null) return null;
    this.#unread.shift();
    return first ?? [];
  }

  close(): void {
    this.#unread.length = 0;
    this.put(null);
    this.#closed();
  }
}
