import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Takeover as Taken } from '../calls/recovery/lost-calls.ts';
import type { Probed } from '../nodes/node-probe.ts';
import type { StoredLiveCall } from '../storage/ports/live-calls.ts';
import type { StoredNode } from '../storage/ports/nodes.ts';
import { Takeover, type TakeoverCalls } from './takeover.ts';

const other = (changes: Partial<StoredNode> = {}): StoredNode => ({
  id: 'other',
  run: 'other-1',
  url: 'http://other',
  version: '',
  cluster: true,
  startedAtMs: 0,
  heartbeatAtMs: 10_000,
  silentMs: 1_000,
  state: 'running',
  drain: false,
  calls: 1,
  deaths: 1,
  ...changes,
});
const facts = { id: 'c1', accountId: 'a', startedAtMs: 0, entry: 'ivr||main', caller: null };
const row = (id: string, recovery: string | null): StoredLiveCall => ({
  id,
  accountId: 'a',
  node: 'own',
  run: 'own-1',
  state: 'menu',
  at: null,
  agent: null,
  ageMs: 7_000,
  writtenAtMs: 9_000,
  json: JSON.stringify({ facts: { ...facts, id }, answer: null }),
  recovery,
});
const RECOVERY = 'sealed';

let nodes: StoredNode[];
let left: StoredLiveCall[];
let probed: Probed[];
let did: string[];
let failing: string[];
let taken: (Pick<StoredLiveCall, 'id'> & Taken)[];
let isDraining: boolean;
let takeover: Takeover;
const calls: TakeoverCalls = {
  get isDraining() {
    return isDraining;
  },
  get running() {
    return taken.length;
  },
  recoverCalls: (rows, about) => {
    const failed = rows.filter(({ id }) => failing.includes(id));
    taken.push(...rows.filter((each) => !failed.includes(each)).map(({ id }) => ({ id, ...about })));
    return failed;
  },
  recordInterrupted: async (interrupted) => {
    for (const {
      facts: { id },
      result,
    } of interrupted)
      did.push(`${id} recorded after ${result.durationMs}`);
    return interrupted.length;
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  nodes = [];
  left = [];
  probed = [];
  did = [];
  failing = [];
  taken = [];
  isDraining = false;
  takeover = new Takeover({
    node: { id: 'own', run: 'own-1' },
    deadAfterMs: 5_000,
    maxCalls: 40,
    logger: pino({ level: 'silent' }),
    probe: async (url) => {
      did.push(`probe ${url}`);
      return probed.shift() ?? 'refused';
    },
    adopt: async (from, ids) => void did.push(`adopt ${ids.join()} of ${from}`),
    storage: {
      listNodes: async () => [other({ id: 'own' }), ...nodes],
      deadNodes: async () => {
        did.push('silent ones are dead');
        nodes = nodes.map((each) => ({ ...each, state: 'dead', deaths: 2 }));
        return nodes;
      },
      declareDead: async ({ id }) => {
        did.push(`${id} is dead`);
        nodes = nodes.map((each) => ({ ...each, state: 'dead', deaths: 2 }));
        return { declared: true };
      },
      claimLiveCalls: async ({ limit }) => ({ calls: left.splice(0, limit), nowMs: 12_000 }),
      saveLiveCalls: async ({ removed }) => {
        did.push(`${removed.join()} removed`);
        return { taken: [] };
      },
    },
  });
});
afterEach(() => void vi.useRealTimers());

async function look(): Promise<string[]> {
  const looking = takeover.look(calls);
  await vi.advanceTimersByTimeAsync(10_000);
  await looking;
  return did.splice(0);
}

it('a node that beats is left alone', async () => {
  nodes = [other()];
  expect(await look()).toEqual([]);
});

it('one that misses a heartbeat and refuses twice is dead, and its calls go on here', async () => {
  nodes = [other({ silentMs: 1_600 })];
  left = [row('c1', RECOVERY), row('c2', RECOVERY)];
  expect(await look()).toEqual([
    'probe http://other',
    'probe http://other',
    'other is dead',
    'probe http://other',
    'adopt c1,c2 of other',
  ]);
  expect(taken).toMatchObject([
    { id: 'c1', from: 'other', by: 'own', lastSeenMs: 10_000, nowMs: 12_000 },
    { id: 'c2' },
  ]);
  // Once for each death.
  expect(await look()).toEqual([]);
});

it('one that refuses once, or is merely slow, is not', async () => {
  nodes = [other({ silentMs: 1_600 })];
  probed = ['refused', 'answers'];
  expect(await look()).toEqual(['probe http://other', 'probe http://other']);
  probed = ['silent'];
  expect(await look()).toEqual(['probe http://other']);
});

it('one that is silent for 5 s is dead; if it answers, its calls stay there', async () => {
  nodes = [other({ silentMs: 5_000 })];
  left = [row('c1', RECOVERY)];
  probed = ['answers'];
  // Its state is read with the next look.
  expect(await look()).toEqual(['silent ones are dead']);
  expect(await look()).toEqual(['probe http://other']);
  expect([await look(), taken]).toEqual([[], []]);
});

it('calls that cannot go on are recorded as interrupted at the last sign of life; many go 25 at a time', async () => {
  nodes = [other({ state: 'dead' })];
  left = [...Array.from({ length: 30 }, (_, index) => row(`d${index}`, RECOVERY))];
  failing = ['d3'];
  const done = await look();
  expect(done.filter((each) => each.startsWith('adopt'))).toHaveLength(2);
  expect(done.filter((each) => !each.startsWith('adopt') && !each.startsWith('probe'))).toEqual([
    'd3 recorded after 8000',
    'd3 removed',
  ]);
  expect(taken).toHaveLength(29);
});

it('a node that drains takes none', async () => {
  nodes = [other({ state: 'dead' })];
  left = [row('c1', RECOVERY)];
  isDraining = true;
  expect([await look(), taken]).toEqual([[], []]);
});

it('a node takes no more calls than it may have; the rest is left to others', async () => {
  nodes = [other({ state: 'dead' })];
  left = [...Array.from({ length: 60 }, (_, index) => row(`d${index}`, RECOVERY))];
  await look();
  expect([taken.length, left.length]).toEqual([40, 20]);
});
