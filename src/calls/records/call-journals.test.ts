import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { CallJournals, type CallJournalsParts } from './call-journals.ts';
import { type CallFacts, NO_RESULT, ownEnd } from './call-record.ts';
import { callRow } from './call-row.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-journals-'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

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
const answer = { atMs: 2, agent: null, number: '1007', callerAnsweredMs: 1, waitMs: 0, ringMs: 1 };
const job = (id: string) =>
  ({ id, accountId: 'a', lane: 'webhook', orderKey: '', dueAtMs: 0, createdAtMs: 0, json: '{}' }) as const;
const endedCall = (id: string) => {
  const result = { ...NO_RESULT, end: ownEnd('caller-lost'), durationMs: 1, trail: [], legs: [] };
  const { index: _, ...row } = callRow(facts(id), result);
  return { row, jobs: [job(`job of ${id}`)] };
};

function bed(more: Partial<CallJournalsParts> = {}) {
  const state = { isAway: false };
  const live: Parameters<Storage['saveLiveCalls']>[0][] = [];
  const saved: Parameters<Storage['saveCalls']>[0][] = [];
  const interrupted: string[][] = [];
  const recorded: string[] = [];
  const published: string[] = [];
  const logged: [string, object, string][] = [];
  const storage = {
    probe: async () => {
      if (state.isAway) throw new Error('away');
    },
    saveLiveCalls: async (input: (typeof live)[number]) => {
      live.push(input);
      return { taken: [] };
    },
    callsGoingOn: async () => [],
    saveCalls: async (input: (typeof saved)[number]) => void saved.push(input),
    saveInterrupted: async ({ calls }: Parameters<Storage['saveInterrupted']>[0]) => {
      interrupted.push(calls.map(({ call }) => call.id));
      // One was found by another node, too.
      return { ids: calls.flatMap(({ call }) => (call.id === 'known' ? [] : call.id)) };
    },
  } as unknown as Storage;
  const log = (level: string) => (about: object, text: string) => void logged.push([level, about, text]);
  const logger = { warn: log('warn'), info: log('info'), error: log('error') };
  const journals = new CallJournals(
    {
      storage,
      logger: logger as unknown as CallJournalsParts['logger'],
      clock: { epochMs: () => 5000 },
      ends: {
        jobsOf: (ids) => ids.map((id) => job(`end of ${id}`)),
        endJobsOf: () => [],
        recorded: (ids, jobs) => void recorded.push(`${ids.join()} ${jobs.map(({ id }) => id).join()}`),
      },
      journal: { folder, node: 'here', lockNode: () => ({ release: () => undefined }) },
      callEvents: { callEnded: ({ id }) => void published.push(id) },
      ...more,
    },
    {
      describe: (_, id) => ({ id, state: 'menu', node: null, agent: null }) as never,
      store: () => null,
      taken: () => undefined,
    },
  );
  return { journals, state, live, saved, interrupted, recorded, published, logged };
}

const SHARED = { id: 'here', run: '1' } as NonNullable<CallJournalsParts['shared']>;
/** What a killed process of another node left. */
const leave = (...lines: unknown[]): void =>
  writeFileSync(
    join(folder, 'running-calls-there.1.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );

it('what is known of a call is in the file of this node and in the rows for the others, until it is recorded', async () => {
  const { journals, live } = bed({ shared: SHARED });
  for (const id of ['running', 'recorded']) journals.began(facts(id));
  journals.callerAnswered('running', 1);
  journals.answered('running', answer);
  journals.recorded('recorded');
  journals.ended(endedCall('waits'));
  await vi.advanceTimersByTimeAsync(400);
  expect(live.flatMap(({ saved }) => saved.map(({ id }) => id))).toEqual(['running']);
  expect(JSON.parse(live[0]?.saved[0]?.json ?? '')).toMatchObject({ facts: { callerAnsweredMs: 1 }, answer });
  journals.writeAll();
  await vi.advanceTimersByTimeAsync(400);
  expect(live).toHaveLength(2);
  journals.recorded('running');
  await journals.close();
  expect(live.at(-1)).toMatchObject({ saved: [], removed: ['running'] });
  const [name = ''] = readdirSync(folder);
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text).toContain('"callerAnsweredMs":1');
  expect(text).toContain(JSON.stringify(['running', answer]));
  expect(text).toContain('"waits"');
  expect(text).not.toContain('"recorded"');
});

it('a node alone writes no rows for others', async () => {
  const { journals, live } = bed();
  journals.began(facts('one'));
  journals.changed('one');
  journals.writeAll();
  await vi.advanceTimersByTimeAsync(1000);
  await journals.close();
  expect(live).toEqual([]);
});

it('what a killed process left is recorded and published, and said in the log', async () => {
  const { journals, saved, interrupted, recorded, published, logged } = bed();
  const { row, jobs } = endedCall('ended');
  leave(facts('one'), facts('known'), { ended: row, jobs });
  await journals.recover();
  expect(saved).toEqual([{ calls: [row], jobs }]);
  expect(interrupted).toEqual([['one', 'known']]);
  expect(published).toEqual(['one', 'known']);
  expect(recorded).toEqual(['one end of one', 'known end of known']);
  expect(logged).toEqual([
    ['warn', { calls: 1 }, 'calls interrupted by a crash; their records are written'],
    ['info', { ended: 1 }, 'CDRs that waited for the database before a crash are written'],
  ]);
  expect(readdirSync(folder)).toEqual([]);
  await journals.recover();
  expect([logged.length, vi.getTimerCount()]).toEqual([2, 0]);
});

it('what was left is recorded in batches of 200', async () => {
  const { journals, saved, interrupted } = bed();
  const ids = Array.from({ length: 401 }, (_, index) => `${index}`);
  leave(
    ...ids.map((id) => facts(`call ${id}`)),
    ...ids.map((id) => ({ ended: endedCall(`ended ${id}`).row, jobs: [] })),
  );
  await journals.recover();
  const sizes = [200, 200, 1];
  expect([saved.map(({ calls }) => calls.length), interrupted.map(({ length }) => length)]).toEqual([
    sizes,
    sizes,
  ]);
  expect(saved.flatMap(({ calls }) => calls.map(({ id }) => id))).toEqual(ids.map((id) => `ended ${id}`));
  expect(interrupted.flat()).toEqual(ids.map((id) => `call ${id}`));
});

it('while the database is away what was left stays, and is recorded half a minute later', async () => {
  const { journals, state, interrupted, logged } = bed();
  leave(facts('one'));
  state.isAway = true;
  await journals.recover();
  expect(logged).toMatchObject([['error', {}, 'interrupted calls not recorded; retrying']]);
  expect(readdirSync(folder)).toHaveLength(1);
  state.isAway = false;
  vi.advanceTimersByTime(29_999);
  expect(interrupted).toEqual([]);
  vi.advanceTimersByTime(1);
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]));
  expect(interrupted).toEqual([['one']]);
});

it('a journal of a former version whose process runs is looked at again after ten seconds, until the end', async () => {
  const { journals } = bed();
  writeFileSync(join(folder, `running-calls-${process.ppid}.jsonl`), '');
  await journals.recover();
  expect(vi.getTimerCount()).toBe(1);
  journals.stopRecovering();
  expect(vi.getTimerCount()).toBe(0);
});

it('calls of a dead node are recorded, and those counted that nobody had recorded before', async () => {
  const { journals } = bed();
  const result = { ...NO_RESULT, end: ownEnd('interrupted'), durationMs: 1, trail: [], legs: [] };
  const calls = ['one', 'known', 'two'].map((id) => ({ facts: facts(id), result }));
  expect(await journals.recordInterrupted(calls)).toBe(2);
  expect(await journals.recordInterrupted([])).toBe(0);
});
