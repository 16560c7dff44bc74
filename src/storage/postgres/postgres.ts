// PostgreSQL behind the same port. Creations that arrive together are one multi-row statement; other writes are a
// transaction each, which PostgreSQL itself commits in groups.
import type { OutboxJob } from '../../domain/outbox-job.ts';
import { FairGate, type Shares } from '../../kit/fair-share.ts';
import { accountOf, grouped, type Outcome } from '../group.ts';
import type { CreateResult, NewRecord } from '../ports/records.ts';
import { getInstallation, makeInstallation } from '../sql/installation.ts';
import { probeWrite, type Runner, readSchema, storageOver } from '../sql/operations.ts';
import { addJobs } from '../sql/outbox.ts';
import { createRecord, createRecords } from '../sql/record.ts';
import { revisions } from '../sql/revision.ts';
import { type Storage, StorageError } from '../storage.ts';
import type { OnLost } from '../watch-lost.ts';
import { WriteOutcomes } from '../write-outcomes.ts';
import { askTogether } from './ask-together.ts';
import { toStorageError } from './errors.ts';
import { migrate } from './migrate.ts';
import { CONNECT_MS, MAX_CONNECTIONS, openPool, POOL_LIMITS, Transactions } from './transactions.ts';
import { overClient } from './tx.ts';
import { watchInstallation } from './watch-installation.ts';

const LIMITS = { maxGroup: 256, maxPending: 10_000 };
/** How accounts share the connections. WAITING: how they share the places to wait for one. */
const connectionShares = (total: number): Shares => ({
  total,
  perAccount: Math.floor(total * 0.8),
  reserved: 1,
});
const WAITING: Shares = { total: 10_000, perAccount: 5_000, reserved: 100 };

export interface PostgresOptions {
  readonly url: string;
  /** Called when a connection breaks, in use or idle. */
  readonly onConnectionError?: (error: Error) => void;
  readonly onLost?: OnLost;
  /** At most so many connections. */
  readonly connections?: number;
  /** Another thread of this process has brought the schema up to date. */
  readonly isMigrated?: boolean;
}

export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { url, onConnectionError = () => undefined, onLost = () => undefined } = options;
  const { connections = MAX_CONNECTIONS, isMigrated = false } = options;
  const pool = openPool(url, onConnectionError, { ...POOL_LIMITS, connections });
  try {
    if (!isMigrated) await migrate(url);
  } catch (error) {
    await pool.end();
    throw toStorageError(error);
  }

  const transactions = new Transactions(pool, { over: overClient, begin: 'BEGIN' });
  const writes = new WriteOutcomes(true);
  const gate = new FairGate(connectionShares(connections), WAITING, CONNECT_MS, noConnection);
  const watch = watchInstallation(onLost, () =>
    gate.run(accountOf({}), () => transactions.withoutTransaction((tx) => getInstallation(tx, undefined))),
  );
  const write: Runner = async (_name, operation, input) => {
    watch.check();
    try {
      return await gate.run(accountOf(input), () => transactions.run((tx) => operation(tx, input)));
    } catch (error) {
      writes.failed(error);
      throw error;
    }
  };
  const read: Runner = async (_name, operation, input) => {
    watch.check();
    return gate.run(accountOf(input), () => transactions.withoutTransaction((tx) => operation(tx, input)));
  };
  return storageOver(read, write, {
    makeInstallation: async (input) => watch.known(await write('makeInstallation', makeInstallation, input)),
    createRecord: creating(write),
    addJobs: addingJobs(write),
    revisions: askTogether((topics) => read('revisions', revisions, topics)),
    probe: async () => {
      await watch.now();
      await read('readSchema', readSchema, undefined);
      if (!writes.mustTry()) return;
      await write('probeWrite', probeWrite, { atMs: Date.now() });
      writes.succeeded();
    },
    close: () => {
      watch.stop();
      return pool.end();
    },
  });
}

const noConnection = (): StorageError =>
  new StorageError('unavailable', 'No connection to PostgreSQL was free in time.');

function creating(write: Runner): Storage['createRecord'] {
  const createTogether = grouped<NewRecord, CreateResult>(async (inputs) => {
    const results = await write('createRecords', createRecords, inputs);
    return results.map((value): Outcome<CreateResult> => ({ value }));
  }, LIMITS);
  return (input) =>
    input.keys || input.isChosen ? write('createRecord', createRecord, input) : createTogether(input);
}

/** One transaction at a time: two at once could commit in the other order, and jobs with one order key must not. */
function addingJobs(write: Runner): Storage['addJobs'] {
  const addTogether = grouped<{ jobs: readonly OutboxJob[] }, { refused: string[] }>(async (inputs) => {
    const { refused } = await write('addJobs', addJobs, { jobs: inputs.flatMap(({ jobs }) => jobs) });
    const isRefused = new Set(refused);
    return inputs.map(({ jobs }) => ({
      value: { refused: jobs.map(({ id }) => id).filter((id) => isRefused.has(id)) },
    }));
  }, LIMITS);
  return (input) => (input.mostWaiting === undefined ? addTogether(input) : write('addJobs', addJobs, input));
}
