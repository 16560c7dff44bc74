import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { InterruptedCall } from '../calls/records/interrupted-calls.ts';
import type { NodeBeat, StoredNode } from '../storage/ports/nodes.ts';
import type { Storage } from '../storage/storage.ts';
import { type ClusterCalls, ClusterNode } from './cluster-node.ts';

let isAway: boolean;
let dead: StoredNode[];
let deaths: number;
let drain: boolean;
let beats: NodeBeat[];
let log: string[];
let recording: Promise<void>;
let claimable: number;
let calls: ClusterCalls & { readonly done: string[] };
let node: ClusterNode;

const stored = (id: string): StoredNode => ({
  id,
  run: `${id}-1`,
  url: '',
  version: '',
  cluster: true,
  startedAtMs: 0,
  heartbeatAtMs: 5000,
  silentMs: 5000,
  state: 'dead',
  drain: false,
  calls: 1,
  deaths: 1,
});
const facts = {
  id: 'c1',
  accountId: 'a',
  callId: 'x',
  direction: 'inbound',
  caller: null,
  callerName: '',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 0,
} as const;
const row = {
  id: 'c1',
  accountId: 'a',
  node: 'other',
  run: 'other-1',
  state: 'menu',
  at: null,
  agent: null,
  ageMs: 1000,
  writtenAtMs: 4000,
  json: JSON.stringify({ facts, answer: null }),
  recovery: null,
};

const storage = {
  joinNode: async () => ({ joined: true, deaths, formerSeenAtMs: null }),
  beatNode: async (beat: NodeBeat) => {
    if (isAway) throw new Error('away');
    beats.push(beat);
    return { alive: true, deaths, drain };
  },
  takeLease: async () => ({ taken: true }),
  deadNodes: async () => dead,
  listNodes: async () => dead,
  claimLiveCalls: async () => ({ calls: [], nowMs: 0 }),
  countClaimable: async () => claimable,
  leftLiveCalls: async ({ after }: { after: string }) => (after === '' ? [row] : []),
  dropLiveCalls: async () => undefined,
  releaseLeases: async () => undefined,
  clearedNode: async ({ id }: { id: string }) => {
    dead = dead.filter((each) => each.id !== id);
  },
  leaveNode: async () => undefined,
} as unknown as Storage;

beforeEach(async () => {
  vi.useFakeTimers();
  isAway = false;
  dead = [];
  deaths = 7;
  drain = false;
  claimable = 0;
  beats = [];
  log = [];
  recording = Promise.resolve();
  const done: string[] = [];
  calls = {
    done,
    running: 3,
    isDraining: false,
    recordInterrupted: async (found: readonly InterruptedCall[]) => {
      await recording;
      done.push(`recorded after ${found[0]?.result.durationMs}`);
      return found.length;
    },
    writeLiveCalls: () => void done.push('rows written'),
    recoverCalls: () => [],
    setDrain: (isOn) => void done.push(`drain ${isOn}`),
  };
  const sharing = {
    nodeDied: async (id: string) => void calls.done.push(`${id} freed`),
    claimAgain: async () => void calls.done.push('claimed'),
    adopt: async () => undefined,
  };
  const write = (line: string): void => void log.push(String((JSON.parse(line) as { msg: string }).msg));
  const parts = {
    node: { id: 'own', run: 'own-1' },
    formerRun: null,
    url: '',
    version: '',
    cluster: true,
    maxCalls: 9,
  };
  node = await ClusterNode.join(
    { ...parts, storage, sharing, probe: async () => 'silent', logger: pino({ base: null }, { write }) },
    () => calls,
    () => undefined,
  );
  // What a former run held.
  expect(calls.done.splice(0)).toEqual(['own freed']);
});
afterEach(async () => {
  await node.leave();
  vi.useRealTimers();
});
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

it('beats every second, and clears what a dead node left once it has beaten for 5 s', async () => {
  dead = [stored('other')];
  await pass(5500);
  expect([beats.length, calls.done]).toEqual([5, []]);
  expect(beats[0]).toMatchObject({ id: 'own', calls: 3, state: 'running' });
  await pass(1000);
  // Its row was a second old at 4000, and it was seen at 5000.
  expect(calls.done).toEqual(['recorded after 2000', 'other freed']);
  expect(log).toEqual(['node is dead: its calls are recorded as interrupted']);
  await pass(5000);
  expect(calls.done).toHaveLength(2);
});

it('judges no other for 5 s after the database was away', async () => {
  await pass(10_000);
  isAway = true;
  await pass(20_000);
  isAway = false;
  dead = [stored('other')];
  await pass(5500);
  expect(calls.done).toEqual([]);
  await pass(1000);
  expect(calls.done).toEqual(['recorded after 2000', 'other freed']);
  expect(log.slice(0, 2)).toEqual([
    'heartbeat not written; other nodes may take this one for dead',
    'heartbeat reaches the database again',
  ]);
});

it('goes on beating while thousands of calls are recorded', async () => {
  dead = [stored('other')];
  let end: () => void = () => undefined;
  recording = new Promise((resolve) => {
    end = resolve;
  });
  await pass(30_000);
  expect([beats.length, calls.done]).toEqual([30, []]);
  end();
  await pass(1000);
  expect(calls.done).toEqual(['recorded after 2000', 'other freed']);
});

it('that was taken for dead claims again what it has, at once and 5 s later', async () => {
  await pass(2000);
  deaths = 8;
  await pass(1000);
  expect(calls.done).toEqual(['rows written', 'claimed']);
  await pass(5000);
  expect(calls.done).toEqual(['rows written', 'claimed', 'rows written', 'claimed']);
  await pass(10_000);
  expect(calls.done).toHaveLength(4);
});

it('is drained and resumed by its row', async () => {
  drain = true;
  await pass(2000);
  expect(beats.at(-1)?.state).toBe('draining');
  drain = false;
  await pass(2000);
  expect([calls.done, beats.at(-1)?.state]).toEqual([['drain true', 'drain false'], 'running']);
});
