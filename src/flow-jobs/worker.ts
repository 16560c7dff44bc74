// A flow thread: runs one job at a time on account data that it reads by way of the main thread and holds between jobs.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { AccountSnapshots } from '../accounts/account-snapshots.ts';
import type { RecordStorage } from '../storage/ports/records.ts';
import type { RevisionStorage } from '../storage/ports/revisions.ts';
import type { Asked, FromThread, ToThread } from './job.ts';
import { runJob } from './run-job.ts';

/** How many accounts stay in memory, the last ones that were asked about; one change of an account is read by itself. */
const HELD = { directories: 20, accounts: 1 };
/** Behind signalling, API and audio when processors are scarce. */
const NICE = 10;

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const say = (message: FromThread): void => port.postMessage(message);

const pending = new Map<number, { resolve(output: unknown): void; reject(error: Error): void }>();
let asked = 0;

function ask(method: Asked): (input: unknown) => Promise<never> {
  return (input) =>
    new Promise((resolve, reject) => {
      asked += 1;
      // The main thread answers with the output of this method.
      pending.set(asked, { resolve: (output) => resolve(output as never), reject });
      say({ ask: asked, method, input });
    });
}

const storage: Pick<RecordStorage, Exclude<Asked, 'revisions'>> & RevisionStorage = {
  getRecord: ask('getRecord'),
  getRecords: ask('getRecords'),
  listRecords: ask('listRecords'),
  listStamps: ask('listStamps'),
  recordChanges: ask('recordChanges'),
  revisions: ask('revisions'),
};
const parts = { storage, snapshots: new AccountSnapshots(storage, HELD) };

port.on('message', (message: ToThread) => {
  if ('job' in message) {
    runJob(message.job, parts).then(
      (result) => say({ result }),
      (error: unknown) =>
        say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
    return;
  }
  const waiting = pending.get(message.answered);
  pending.delete(message.answered);
  if ('failed' in message) waiting?.reject(new Error('Storage failed.'));
  else waiting?.resolve(message.output);
});

try {
  // <process>/task/<thread>: on Linux a priority belongs to a thread.
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {
  // Elsewhere the thread has the priority of the process.
}
