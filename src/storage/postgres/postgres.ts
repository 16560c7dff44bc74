// PostgreSQL behind the same port. Creations that arrive together are one multi-row statement; other writes are a
// transaction each, which PostgreSQL itself commits in groups.
import pg from 'pg';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import { grouped, type Outcome } from '../group.ts';
import { askTogether } from '../revisions.ts';
import {
  type InputOf,
  type OutputOf,
  READS,
  type ReadName,
  storageOver,
  WRITES,
  type WriteName,
} from '../sql/operations.ts';
import { RollBack, type Tx } from '../sql/tx.ts';
import { type CreateResult, type NewRecord, type Storage, StorageError } from '../storage.ts';
import { isConflict, toStorageError } from './errors.ts';
import { migrate } from './migrate.ts';
import { overClient } from './tx.ts';

const LIMITS = { maxGroup: 256, maxWaiting: 10_000 };
const MAX_ATTEMPTS = 5;
/** For so long after a write that found no room the service counts as not ready. */
const FULL_MS = 3000;

export interface PostgresOptions {
  readonly url: string;
  /** Told of a connection that broke, in use or not. */
  readonly onIdleError?: (error: Error) => void;
}

export async function openPostgres({ url, onIdleError = () => {} }: PostgresOptions): Promise<Storage> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3000,
    query_timeout: 4000,
    statement_timeout: 4000,
    idle_in_transaction_session_timeout: 5000,
    keepAlive: true,
  });
  // Every connection tells of its own end, below; what the pool adds for an idle one is the same news.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // Also while it is in use, when the pool does not listen: an 'error' that nobody hears ends the process.
    client.on('error', onIdleError);
    // A role may have it off; an answer must not be sent before its commit is on disk.
    client
      .query(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
      )
      .catch(onIdleError);
  });

  async function withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw toStorageError(error);
    }
    let broken = true;
    try {
      const result = await use(client);
      broken = false;
      return result;
    } catch (error) {
      broken = !isConflict(error);
      throw error;
    } finally {
      // A connection on which something unforeseen happened is not used again.
      client.release(broken);
    }
  }

  /** Runs again after a serialization failure or a deadlock: another node was in the way. */
  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withClient((client) => inTransaction(client, work));
      } catch (error) {
        if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw toStorageError(error);
      }
    }
  }

  async function withoutTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await withClient((client) => work(overClient(client)));
    } catch (error) {
      throw toStorageError(error);
    }
  }

  let failed: { readonly error: unknown; readonly atMs: number } | undefined;
  async function noting<T>(writing: Promise<T>): Promise<T> {
    try {
      const result = await writing;
      failed = undefined;
      return result;
    } catch (error) {
      failed = { error, atMs: performance.now() };
      throw error;
    }
  }

  const write =
    <N extends WriteName>(name: N) =>
    (input: InputOf<N>): Promise<OutputOf<N>> =>
      noting(
        transaction((tx) => (WRITES[name] as (tx: Tx, input: InputOf<N>) => Promise<OutputOf<N>>)(tx, input)),
      );
  const read =
    <N extends ReadName>(name: N) =>
    (input: InputOf<N>): Promise<OutputOf<N>> =>
      withoutTransaction((tx) =>
        (READS[name] as (tx: Tx, input: InputOf<N>) => Promise<OutputOf<N>>)(tx, input),
      );

  const probeWrite = write('probeWrite');
  const createOne = write('createRecord');
  const createMany = write('createRecords');
  const createTogether = grouped<NewRecord, CreateResult>(async (inputs) => {
    const results = await createMany(inputs);
    return results.map((value): Outcome<CreateResult> => ({ value }));
  }, LIMITS);

  // One at a time: two transactions at once could commit in the other order, and jobs with one order key must not.
  const addMany = write('addJobs');
  const addTogether = grouped<{ jobs: readonly OutboxJob[] }, { refused: string[] }>(async (inputs) => {
    const { refused } = await addMany({ jobs: inputs.flatMap(({ jobs }) => jobs) });
    const isRefused = new Set(refused);
    return inputs.map(({ jobs }) => ({
      value: { refused: jobs.map(({ id }) => id).filter((id) => isRefused.has(id)) },
    }));
  }, LIMITS);

  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw toStorageError(error);
  }

  return {
    ...storageOver(read, write),
    createRecord: (input) => (input.keys ? createOne(input) : createTogether(input)),
    addJobs: (input) => (input.mostWaiting === undefined ? addTogether(input) : addMany(input)),
    revisions: askTogether(read('revisions')),
    probe: async () => {
      await read('revisions')(['access']);
      if (!failed) return;
      const { error, atMs } = failed;
      // The probe is so small that it may find room in a page where a record does not.
      if (error instanceof StorageError && error.reason === 'full' && performance.now() - atMs < FULL_MS)
        throw error;
      await probeWrite({ atMs: Date.now() });
    },
    close: () => pool.end(),
  };
}

async function inTransaction<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work(overClient(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that broke or went silent is closed by withClient; asking it once more doubles the wait.
    if (error instanceof RollBack || error instanceof pg.DatabaseError) await client.query('ROLLBACK');
    if (error instanceof RollBack) return error.outcome as T;
    throw error;
  }
}
