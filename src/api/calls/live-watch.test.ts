import { afterEach, describe, expect, it } from 'vitest';
import type { AgentView } from '../../calls/agents/agent-view.ts';
import type { CallControl } from '../../calls/control/call-control.ts';
import { LIVE_CHANGED, type PublishedEvent } from '../../calls/events/call-events.ts';
import { EventStream } from '../../calls/events/event-stream.ts';
import { type LiveView, NOTHING_LIVE } from '../../calls/live/live-view.ts';
import { newId } from '../../domain/id.ts';
import { type LiveReader, LiveWatches, MAX_PIECES, MAX_READERS } from './live-watch.ts';

const agent = (eid: string, state: AgentView['state']): AgentView => ({
  eid,
  state,
  sinceMs: null,
  paused: null,
  signedOut: [],
  phones: { registered: 1, reachable: 1, goneAtMs: null },
});

const call = (id: string, waiting_since: string | null) => ({
  id,
  state: 'queue' as const,
  node: 'department||sales',
  agent: null,
  waiting_since,
});

const open: LiveReader[] = [];
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});

function office(view: LiveView = NOTHING_LIVE) {
  const stream = new EventStream();
  const watches = new LiveWatches();
  const now = { view, reads: 0, followed: 0 };
  const control = {
    liveOf: async () => {
      now.reads += 1;
      return now.view;
    },
    follow: async (accountId: string) => {
      now.followed += 1;
      return stream.follow(accountId, null);
    },
  } as Pick<CallControl, 'liveOf' | 'follow'>;
  const follow = (): LiveReader => {
    const reader = watches.follow(control, 'acme');
    if (typeof reader === 'string') throw new Error(reader);
    open.push(reader);
    return reader;
  };
  const publish = (type: PublishedEvent['type'], data = {}): void =>
    stream.push({ id: newId(Date.now()), type, accountId: 'acme', callId: '', atMs: Date.now(), data });
  const change = (next: LiveView): void => {
    now.view = next;
    publish(LIVE_CHANGED);
  };
  return { watches, control, follow, publish, change, now };
}

const dataOf = (text: string | null): unknown => JSON.parse(/^data: (.*)$/m.exec(text ?? '')?.[1] ?? 'null');

describe('the live state that is followed', () => {
  it('begins with a snapshot, and goes on with the rows that changed', async () => {
    const { follow, change } = office({
      ...NOTHING_LIVE,
      agents: [agent('1', 'free'), agent('2', 'free')],
      calls: [call('a', '2026-11-17T10:00:05.000Z'), call('b', '2026-11-17T10:00:01.000Z')],
    });
    const reader = follow();
    const first = await reader.next(1_000);
    expect(first).toContain('event: snapshot');
    expect(dataOf(first)).toMatchObject({
      agents: [{ eid: '1' }, { eid: '2' }],
      queues: [{ department: 'sales', waiting: 2, longest_since: '2026-11-17T10:00:01.000Z' }],
    });
    change({ ...NOTHING_LIVE, agents: [agent('1', 'free'), agent('2', 'talking')] });
    const second = await reader.next(2_000);
    expect(second).toContain('event: change');
    expect(dataOf(second)).toEqual({
      calls: { put: [], gone: ['a', 'b'] },
      agents: { put: [expect.objectContaining({ eid: '2', state: 'talking' })], gone: [] },
      queues: { put: [], gone: ['sales'] },
    });
  });

  it('is read once for all who follow, and passes the events of calls on', async () => {
    const { follow, publish, now } = office();
    const readers = Array.from({ length: 60 }, follow);
    for (const reader of readers) expect(await reader.next(1_000)).toContain('snapshot');
    expect([now.followed, now.reads]).toEqual([1, 1]);
    publish('call.answered', { call: { id: 'a' } });
    for (const reader of readers) expect(await reader.next(1_000)).toContain('event: call.answered');
  });

  it('sends nothing where a notice turns out to change nothing', async () => {
    const { follow, change, now } = office();
    const reader = follow();
    await reader.next(1_000);
    change(NOTHING_LIVE);
    expect(await reader.next(300)).toBe('');
    expect(now.reads).toBe(2);
  });

  it('gives a reader that falls behind a snapshot instead of a growing list', async () => {
    const { follow, publish } = office();
    const reader = follow();
    await reader.next(1_000);
    for (let sent = 0; sent <= MAX_PIECES; sent += 1) reader.push(`event: x${sent}\ndata: {}\n\n`);
    publish('call.ended', { call: { id: 'a' } });
    expect(await reader.next(1_000)).toMatch(/^event: snapshot\n/);
  });

  it.each(['snapshot', null] as const)(
    'gives all readers a snapshot where events may have been missed (%s)',
    async (gap) => {
      const { watches, control } = office();
      let say: () => void = () => undefined;
      const isSaid = new Promise<void>((resolve) => {
        say = resolve;
      });
      let asked = 0;
      const following = {
        missed: [],
        position: '',
        next: async () => {
          asked += 1;
          await (asked === 1 ? isSaid : new Promise(() => undefined));
          return gap;
        },
        close: () => undefined,
      };
      const readers = [1, 2].map(() => {
        const reader = watches.follow({ ...control, follow: async () => following }, 'acme');
        if (typeof reader === 'string') throw new Error(reader);
        open.push(reader);
        return reader;
      });
      for (const reader of readers) expect(await reader.next(1_000)).toContain('snapshot');
      say();
      for (const reader of readers) expect(await reader.next(2_000)).toMatch(/^event: snapshot\n/);
    },
  );

  it('refuses more readers than an account may have, and takes one again when another is gone', () => {
    const { watches, control, follow } = office();
    const readers = Array.from({ length: MAX_READERS }, follow);
    expect(watches.follow(control, 'acme')).toBe('account-full');
    readers[0]?.close();
    expect(typeof follow()).toBe('object');
  });

  it('stops asking when the last reader is gone', async () => {
    const { follow, change, now } = office();
    const reader = follow();
    await reader.next(1_000);
    reader.close();
    expect(await reader.next(1_000)).toBeNull();
    change({ ...NOTHING_LIVE, agents: [agent('1', 'free')] });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(now.reads).toBe(1);
  });
});
