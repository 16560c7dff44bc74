import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Following } from '../calls/control/call-control.ts';
import type { PublishedEvent } from '../calls/events/call-events.ts';
import { EventStream, OVERLAP_MS } from '../calls/events/event-stream.ts';
import { newId } from '../domain/id.ts';
import { EventHub, type EventSource } from './event-hub.ts';
import { ASK_MS } from './node-client.ts';

/** A node's telephone side, as far as its events go. */
class Node implements EventSource {
  readonly name: string;
  readonly stream = new EventStream();
  isAway = false;
  follows = 0;
  open: Following[] = [];

  constructor(name: string) {
    this.name = name;
  }

  async follow(accountId: string, afterId: string | null) {
    this.follows += 1;
    if (this.isAway) throw new Error('away');
    const following = this.stream.follow(accountId, afterId);
    if (typeof following !== 'string') this.open.push(following);
    return following;
  }

  publish(text: string, accountId = 'acme', atMs = Date.now()): PublishedEvent {
    const data = { call: {}, text };
    const event: PublishedEvent = { id: newId(atMs), type: 'call.key', accountId, callId: 'c', atMs, data };
    if (this.stream.isKept(accountId)) this.stream.push(event);
    return event;
  }

  /** The connection breaks; its followers take it up again. */
  breakOff(): void {
    for (const following of this.open.splice(0)) following.close();
  }
}

function openHub(...nodes: Node[]) {
  const sources = nodes;
  const hub = new EventHub({ sources: () => sources, node: 'a' });
  return { hub, sources };
}

async function following(hub: EventHub, after: string | null = null): Promise<Following> {
  const found = await hub.follow('acme', after);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

/** Texts of events, and snapshots, until so many came. */
async function read(from: Following, count: number): Promise<unknown[]> {
  const seen: unknown[] = (from.missed ?? []).map(({ data }) => data['text']);
  while (seen.length < count) {
    const followed = await from.next(2000);
    if (followed === null || followed.length === 0) throw new Error(`after ${seen}: ${followed}`);
    if (followed === 'snapshot') seen.push('snapshot');
    else seen.push(...followed.map(({ data }) => data['text']));
  }
  return seen;
}

describe('the hub of events', () => {
  it('sends a follower the events of all nodes, and those of its account alone', async () => {
    const [a, b] = [new Node('a'), new Node('b')];
    const { hub } = openHub(a, b);
    const follower = await following(hub);
    expect(follower.missed).toBeNull();
    a.publish('a1');
    b.publish('foreign', 'other');
    await sleep(1);
    b.publish('b1');
    expect((await read(follower, 2)).toSorted()).toEqual(['a1', 'b1']);
  });

  it('follows each node once per account, and not at all without followers', async () => {
    const b = new Node('b');
    const { hub } = openHub(b);
    const [one, two] = [await following(hub), await following(hub)];
    expect(b.follows).toBe(1);
    one.close();
    expect(b.stream.hasFollowers('acme')).toBe(true);
    two.close();
    expect(b.stream.hasFollowers('acme')).toBe(false);
  });

  it('continues where a follower stopped, also with what happened while nobody followed', async () => {
    const [a, b] = [new Node('a'), new Node('b')];
    const { hub } = openHub(a, b);
    const first = await following(hub);
    const { id } = b.publish('b1');
    a.publish('a1');
    await read(first, 2);
    first.close();
    b.publish('b2');
    a.publish('a2');
    const again = await following(hub, `${id}${first.suffix}`);
    // The events of one node come in order; a1 came behind b1 here, or before it.
    const texts = (again.missed ?? []).map(({ data }) => data['text']);
    expect(texts.filter((text) => text !== 'a1').toSorted()).toEqual(['a2', 'b2']);
  });

  it('loses nothing when the connection to a node breaks', async () => {
    const b = new Node('b');
    const { hub } = openHub(b);
    const follower = await following(hub);
    b.publish('1');
    expect(await read(follower, 1)).toEqual(['1']);
    b.isAway = true;
    b.breakOff();
    b.publish('2');
    await sleep(20);
    b.isAway = false;
    b.publish('3');
    expect(await read(follower, 2)).toEqual(['2', '3']);
  });

  it('begins again with a snapshot when a node has died, and when one has joined', async () => {
    const [a, b] = [new Node('a'), new Node('b')];
    const { hub, sources } = openHub(a, b);
    const follower = await following(hub);
    const { id } = a.publish('a1');
    await read(follower, 1);
    sources.pop();
    hub.sourcesChanged();
    expect(await follower.next(1000)).toBe('snapshot');
    // What came before can no longer be told to be complete.
    expect((await following(hub, `${id}.a`)).missed).toBeNull();
    const c = new Node('c');
    sources.push(c);
    hub.sourcesChanged();
    expect(await follower.next(1000)).toBe('snapshot');
    c.publish('c1');
    expect(await read(follower, 1)).toEqual(['c1']);
  });

  it('does not make a follower wait for a silent node, and sends a snapshot when it answers', async () => {
    const [a, b] = [new Node('a'), new Node('b')];
    b.isAway = true;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { hub } = openHub(a, b);
    let isFollowing = false;
    const opening = following(hub).then((follower) => {
      isFollowing = true;
      return follower;
    });
    await vi.advanceTimersByTimeAsync(ASK_MS + 99);
    expect(isFollowing).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isFollowing).toBe(true);
    const follower = await opening;
    a.publish('a1');
    expect(await read(follower, 1)).toEqual(['a1']);
    b.isAway = false;
    // The next time that it is asked.
    await vi.advanceTimersByTimeAsync(500);
    expect(await follower.next(0)).toBe('snapshot');
    vi.useRealTimers();
  });

  it('takes up at one node what was followed at another: nothing is lost, some events may come twice', async () => {
    const [a, b] = [new Node('a'), new Node('b')];
    const other = new EventHub({ sources: () => [a, b], node: 'z' });
    const nowMs = Date.now();
    const first = await following(other);
    vi.useFakeTimers({ now: nowMs + 60_000, toFake: ['Date'] });
    a.publish('long before', 'acme', nowMs + 60_000 - 2 * OVERLAP_MS);
    a.publish('just before', 'acme', nowMs + 60_000 - 1);
    const { id } = b.publish('last seen', 'acme', nowMs + 60_000);
    await read(first, 3);
    first.close();
    a.publish('after');
    const { hub } = openHub(a, b);
    const again = await following(hub, `${id}${first.suffix}`);
    expect(again.missed?.map(({ data }) => data['text'])).toEqual(['just before', 'after']);
    // A node that was not followed then may have lost some: a snapshot.
    const later = new EventHub({ sources: () => [a, new Node('c')], node: 'y' });
    expect((await following(later, `${id}.z`)).missed).toBeNull();
    vi.useRealTimers();
  });
});
