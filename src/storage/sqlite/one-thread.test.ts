// The contract on SQLite in the thread of the test. What runs in the worker thread comes from dist/, where mutation testing changes
// nothing (test/mutation). A repeated test finds the database as its first run did.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { probeWrite, type Runner, storageOver } from '../sql/operations.ts';
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

const run: Runner =
  <Input, Output>(_: string, operation: (tx: Tx, input: Input) => Promise<Output>) =>
  (input: Input) => {
    const output = last.then(() => commit((tx) => operation(tx, input)));
    last = output.catch(() => undefined);
    return output;
  };

storageContract(async () => {
  connection = open();
  await migrate(connection);
  const storage: Storage = {
    ...storageOver(run, run),
    probe: () => run('probeWrite', probeWrite)({ atMs: Date.now() }),
    close: async () => undefined,
  };
  return { storage, another: async () => storage };
});
