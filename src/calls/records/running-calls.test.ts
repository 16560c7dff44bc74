import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallFacts } from './call-record.ts';
import { callRow } from './call-row.ts';
import { interruptedCalls } from './interrupted-calls.ts';
import { RunningCalls } from './running-calls.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
  const journal = new RunningCalls(folder, fail);
  use(journal);
  await journal.close();
}

test('a call that was not recorded becomes the record of an interrupted call, once', async () => {
  await leftBy((journal) => {
    for (const id of ['one', 'two', 'three']) journal.began(facts(id));
    journal.recorded('two');
    journal.recorded('never began');
  });
  const { calls, done } = await interruptedCalls(folder);
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
  expect((await interruptedCalls(folder)).calls).toEqual([]);
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
  const journal = new RunningCalls(folder, fail);
  journal.began(before);
  journal.began(facts('outside'));
  journal.answered('outside', outside);
  await vi.waitFor(() => expect(readFileSync(join(folder, journal.name), 'utf8')).toContain('"outside"'));
  journal.answered('before', answer);
  journal.answered('unknown', answer);
  await journal.close();
  const { calls } = await interruptedCalls(folder);
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
  const journal = new RunningCalls(folder, fail);
  journal.began({ ...facts('at once'), entryName: '“Main menu”' });
  journal.callerAnswered('at once', 3);
  journal.began(facts('later'));
  journal.began(facts('never'));
  await vi.waitFor(() => expect(readFileSync(join(folder, journal.name), 'utf8')).toContain('"never"'));
  journal.callerAnswered('later', 700);
  journal.callerAnswered('unknown', 1);
  await journal.close();
  const { calls } = await interruptedCalls(folder);
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
  const { calls } = await interruptedCalls(folder);
  expect(calls[0]?.result.legs).toMatchObject([{ answeredMs: 9 }, { rangMs: null, answeredMs: 2000 }]);
});

test('a call that begins twice, as a click to call, is recorded once', async () => {
  const journal = new RunningCalls(folder, fail);
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
    const journal = new RunningCalls(folder, fail);
    journal.began(facts('one'));
    const file = join(folder, journal.name);
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('one'));
    utimesSync(file, 1, 1);
    vi.advanceTimersByTime(2000);
    await vi.waitFor(() => expect(statSync(file).mtimeMs).toBeGreaterThan(Date.now() - 60_000));
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

test('the journal of a running process is left alone, and half a line is ignored', async () => {
  const line = `${JSON.stringify(facts('theirs'))}\n`;
  writeFileSync(join(folder, `running-calls-${process.ppid}.jsonl`), line);
  writeFileSync(join(folder, 'running-calls-4194999.jsonl'), `${line}{"id":"hal`);
  const { calls, done } = await interruptedCalls(folder);
  expect(calls.map(({ facts: { id } }) => id)).toEqual(['theirs']);
  await done();
  expect(readdirSync(folder)).toEqual([`running-calls-${process.ppid}.jsonl`]);
});

test('the file stays small after any number of calls', async () => {
  const journal = new RunningCalls(folder, fail);
  journal.began(facts('stays'));
  for (let round = 0; round < 6; round++) {
    for (let index = 0; index < 1000; index++) journal.began(facts(`${round}-${index}`));
    for (let index = 0; index < 1000; index++) journal.recorded(`${round}-${index}`);
    await journal.close();
  }
  const [name = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, name)).length).toBeLessThan(1_100_000);
  expect((await interruptedCalls(folder)).calls.map(({ facts }) => facts.id)).toEqual(['stays']);
});

test('R25: a journal that cannot be read stays for the next start, and does not keep the others', async () => {
  const unreadable = `running-calls-${process.pid}.jsonl`;
  mkdirSync(join(folder, unreadable));
  writeFileSync(join(folder, 'running-calls-4194999.jsonl'), `${JSON.stringify(facts('theirs'))}\n`);
  const { calls, unread, done } = await interruptedCalls(folder);
  expect(calls.map(({ facts: { id } }) => id)).toEqual(['theirs']);
  expect(unread).toMatchObject([{ code: 'EISDIR' }]);
  await done();
  // The journal of a process with the same pid neither goes on with it nor removes it.
  await leftBy((journal) => {
    journal.began(facts('one'));
    journal.recorded('one');
  });
  expect(readdirSync(folder)).toEqual([unreadable]);
});
