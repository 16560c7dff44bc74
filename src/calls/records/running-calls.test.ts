import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CallFacts, NO_RESULT, ownEnd } from './call-record.ts';
import { callRow } from './call-row.ts';
import { interruptedCalls } from './interrupted-calls.ts';
import { type JournalPlace, RunningCalls } from './running-calls.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Nodes that run, beside the one of the test. */
const running = new Set<string>();
const place = (node = 'here'): JournalPlace => ({
  folder,
  node,
  lockNode: (other) => (running.has(other) ? null : { release: () => undefined }),
});
const fail = (error: unknown): never => {
  throw error;
};
const facts = (id: string): CallFacts => ({
  id,
  accountId: 'a',
  callId: `${id}@x`,
  direction: 'inbound',
  caller: '030',
  callerName: 'Ann',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: Date.now() - 5000,
});
/** What the next process finds: a journal that was written and never closed. */
async function leftBy(use: (journal: RunningCalls) => void): Promise<void> {
  const journal = new RunningCalls(place(), fail);
  use(journal);
  await journal.close();
}

test('a call that was not recorded becomes the record of an interrupted call, once', async () => {
  await leftBy((journal) => {
    for (const id of ['one', 'two', 'three']) journal.began(facts(id));
    journal.recorded('two');
    journal.recorded('never began');
  });
  const { calls, done } = await interruptedCalls(place());
  const rows = calls.map(({ facts, result }) => callRow(facts, result));
  expect(rows.map(({ id }) => id).sort()).toEqual(['one', 'three']);
  expect(calls[0]?.result.end.code).toBe('interrupted');
  expect(rows[0]).toMatchObject({
    accountId: 'a',
    endCode: 'interrupted',
    cause: 41,
    caller: '030',
    dialled: '100',
  });
  const lasted = (rows[0]?.endedAtMs ?? 0) - (rows[0]?.startedAtMs ?? 0);
  expect(lasted).toBeGreaterThanOrEqual(4000);
  expect(JSON.parse(rows[0]?.json ?? '').trail.at(-1).code).toBe('ended');
  await done();
  expect((await interruptedCalls(place())).calls).toEqual([]);
});

test('an answered call keeps who answered, and the time it talked until the last sign of life', async () => {
  const answer = {
    atMs: 2000,
    agent: { eid: '7', name: 'Ann' },
    number: '1007',
    callerAnsweredMs: 100,
    waitMs: 500,
    ringMs: 900,
    // Another phone rang before.
    leg: { beganMs: 1500, rangMs: 1600 },
  };
  const outside = { ...answer, agent: null, number: '+4930' };
  const before = {
    ...facts('before'),
    transferredFrom: { callId: 'x', by: { kind: 'agent', id: '1', name: 'Bob' } },
  } as const;
  const journal = new RunningCalls(place(), fail);
  journal.began(before);
  journal.began(facts('outside'));
  journal.answered('outside', outside);
  await vi.waitFor(() => expect(readFileSync(join(folder, journal.name), 'utf8')).toContain('"outside"'));
  journal.answered('before', answer);
  journal.answered('unknown', answer);
  await journal.close();
  const { calls } = await interruptedCalls(place());
  const [one, other] = calls.map(({ facts, result }) => callRow(facts, result));
  expect(one).toMatchObject({
    id: 'before',
    answeredBy: '7',
    waitMs: 500,
    ringMs: 900,
    index: { outcome: 'interrupted' },
  });
  expect(one?.talkMs).toBe((one?.endedAtMs ?? 0) - (one?.startedAtMs ?? 0) - 2000);
  expect(one?.talkMs).toBeGreaterThan(2000);
  expect(JSON.parse(one?.json ?? '')).toMatchObject({
    transferred_from: { call_id: 'x' },
    trail: [{ code: 'call-started' }, { code: 'connected', node: 'extension||7' }, { code: 'ended' }],
    legs: [
      { role: 'caller', answered_at_ms: 100, outcome: 'ended' },
      {
        role: 'called',
        agent: '7',
        agent_name: 'Ann',
        number: '1007',
        began_at_ms: 1500,
        ringing_at_ms: 1600,
        answered_at_ms: 2000,
      },
    ],
  });
  expect(other).toMatchObject({ id: 'outside', answeredBy: null });
  expect(other?.talkMs).toBeGreaterThan(2000);
});

test('a caller whom the service answered was answered, and the first step names the destination', async () => {
  const journal = new RunningCalls(place(), fail);
  journal.began({ ...facts('at once'), entryName: '“Main menu”' });
  journal.callerAnswered('at once', 3);
  journal.began(facts('later'));
  journal.began(facts('never'));
  await vi.waitFor(() => expect(readFileSync(join(folder, journal.name), 'utf8')).toContain('"never"'));
  journal.callerAnswered('later', 700);
  journal.callerAnswered('unknown', 1);
  await journal.close();
  const { calls } = await interruptedCalls(place());
  expect(calls.map(({ result: { legs, trail } }) => [trail[0]?.text, legs])).toMatchObject([
    ['A call from 030 to “Main menu”.', [{ answeredMs: 3, end: { outcome: 'ended' } }]],
    ['A call from 030 to ivr||main.', [{ answeredMs: 700, end: { outcome: 'ended' } }]],
    ['A call from 030 to ivr||main.', [{ answeredMs: null, end: { outcome: 'failed' } }]],
  ]);
});

test('an answer as earlier versions wrote it is read: when the phone rang is not known', async () => {
  const answer = { atMs: 2000, agent: null, number: '+4930', callerAnsweredMs: 9, waitMs: 0, ringMs: 900 };
  await leftBy((journal) => {
    journal.began(facts('one'));
    journal.answered('one', answer);
  });
  const { calls } = await interruptedCalls(place());
  expect(calls[0]?.result.legs).toMatchObject([{ answeredMs: 9 }, { rangMs: null, answeredMs: 2000 }]);
});

test('a call that begins twice, as a click to call, is recorded once', async () => {
  const journal = new RunningCalls(place(), fail);
  journal.began(facts('click'));
  await vi.waitFor(() => expect(readFileSync(join(folder, journal.name), 'utf8')).toContain('"click"'));
  journal.began(facts('click'));
  journal.recorded('click');
  await journal.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('the file is touched while calls run, so that its time is their last sign of life', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    const journal = new RunningCalls(place(), fail);
    journal.began(facts('one'));
    const file = join(folder, journal.name);
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('one'));
    utimesSync(file, 1, 1);
    vi.advanceTimersByTime(2000);
    await vi.waitFor(() => expect(statSync(file).mtimeMs).toBeGreaterThan(1_000_000));
    await journal.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a call that is recorded before its line is written leaves no line', async () => {
  await leftBy((journal) => {
    journal.began(facts('short'));
    journal.began(facts('long'));
    journal.recorded('short');
  });
  const [name = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, name), 'utf8')).not.toContain('short');
});

test('an empty journal is removed at the end', async () => {
  await leftBy((journal) => {
    journal.began(facts('one'));
    journal.recorded('one');
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('the journal of a node that runs is left alone: another one is adopted, and one of the same node', async () => {
  for (const node of ['here', 'there', 'gone']) {
    const journal = new RunningCalls(place(node), fail);
    journal.began(facts(`of ${node}`));
    await journal.close();
  }
  running.add('there');
  const { calls, done } = await interruptedCalls(place('here'));
  expect(calls.map(({ facts: { id } }) => id).sort()).toEqual(['of gone', 'of here']);
  await done();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^running-calls-there\.\d+\.jsonl$/)]);
  running.clear();
});

test('an ended call whose record waits for the database is found whole, with its deliveries, until it is recorded', async () => {
  const row = callRow(facts('ended'), (await interruptedOf('ended')).result);
  const jobs = [
    { id: 'j', accountId: 'a', lane: 'webhook', orderKey: '', dueAtMs: 0, createdAtMs: 0, json: '{}' },
  ] as const;
  const journal = new RunningCalls(place(), fail);
  for (const id of ['ended', 'recorded']) {
    journal.began(facts(id));
    journal.ended({ row: { ...row, id }, jobs });
  }
  // Refused before it began: it has a record, too.
  journal.ended({ row: { ...row, id: 'refused' }, jobs: [] });
  journal.recorded('recorded');
  await journal.close();
  const { calls, ended } = await interruptedCalls(place());
  expect(calls).toEqual([]);
  const { index: _, ...stored } = row;
  expect(ended).toEqual([
    { row: stored, jobs },
    { row: { ...stored, id: 'refused' }, jobs: [] },
  ]);
});

async function interruptedOf(id: string) {
  await leftBy((journal) => journal.began(facts(id)));
  const { calls, done } = await interruptedCalls(place());
  await done();
  const [call] = calls;
  if (!call) throw new Error('no call');
  return call;
}

test('a former version’s journal with our pid is adopted when it was not touched for a while', async () => {
  const name = join(folder, `running-calls-${process.pid}-1.jsonl`);
  writeFileSync(name, `${JSON.stringify(facts('theirs'))}\n`);
  expect(await interruptedCalls(place())).toMatchObject({ calls: [], isLater: true });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(name, longAgo, longAgo);
  expect(await interruptedCalls(place())).toMatchObject({
    calls: [{ facts: { id: 'theirs' } }],
    isLater: false,
  });
});

test('a former version’s journal is left alone while its process runs, and half a line is ignored', async () => {
  const line = `${JSON.stringify(facts('theirs'))}\n`;
  writeFileSync(join(folder, `running-calls-${process.ppid}.jsonl`), line);
  writeFileSync(join(folder, 'running-calls-4194999.jsonl'), `${line}{"id":"hal`);
  const { calls, done } = await interruptedCalls(place());
  expect(calls.map(({ facts: { id } }) => id)).toEqual(['theirs']);
  await done();
  expect(readdirSync(folder)).toEqual([`running-calls-${process.ppid}.jsonl`]);
});

test('the file stays small after any number of calls', async () => {
  const journal = new RunningCalls(place(), fail);
  journal.began(facts('stays'));
  for (let round = 0; round < 6; round++) {
    for (let index = 0; index < 1000; index++) journal.began(facts(`${round}-${index}`));
    for (let index = 0; index < 1000; index++) journal.recorded(`${round}-${index}`);
    await journal.close();
  }
  const [name = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, name)).length).toBeLessThan(1_100_000);
  expect((await interruptedCalls(place())).calls.map(({ facts }) => facts.id)).toEqual(['stays']);
});

const bigRow = (id: string, bytes: number) => {
  const end = ownEnd('caller-lost');
  const row = callRow(facts(id), { ...NO_RESULT, end, durationMs: 1, trail: [], legs: [] });
  return { row: { ...row, json: 'x'.repeat(bytes) }, jobs: [] };
};
const written = (journal: RunningCalls, text: string): Promise<void> =>
  vi.waitFor(() => expect(readFileSync(join(folder, journal.name), 'utf8')).toContain(text));

test('the file is rewritten beyond a megabyte, and again only when it is twice as large as what it must hold', async () => {
  const journal = new RunningCalls(place(), fail);
  const size = (): number => statSync(join(folder, journal.name)).size;
  journal.ended(bigRow('one', 900_000));
  await written(journal, '"one"');
  expect(statSync(join(folder, journal.name)).mode & 0o777).toBe(0o600);
  journal.recorded('one');
  journal.ended(bigRow('two', 700_000));
  await written(journal, '"two"');
  expect(size()).toBeLessThan(900_000);
  expect(statSync(join(folder, journal.name)).mode & 0o777).toBe(0o600);
  // 0.7 MB of what it holds, and as much of what it does not.
  journal.recorded('two');
  journal.ended(bigRow('three', 600_000));
  await vi.waitFor(() => expect(size()).toBeGreaterThan(1_300_000));
  await journal.close();
  expect((await interruptedCalls(place())).ended.map(({ row }) => row.id)).toEqual(['three']);
});

test('no file stays open at the end', async () => {
  const journal = new RunningCalls(place(), fail);
  journal.began(facts('one'));
  await written(journal, '"one"');
  await journal.close();
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
  expect(open.filter((file) => file.startsWith(folder))).toEqual([]);
});

test('records beyond a limit wait in memory alone, until others are written', async () => {
  const journal = new RunningCalls(place(), fail, 6_000);
  for (const id of ['one', 'two', 'three']) {
    if (id === 'three') journal.recorded('one');
    journal.ended(bigRow(id, 3_000));
  }
  await journal.close();
  expect((await interruptedCalls(place())).ended.map(({ row }) => row.id)).toEqual(['three']);
});

test('the journal takes 64 MB of records at most', async () => {
  const journal = new RunningCalls(place(), fail);
  const { index: _, ...ended } = bigRow('one', 0).row;
  const overhead = JSON.stringify({ ended, jobs: [] }).length + 1;
  journal.ended(bigRow('one', 64_000_000 - overhead + 1));
  journal.ended(bigRow('two', 10));
  await journal.close();
  expect((await interruptedCalls(place())).ended.map(({ row }) => row.id)).toEqual(['two']);
});

test('own and other files in the folder are no journals that others left', async () => {
  const journal = new RunningCalls(place(), fail);
  journal.began(facts('own'));
  await written(journal, '"own"');
  writeFileSync(join(folder, 'node-id'), 'here');
  expect(await interruptedCalls(place(), journal.name)).toMatchObject({
    calls: [],
    unread: [],
    isLater: false,
  });
  await journal.close();
});

test('R25: a journal that cannot be read stays for the next start, and does not keep the others', async () => {
  const unreadable = 'running-calls-here.1.jsonl';
  mkdirSync(join(folder, unreadable));
  writeFileSync(join(folder, 'running-calls-4194999.jsonl'), `${JSON.stringify(facts('theirs'))}\n`);
  const { calls, unread, done } = await interruptedCalls(place());
  expect(calls.map(({ facts: { id } }) => id)).toEqual(['theirs']);
  expect(unread).toMatchObject([{ code: 'EISDIR' }]);
  await done();
  // The journal of a later start neither goes on with it nor removes it.
  await leftBy((journal) => {
    journal.began(facts('one'));
    journal.recorded('one');
  });
  expect(readdirSync(folder)).toEqual([unreadable]);
});
