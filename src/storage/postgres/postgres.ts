// PostgreSQL behind the same port. Creations that arrive together are one multi-row statement; other writes are a
// transaction each, which PostgreSQL itself commits in groups.
import type { OutboxJob } from '../../domain/outbox-job.ts';
import { FairGate, type Shares } from '../../fair-share.ts';
import { accountOf, grouped, type Outcome } from '../group.ts';
import type { Installation } from '../ports/installation.ts';
import type { CreateResult, NewRecord } from '../ports/records.ts';
import { getInstallation } from '../sql/installation.ts';
import { probeWrite, type Runner, readSchema, storageOver } from '../sql/operations.ts';
import { addJobs } from '../sql/outbox.ts';
import { createRecord, createRecords } from '../sql/record.ts';
import { revisions } from '../sql/revision.ts';
import { type Storage, StorageError } from '../storage.ts';
import { type LostWatch, type OnLost, watchLost } from '../watch-lost.ts';
import { askTogether } from './ask-together.ts';
import { isSchemaError, toStorageError } from './errors.ts';
import { migrate } from './migrate.ts';
import { CONNECT_MS, MAX_CONNECTIONS, openPool, Transactions } from './transactions.ts';

const LIMITS = { maxGroup: 256, maxPending: 10_000 };
/** Of the connections and of what waits for one. */
const CONNECTIONS: Shares = { total: MAX_CONNECTIONS, perAccount: 8, reserved: 1 };
const WAITING: Shares = { total: 10_000, perAccount: 5_000, reserved: 100 };
/** How often it is checked that the database is still the one that was opened. */
const WATCH_MS = 1000;
/** For so long after a write that found the disk full the service is not ready. */
const FULL_MS = 3000;

export interface PostgresOptions {
  readonly url: string;
  /** Called when a connection breaks, in use or idle. */
  readonly onConnectionError?: (error: Error) => void;
  readonly onLost?: OnLost;
}

export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { url, onConnectionError = () => undefined, onLost = () => undefined } = options;
  const pool = openPool(url, onConnectionError);
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw toStorageError(error);
  }

  const transactions = new Transactions(pool);
  const writes = new WriteOutcomes();
  const gate = new FairGate(CONNECTIONS, WAITING, CONNECT_MS, noConnection);
  const watch = watchInstallation(onLost, () =>
    gate.run(accountOf({}), () => transactions.withoutTransaction((tx) => getInstallation(tx, undefined))),
  );
  const write: Runner = (_name, operation) => async (input) => {
    watch.check();
    return writes.noting(gate.run(accountOf(input), () => transactions.run((tx) => operation(tx, input))));
  };
  const read: Runner = (_name, operation) => async (input) => {
    watch.check();
    return gate.run(accountOf(input), () => transactions.withoutTransaction((tx) => operation(tx, input)));
  };
  const readRevisions = read('revisions', revisions);
  const tryRead = read('readSchema', readSchema);
  const tryWrite = write('probeWrite', probeWrite);

  const storage = storageOver(read, write);
  return {
    ...storage,
    makeInstallation: async (input) => watch.known(await storage.makeInstallation(input)),
    createRecord: creating(write),
    addJobs: addingJobs(write),
    revisions: askTogether(readRevisions),
    probe: async () => {
      await watch.now();
      await tryRead({});
      if (!writes.mustTry()) return;
      await tryWrite({ atMs: Date.now() });
      writes.succeeded();
    },
    close: () => {
      watch.stop();
      return pool.end();
    },
  };
}

/** The database may be emptied, or dropped and made anew, under a running service: then its installation is another or none. */
function watchInstallation(
  onLost: OnLost,
  read: () => Promise<Installation | null>,
): LostWatch & { known(installation: Installation): Installation } {
  let known: string | undefined;
  const lost = new StorageError(
    'lost',
    'The PostgreSQL database was deleted or replaced while in use: it belongs to no or another installation. Every request ' +
      'is refused. Restore its backup, or end the service and start it with the right DATABASE_URL.',
    { shown: 'The database was deleted or replaced while in use.' },
  );
  const watch = watchLost(WATCH_MS, onLost, async () => {
    try {
      const found = await read();
      known ??= found?.id;
      return found?.id === known ? null : lost;
    } catch (error) {
      if (known !== undefined && isSchemaError(error)) return lost;
      throw error;
    }
  });
  return {
    ...watch,
    known: (installation) => {
      known = installation.id;
      return installation;
    },
  };
}

const noConnection = (): StorageError =>
  new StorageError('unavailable', 'No connection to PostgreSQL was free in time.');

/** Whether the last write failed, and how: a probe then tries one. */
class WriteOutcomes {
  #failed: { readonly error: unknown; readonly atMs: number } | undefined;

  async noting<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      this.#failed = { error, atMs: performance.now() };
      throw error;
    }
  }

  /** Known by a probe alone: other writes may find nothing to change, and succeed on a full disk. */
  succeeded(): void {
    this.#failed = undefined;
  }

  mustTry(): boolean {
    if (!this.#failed) return false;
    const { error, atMs } = this.#failed;
    // A probe's row is so small that it may fit into a page where a record does not.
    if (error instanceof StorageError && error.reason === 'full' && performance.now() - atMs < FULL_MS)
      throw error;
    return true;
  }
}

function creating(write: Runner): Storage['createRecord'] {
  const createOne = write('createRecord', createRecord);
  const createMany = write('createRecords', createRecords);
  const createTogether = grouped<NewRecord, CreateResult>(async (inputs) => {
    const results = await createMany(inputs);
    return results.map((value): Outcome<CreateResult> => ({ value }));
  }, LIMITS);
  return (input) => (input.keys || input.isChosen ? createOne(input) : createTogether(input));
}

/** One transaction at a time: two at once could commit in the other order, and jobs with one order key must not. */
function addingJobs(write: Runner): Storage['addJobs'] {
  const addMany = write('addJobs', addJobs);
  const addTogether = grouped<{ jobs: readonly OutboxJob[] }, { refused: string[] }>(async (inputs) => {
    const { refused } = await addMany({ jobs: inputs.flatMap(({ jobs }) => jobs) });
    const isRefused = new Set(refused);
    return inputs.map(({ jobs }) => ({
      value: { refused: jobs.map(({ id }) => id).filter((id) => isRefused.has(id)) },
    }));
  }, LIMITS);
  return (input) => (input.mostWaiting === undefined ? addTogether(input) : addMany(input));
}
