import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallControl, Following } from '../calls/control/call-control.ts';
import type { PublishedEvent } from '../calls/events/call-events.ts';
import { EventStream, MAX_UNREAD } from '../calls/events/event-stream.ts';
import { newId } from '../domain/id.ts';
import { type NodeClient, NodeRefused } from './node-client.ts';
import type { NodeQuestion } from './node-question.ts';
import { NodeServer } from './node-server.ts';
import { RelayClient } from './relay-client.ts';

const PEER = { id: 'b', run: '1', url: 'http://b' };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Node B, and what node A asks of it. */
function openPair() {
  const stream = new EventStream();
  const state = { isDraining: false, isAway: false, refused: '', asked: [] as string[] };
  const own = { follow: async (id: string, after: string | null) => stream.follow(id, after) };
  const server = new NodeServer({
    machine: () => Promise.reject(new Error('not asked here')),
    soundPart: async () => null,
    own: () => own as unknown as CallControl,
    isDraining: () => state.isDraining,
  });
  const ask = async (_peer: unknown, question: NodeQuestion): Promise<unknown> => {
    state.asked.push(question.op);
    if (state.isAway) throw new Error('away');
    if ('account' in question && question.account === state.refused) throw new NodeRefused('400');
    const answer = await server.answer('a', question);
    if (state.isAway) throw new Error('the answer is lost');
    return JSON.parse(JSON.stringify(answer ?? null));
  };
  const client = new RelayClient(PEER, { ask } as unknown as NodeClient);
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  const publish = (text: string, accountId = 'acme'): PublishedEvent => {
    const atMs = Date.now();
    const data = { call: {}, text };
    const event: PublishedEvent = { id: newId(atMs), type: 'call.key', accountId, callId: 'c', atMs, data };
    stream.push(event);
    return event;
  };
  return { client, server, stream, state, publish };
}

async function opened(found: Promise<Following | string>): Promise<Following> {
  const following = await found;
  if (typeof following === 'string') throw new Error(following);
  return following;
}

async function texts(from: Following, count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  while (seen.length < count) {
    const followed = await from.next(2000);
    if (followed === null || followed === 'snapshot' || followed.length === 0)
      throw new Error(String(followed));
    seen.push(...followed.map(({ data }) => data['text']));
  }
  return seen;
}

describe('events of another node', () => {
  it('come in order, each account to its own follower', async () => {
    const { client, publish } = openPair();
    const acme = await opened(client.follow('acme', null));
    const other = await opened(client.follow('other', null));
    expect(acme.missed).toBeNull();
    for (let count = 0; count < 20; count++) publish(String(count), count % 2 === 0 ? 'acme' : 'other');
    expect(await texts(acme, 10)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map(String));
    expect(await texts(other, 10)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19].map(String));
  });

  it('are asked for only while an account is followed', async () => {
    const { client, stream, state, publish } = openPair();
    const acme = await opened(client.follow('acme', null));
    publish('1');
    await texts(acme, 1);
    acme.close();
    await sleep(20);
    expect(stream.hasFollowers('acme')).toBe(false);
    publish('2');
    await sleep(50);
    const { length } = state.asked;
    await sleep(50);
    expect(state.asked).toHaveLength(length);
    expect(state.asked).toContain('unfollow');
  });

  it('end for the follower when an answer is lost, and are taken up again after the last one seen', async () => {
    const { client, state, publish } = openPair();
    const first = await opened(client.follow('acme', null));
    const { id } = publish('1');
    await texts(first, 1);
    state.isAway = true;
    publish('2');
    expect(await first.next(2000)).toBeNull();
    expect(await first.next(1)).toBeNull();
    state.isAway = false;
    const again = await opened(client.follow('acme', id));
    expect(again.missed?.map(({ data }) => data['text'])).toEqual(['2']);
    publish('3');
    expect(await texts(again, 1)).toEqual(['3']);
  });

  it('go on for the other accounts when the node refuses to send those of one', async () => {
    const { client, state, publish } = openPair();
    const acme = await opened(client.follow('acme', null));
    state.refused = 'other';
    await expect(client.follow('other', 'x'.repeat(300))).rejects.toThrow(NodeRefused);
    publish('1');
    expect(await texts(acme, 1)).toEqual(['1']);
    state.refused = '';
    const other = await opened(client.follow('other', null));
    publish('2', 'other');
    expect(await texts(other, 1)).toEqual(['2']);
  });

  it('end for a reader that falls behind, instead of filling memory', async () => {
    const { server, publish } = openPair();
    await server.answer('a', { op: 'follow', session: 's', account: 'acme', after: null });
    // One batch is on its way, the rest waits at the source, until it is too much.
    publish('first');
    await sleep(5);
    for (let count = 0; count <= MAX_UNREAD; count++) publish(String(count));
    const next = { op: 'next', session: 's', withinMs: 100 } as const;
    const first = (await server.answer('a', next)) as { relayed: { followed: unknown[] | null }[] };
    expect(first.relayed[0]?.followed).toHaveLength(1);
    const second = (await server.answer('a', next)) as { relayed: { followed: unknown[] | null }[] };
    expect(second.relayed[0]?.followed).toBeNull();
  });

  it('are answered at once by a node that drains', async () => {
    const { server, state } = openPair();
    await server.answer('a', { op: 'follow', session: 's', account: 'acme', after: null });
    const waiting = server.answer('a', { op: 'next', session: 's', withinMs: 10_000 });
    state.isDraining = true;
    server.relays.wakeAll();
    expect(await waiting).toEqual({ relayed: [], draining: true });
    const again = server.answer('a', { op: 'next', session: 's', withinMs: 10_000 });
    expect(await again).toEqual({ relayed: [], draining: true });
  });

  it('of a session that was replaced or never was are refused', async () => {
    const { server, stream } = openPair();
    await server.answer('a', { op: 'follow', session: 's', account: 'acme', after: null });
    await server.answer('a', { op: 'follow', session: 't', account: 'other', after: null });
    expect(stream.hasFollowers('acme')).toBe(false);
    expect(await server.answer('a', { op: 'next', session: 's', withinMs: 0 })).toBeNull();
    expect(await server.answer('c', { op: 'next', session: 't', withinMs: 0 })).toBeNull();
  });
});
