// The contract on SQLite in the thread of the test. What runs in the worker thread comes from dist/, where mutation testing changes
// nothing (test/mutation). A repeated test finds the database as its first run did.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { METHOD_NAMES, METHODS, type Method } from '../methods.ts';
import { OPERATIONS, probeWrite, type Runner, storageOver } from '../sql/operations.ts';
import { RollBack, type Tx } from '../sql/tx.ts';
import { storageContract } from '../storage.contract.ts';
import type { Storage } from '../storage.ts';
import { type Connection, openConnection } from './connection.ts';
import { migrate } from './migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
const before = join(folder, 'before.sqlite');
/** A new one for each run: a prepared statement keeps the file of a closed connection open. */
let file = join(folder, '0.sqlite');
let runs = 0;
let connection: Connection;
let isOpen = false;
let current = '';
/** The operation before. */
let last: Promise<unknown> = Promise.resolve();

beforeEach(({ task }) => {
  close();
  if (task.id !== current) copyFileSync(file, before);
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  current = task.id;
  file = join(folder, `${++runs}.sqlite`);
  copyFileSync(before, file);
  connection = open();
  last = Promise.resolve();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(): Connection {
  const opened = openConnection(file, 'writer');
  opened.execute('PRAGMA synchronous = OFF');
  isOpen = true;
  return opened;
}

function close(): void {
  if (!isOpen) return;
  isOpen = false;
  connection.close();
}

async function commit<Output>(work: (tx: Tx) => Promise<Output>): Promise<Output> {
  const { tx, execute } = connection;
  execute('BEGIN IMMEDIATE');
  try {
    const output = await work(tx);
    execute('COMMIT');
    return output;
  } catch (error) {
    execute('ROLLBACK');
    if (error instanceof RollBack) return error.outcome as Output;
    throw error;
  }
}

const run: Runner = (_, operation, input) => {
  const output = last.then(() => commit((tx) => operation(tx, input)));
  last = output.catch(() => undefined);
  return output;
};

const openHere = (read: Runner = run, write: Runner = run): Storage =>
  storageOver(read, write, {
    probe: () => run('probeWrite', probeWrite, { atMs: Date.now() }),
    close: async () => undefined,
  });

storageContract(async () => {
  connection = open();
  await migrate(connection);
  const storage = openHere();
  return { storage, another: async () => storage };
});

it('creations in one batch: a key that was claimed before, and one that comes twice, create nothing more', async () => {
  const one = (id: string, key: string) => ({
    accountId: 'batched',
    kind: 'ivr' as const,
    id,
    atMs: 1,
    json: '{}',
    idempotency: { route: 'POST /', key, bodyHash: 'h', answer: id },
  });
  const create = (...ids: [string, string][]) =>
    commit((tx) =>
      OPERATIONS.createRecords(
        tx,
        ids.map(([id, key]) => one(id, key)),
      ),
    );
  expect(await create(['a', 'k'])).toEqual([{ outcome: 'created' }]);
  expect(await create(['b', 'k'], ['c', 'l'], ['d', 'l'])).toEqual([
    { outcome: 'claimed_before', bodyHash: 'h', answer: 'a' },
    { outcome: 'created' },
    { outcome: 'claimed_before', bodyHash: 'h', answer: 'c' },
  ]);
  const page = { accountId: 'batched', kind: 'ivr' as const, afterId: '', limit: 9 };
  const rows = await commit((tx) => OPERATIONS.listRecords(tx, page));
  expect(rows.map(({ id }) => id)).toEqual(['a', 'c']);
});

it('calls take their index words along when they are deleted, however many there are', async () => {
  const count = () =>
    Number(connection.tx.all("SELECT count(*) AS n FROM call_words WHERE account_id = 'words'")[0]?.['n']);
  const words = Array.from({ length: 150 }, (_, index) => `ivr:${index}`);
  const row = {
    accountId: 'words',
    id: 'a',
    startedAtMs: 1,
    endedAtMs: 2,
    direction: 'inbound',
    caller: null,
    dialled: '100',
    entry: 'ivr||1',
    endCode: 'caller-hung-up',
    cause: 16,
    answeredBy: null,
    waitMs: 0,
    ringMs: 0,
    talkMs: 0,
    json: JSON.stringify({
      trail: words.map((word) => ({ atMs: 0, node: word.replace(':', '||'), code: 'arrived', text: '' })),
    }),
  } as const;
  const storage = openHere();
  await storage.saveCalls({ calls: [row, { ...row, id: 'b', startedAtMs: 5 }] });
  const both = count();
  expect(both).toBeGreaterThan(300);
  await storage.forgetCalls({ accountId: 'words', beforeMs: 5, limit: 9 });
  expect(count()).toBe(both / 2);
});

it('messages that the outbox has no room for are refused; with an Idempotency-Key nothing is stored', async () => {
  connection.execute(
    "INSERT INTO outbox_counts (account_id, lane, waiting, dead) VALUES ('full', 'sms', 99999, 0)",
  );
  const message = (id: string) => ({
    id,
    accountId: 'full',
    callId: null,
    to: '+49',
    templateId: null,
    text: '',
    parts: 1,
    createdAtMs: 1,
  });
  const storage = openHere();
  const idempotency = { route: 'POST /', key: 'k', bodyHash: 'h', answer: 'x' };
  const messages = [message('1'), message('2')];
  expect(await storage.queueMessages({ messages, idempotency })).toEqual({
    outcome: 'queued',
    refused: ['2'],
  });
  expect(await storage.getMessage(messages[0] ?? message(''))).toBeNull();
  expect(await storage.findClaim({ accountId: 'full', route: 'POST /', key: 'k' })).toBeNull();
  expect(await storage.queueMessages({ messages })).toEqual({ outcome: 'queued', refused: ['2'] });
  expect(await storage.getMessage(message('1'))).not.toBeNull();
  expect(await storage.getMessage(message('2'))).toBeNull();
});

it('changes are named one by one for 1,000 revisions, and never where a former version of the program made one', async () => {
  const storage = openHere();
  const accountId = 'noted';
  const address = { accountId, kind: 'ivr' as const, id: 'a' };
  const changes = async (since: number) =>
    (await storage.recordChanges({ accountId, since, limit: 2000 })).changes;
  await storage.createRecord({ ...address, atMs: 1, json: '{}' });
  for (let revision = 2; revision <= 1088; revision++)
    await storage.updateRecord({ ...address, atMs: revision, json: '{}' });
  expect([(await changes(88))?.length, await changes(87)]).toEqual([1000, null]);
  connection.execute("UPDATE revisions SET revision = 1089 WHERE topic = 'records:noted'");
  expect([await changes(1088), await changes(1089)]).toEqual([null, []]);
});

it('a trunk is held for whole seconds of the database’s clock', async () => {
  const held = { accountId: 'holds', trunkId: 't', registered: true, problem: null };
  await commit((tx) =>
    OPERATIONS.holdTrunks({ ...tx, nowMs: '5000' }, { node: 'a', seconds: 30, most: 1, trunks: [held] }),
  );
  const rows = connection.tx.all("SELECT until_at FROM trunk_registrations WHERE account_id = 'holds'");
  expect(rows).toEqual([{ until_at: 35_000 }]);
});

it('what only reads waits for no writer: it is run as a read', async () => {
  const reads: string[] = [];
  const into =
    (names: string[]): Runner =>
    (name) => {
      names.push(name);
      return Promise.reject(new Error('not run'));
    };
  const methods: Record<Method, (input: never) => Promise<unknown>> = openHere(into(reads), into([]));
  for (const name of METHOD_NAMES) await methods[name]({} as never).catch(() => undefined);
  expect(reads.sort()).toEqual(METHOD_NAMES.filter((name) => METHODS[name].access === 'read').sort());
});
