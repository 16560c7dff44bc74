import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
