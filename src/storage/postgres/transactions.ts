// Transactions on a pool of PostgreSQL connections.
import pg from 'pg';
import { RollBack, type Tx } from '../sql/tx.ts';
import { isConflict, isConnectionLimit, toStorageError } from './errors.ts';
import { overClient } from './tx.ts';

const MAX_ATTEMPTS = 5;
export const MAX_CONNECTIONS = 10;
export const CONNECT_MS = 3000;
/** For so long after the server refused a connection the pool opens no more than it has. */
const REST_MS = 10_000;

export function openPool(url: string, onConnectionError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: 4000,
    statement_timeout: 4000,
    idle_in_transaction_session_timeout: 5000,
    keepAlive: true,
  });
  // Every connection reports its own errors, below; the pool reports those of idle ones again.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // Also while it is in use, when the pool does not listen: an 'error' event without a listener ends the process.
    client.on('error', onConnectionError);
    // A role may have it off; an answer must not be sent before its commit is on disk.
    client
      .query(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
      )
      .catch(onConnectionError);
  });
  return pool;
}

export class Transactions {
  readonly #pool: pg.Pool;
  #resting: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Runs again after a serialization failure or a deadlock with another node. */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#withClient((client) => inTransaction(client, work));
      } catch (error) {
        if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw toStorageError(error);
      }
    }
  }

  async withoutTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.#withClient((client) => work(overClient(client)));
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async #withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#connect();
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
      // After an unexpected error the connection is closed, not used again.
      client.release(broken);
    }
  }

  /** Where the server has no connection left, the request waits for one that the pool has. */
  async #connect(): Promise<pg.PoolClient> {
    const untilMs = performance.now() + CONNECT_MS;
    for (;;) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        const open = this.#pool.totalCount;
        if (!isConnectionLimit(error) || open === 0 || performance.now() > untilMs) throw error;
        this.#pool.options.max = open;
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => {
          this.#pool.options.max = MAX_CONNECTIONS;
        }, REST_MS).unref();
      }
    }
  }
}

async function inTransaction<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work(overClient(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // #withClient closes a connection that broke or does not answer; a query on it would double the wait.
    if (error instanceof RollBack || error instanceof pg.DatabaseError) await client.query('ROLLBACK');
    if (error instanceof RollBack) return error.outcome as T;
    throw error;
  }
}
