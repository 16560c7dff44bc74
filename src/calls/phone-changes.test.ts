import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import type { ChangedBinding } from '../storage/ports/bindings.ts';
import { PhoneChanges, POLL_MS } from './phone-changes.ts';

const binding = (key: string, more: Partial<ChangedBinding> = {}): ChangedBinding => ({
  accountId: 'acme',
  agent: '1',
  key,
  contact: `sip:${key}@192.0.2.9`,
  path: [],
  instance: '',
  q: 1,
  callId: 'c',
  cseq: 1,
  expiresAtMs: 1,
  userAgent: '',
  transport: 'udp',
  source: { address: '192.0.2.9', port: 5060 },
  local: { address: '192.0.2.1', port: 5060 },
  user: '1001',
  credential: 'x',
  node: 'there',
  reachable: true,
  ...more,
});

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The database's clock is an hour ahead of this node's. */
const AHEAD_MS = 3_600_000;

function bed() {
  const clock = new VirtualClock();
  const rows: { changedAtMs: number; binding: ChangedBinding }[] = [];
  const state = { reads: 0, taken: 0, isAway: false, answer: Promise.resolve() };
  const takes: unknown[] = [];
  const published: string[] = [];
  const errors: unknown[] = [];
  const waiting = new Set<string>();
  const listener = { heard: (_: string) => {}, missed: () => {}, isSubscribed: false };
  const now = (): number => clock.epochMs() + AHEAD_MS;
  const changes = new PhoneChanges({
    storage: {
      changedBindings: async ({ sinceMs, limit }) => {
        state.reads += 1;
        const found = rows.filter(({ changedAtMs }) => changedAtMs >= sinceMs);
        const answer = { nowMs: now(), changes: found.slice(0, limit) };
        await state.answer;
        if (state.isAway) throw new Error('away');
        return answer;
      },
      takeBindings: async (input) => {
        takes.push(input);
        return { taken: state.taken };
      },
    },
    clock,
    node: 'here',
    notices: {
      publish: (topic, text) => void published.push(`${topic} ${text}`),
      subscribe: (topic, heard, missed) => {
        expect(topic).toBe('phones');
        Object.assign(listener, { heard, missed, isSubscribed: true });
        return () => {
          listener.isSubscribed = false;
        };
      },
    },
    failed: (error) => void errors.push(error),
    isWaiting: ({ key }) => waiting.has(key),
  });
  const change = (key: string, atMs = now()): void => {
    rows.push({ changedAtMs: atMs, binding: binding(key) });
  };
  const seen: string[][] = [];
  const follow = async (): Promise<void> => {
    await changes.begin();
    changes.follow((bindings) => void seen.push(bindings.map(({ key }) => key)));
  };
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };
  return {
    changes,
    clock,
    rows,
    state,
    takes,
    published,
    errors,
    waiting,
    listener,
    change,
    seen,
    follow,
    pass,
    now,
  };
}

describe('phones that other nodes changed', () => {
  it('are read at once after a notice of another node or a lost one, and every two seconds without any', async () => {
    const { listener, change, seen, follow, pass, state } = bed();
    change('before', 0);
    await follow();
    change('a');
    listener.heard('here');
    await settle();
    expect([state.reads, seen]).toEqual([1, []]);
    listener.heard('there');
    await settle();
    expect(seen).toEqual([['a']]);
    change('b');
    listener.missed();
    await settle();
    expect(seen).toEqual([['a'], ['b']]);
    change('c');
    await pass(1_999);
    expect(seen, 'two seconds').toHaveLength(2);
    await pass(1);
    change('d');
    await pass(POLL_MS);
    expect(seen).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('are read if they were committed late, and no change twice', async () => {
    const { changes, change, seen, follow, pass, now } = bed();
    await follow();
    await pass(POLL_MS);
    change('late', now() - 3_000);
    change('too late', now() - 3_001);
    for (let poll = 0; poll < 3; poll++) await changes.poll();
    await pass(POLL_MS);
    expect(seen).toEqual([['late']]);
    change('late', now());
    await pass(POLL_MS);
    expect(seen).toEqual([['late'], ['late']]);
  });

  it('are read page by page, also when thousands changed at once', async () => {
    const { change, seen, follow, now, changes, state } = bed();
    await follow();
    const atMs = now();
    for (let index = 0; index < 12_000; index++) change(`${index}`, atMs + Math.floor(index / 100));
    await changes.poll();
    const keys = seen.flat();
    expect([keys.length, new Set(keys).size]).toEqual([12_000, 12_000]);
    expect(state.reads).toBe(1 + 3);
  });

  it('are left alone where a newer change waits to be written here', async () => {
    const { changes, waiting, change, seen, follow } = bed();
    await follow();
    change('a');
    change('b');
    waiting.add('a');
    await changes.poll();
    waiting.clear();
    await changes.poll();
    expect(seen).toEqual([['b'], ['a']]);
  });

  it('are read once more when a notice comes during a read, whose answer may be older', async () => {
    const { changes, state, change, seen, follow } = bed();
    await follow();
    let answer = (): void => undefined;
    state.answer = new Promise((resolve) => {
      answer = resolve;
    });
    const first = changes.poll();
    await settle();
    change('a');
    expect(changes.poll()).toBe(first);
    void changes.poll();
    answer();
    await first;
    await settle();
    expect([seen, state.reads]).toEqual([[['a']], 3]);
  });

  it('wait while the database is away, which is reported, and are all read when it is back', async () => {
    const { changes, state, change, seen, errors, follow, pass } = bed();
    await follow();
    state.isAway = true;
    change('a');
    await changes.poll();
    expect([errors.length, seen]).toEqual([1, []]);
    await pass(60_000);
    state.isAway = false;
    await pass(POLL_MS);
    expect(seen).toEqual([['a']]);
  });

  it('have expiries by the database’s clock, whose difference is known before the first read', async () => {
    const { changes, follow, clock } = bed();
    expect(changes.offsetMs).toBe(0);
    await follow();
    expect(changes.offsetMs).toBe(AHEAD_MS);
    clock.advance(500);
    await changes.poll();
    expect(changes.offsetMs).toBe(AHEAD_MS);
  });

  it('of a node that died are taken over, and the others hear of it; without any nothing is read', async () => {
    const { changes, state, takes, published, change, seen, follow } = bed();
    await follow();
    change('a');
    await changes.takeOver('there');
    expect([takes, published, seen]).toEqual([[{ from: 'there', node: 'here' }], [], []]);
    state.taken = 1;
    await changes.takeOver('there');
    expect([published, seen]).toEqual([['phones here'], [['a']]]);
  });

  it('are not followed any more after the end, not even by what is being read', async () => {
    const { changes, clock, state, listener, change, seen, follow, pass } = bed();
    await follow();
    change('a');
    const last = changes.poll();
    void changes.poll();
    changes.close();
    await last;
    await pass(10 * POLL_MS);
    expect([seen, state.reads, listener.isSubscribed, clock.running]).toEqual([[], 2, false, 0]);
  });
});
