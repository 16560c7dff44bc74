import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveCallRow, LiveCallStorage } from '../../storage/ports/live-calls.ts';
import type { LiveCall } from '../operator/live-calls.ts';
import type { CallFacts } from './call-record.ts';
import { interruptedByDeath, LiveCallRows } from './live-call-rows.ts';

const facts = (id: string): CallFacts => ({
  id,
  accountId: 'a',
  callId: `${id}@x`,
  direction: 'inbound',
  caller: '030',
  callerName: 'Ann',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 1000,
});
const answer = {
  atMs: 2000,
  agent: { eid: '7', name: 'Ann' },
  number: '1007',
  callerAnsweredMs: 100,
  waitMs: 0,
  ringMs: 900,
};

let live: Map<string, LiveCall>;
let stored: Map<string, LiveCallRow>;
let writes: number;
let drops: number;
let largest: number;
let isAway: boolean;
let rows: LiveCallRows;
let recovery: string | null;
let taken: string[];
let heardTaken: string[];

const storage: Pick<LiveCallStorage, 'saveLiveCalls' | 'dropLiveCalls'> = {
  saveLiveCalls: async ({ saved, removed }) => {
    if (isAway) throw new Error('away');
    writes += 1;
    largest = Math.max(largest, saved.length);
    for (const row of saved) stored.set(row.id, row);
    for (const id of removed) stored.delete(id);
    return { taken: taken.splice(0) };
  },
  dropLiveCalls: async () => {
    if (isAway) throw new Error('away');
    drops += 1;
    stored.clear();
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  live = new Map();
  stored = new Map();
  [writes, drops, largest] = [0, 0, 0];
  isAway = false;
  const describe = (_: string, id: string): LiveCall | null => live.get(id) ?? null;
  recovery = null;
  taken = [];
  heardTaken = [];
  rows = new LiveCallRows({
    storage,
    node: 'here',
    run: '1',
    describe,
    store: () => recovery,
    taken: (ids) => void heardTaken.push(...ids),
    failed: () => undefined,
  });
});
afterEach(() => void vi.useRealTimers());

const begin = (id: string): void => {
  live.set(id, { id, state: 'menu', node: 'ivr||main', agent: null });
  rows.began(facts(id));
};
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

it('what another node needs is written with each row, and again when a leg has changed', async () => {
  begin('1');
  await pass(400);
  expect(stored.get('1')?.recovery).toBe(null);
  recovery = '{}';
  rows.changed('1');
  await pass(400);
  expect([writes, stored.get('1')?.recovery]).toEqual([1, null]);
  rows.legChanged('1');
  rows.legChanged('unknown');
  await pass(400);
  expect([writes, stored.get('1')?.recovery]).toEqual([2, '{}']);
});

it('a call that another node has claimed is reported', async () => {
  begin('1');
  begin('2');
  taken = ['2'];
  await pass(400);
  expect(heardTaken).toEqual(['2']);
});

it('calls are written together, again when their state changes, and not otherwise', async () => {
  for (const id of ['1', '2', '3']) begin(id);
  await pass(399);
  expect(writes).toBe(0);
  await pass(1);
  expect([writes, [...stored.keys()]]).toEqual([1, ['1', '2', '3']]);
  expect(stored.get('1')).toMatchObject({ accountId: 'a', state: 'menu', at: 'ivr||main', agent: null });
  rows.changed('1');
  await pass(1000);
  expect(writes).toBe(1);
  live.set('1', { id: '1', state: 'connected', node: null, agent: '7' });
  rows.answered('1', answer);
  rows.callerAnswered('2', 7);
  await pass(400);
  expect(writes).toBe(2);
  expect(stored.get('1')).toMatchObject({ state: 'connected', at: null, agent: '7' });
  expect(JSON.parse(stored.get('2')?.json ?? '')).toMatchObject({ facts: { callerAnsweredMs: 7 } });
});

it('a short call leaves no row, and one that is recorded loses its row', async () => {
  begin('short');
  rows.recorded('short');
  begin('long');
  await pass(400);
  expect([...stored.keys()]).toEqual(['long']);
  rows.recorded('long');
  await pass(400);
  expect([...stored.keys()]).toEqual([]);
});

it('while the database is away the latest state waits, and removals too', async () => {
  begin('1');
  begin('2');
  await pass(400);
  isAway = true;
  live.set('1', { id: '1', state: 'queue', node: 'department||x', agent: null });
  rows.changed('1');
  rows.recorded('2');
  begin('3');
  await pass(5000);
  isAway = false;
  await pass(1000);
  expect([...stored.values()].map(({ id, state }) => [id, state])).toEqual([
    ['1', 'queue'],
    ['3', 'menu'],
  ]);
});

it('rows that others removed are written again', async () => {
  begin('1');
  await pass(400);
  stored.clear();
  rows.writeAll();
  await pass(1);
  expect([...stored.keys()]).toEqual(['1']);
});

it('a record of a dead node’s call goes up to the last sign of life, by the database’s clock', async () => {
  begin('1');
  rows.answered('1', answer);
  await pass(400);
  const row = stored.get('1');
  if (!row) throw new Error('no row');
  // The clock of the node was wrong by years.
  const found = { ...row, ageMs: 3000, node: 'there', run: '1', writtenAtMs: 5e12 };
  const [call] = interruptedByDeath([found], 5e12 + 4000);
  expect(call?.result).toMatchObject({
    durationMs: 7000,
    talkMs: 5000,
    answeredBy: '7',
    end: { code: 'interrupted' },
  });
  const [older] = interruptedByDeath([found], 0);
  expect(older?.result.durationMs).toBe(3000);
});

it('rows are removed one by one, and all of them where too many wait for their removal', async () => {
  const ids = Array.from({ length: 20_001 }, (_, index) => `${index}`);
  for (const id of [...ids, 'stays']) begin(id);
  await pass(400);
  expect([stored.size, largest]).toEqual([20_002, 500]);
  rows.recorded('0');
  await pass(400);
  expect([stored.size, drops]).toEqual([20_001, 0]);
  isAway = true;
  for (const id of ids.slice(1)) rows.recorded(id);
  begin('last');
  rows.changed('stays');
  rows.recorded('last');
  isAway = false;
  await pass(400);
  expect([stored.size, drops]).toEqual([1, 0]);
  for (const id of ids) begin(id);
  await pass(400);
  for (const id of ids) rows.recorded(id);
  await pass(400);
  expect([[...stored.keys()], drops]).toEqual([['stays'], 1]);
  rows.changed('stays');
  await pass(1000);
  expect(drops).toBe(1);
});

it('a call whose agent is rung first, and one whose legs end, are listed as what they are', async () => {
  rows.began(facts('click'));
  await pass(400);
  expect(stored.get('click')?.state).toBe('calling_agent');
  begin('click');
  await pass(400);
  expect(stored.get('click')?.state).toBe('menu');
  live.delete('click');
  rows.changed('click');
  await pass(400);
  expect(stored.get('click')).toMatchObject({ state: 'ending', at: null, agent: null });
});

it('a click to call that begins again keeps what was known of it', async () => {
  rows.began({ ...facts('click'), caller: '1001' });
  rows.callerAnswered('click', 5);
  rows.began({ ...facts('click'), caller: '1002' });
  await pass(400);
  expect(JSON.parse(stored.get('click')?.json ?? '')).toMatchObject({
    facts: { caller: '1002', callerAnsweredMs: 5 },
  });
});

it('a change after the end is not written', async () => {
  begin('1');
  await pass(400);
  await rows.close();
  rows.recorded('1');
  expect(vi.getTimerCount()).toBe(0);
});

it('at the end what is known is written, and nothing afterwards', async () => {
  begin('0');
  await pass(400);
  begin('1');
  await rows.close();
  expect([...stored.keys()]).toEqual(['0', '1']);
  rows.changed('1');
  begin('2');
  expect(vi.getTimerCount()).toBe(0);
});
