// Transactions on a pool of PostgreSQL connections.
import pg from 'pg';
import { RollBack } from '../sql/tx.ts';
import { isConflict, isConnectionLimit, toStorageError } from './errors.ts';

const MAX_ATTEMPTS = 5;
export const MAX_CONNECTIONS = 10;
export const CONNECT_MS = 3000;
/** For so long after the server refused a connection the pool opens no more than it has. */
const REST_MS = 10_000;

export interface PoolLimits {
  readonly connections: number;
  readonly connectMs: number;
  readonly statementMs: number;
  /** Statements of a connection are sent without waiting for the answers to those before. */
  readonly pipeline?: boolean;
}

export const POOL_LIMITS: PoolLimits = {
  connections: MAX_CONNECTIONS,
  connectMs: CONNECT_MS,
  statementMs: 4000,
};

export function openPool(
  url: string,
  onConnectionError: (error: Error) => void,
  { connections, connectMs, statementMs, pipeline = false }: PoolLimits = POOL_LIMITS,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: 5000,
    keepAlive: true,
    pipeline,
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

/** What a transaction's work is given of its connection, and how a transaction begins. */
export interface TransactionForm<Connection> {
  readonly over: (client: pg.PoolClient) => Connection;
  readonly begin: string;
  /** BEGIN travels together with the first statement. */
  readonly isPipelined?: boolean;
  /** The work has sent COMMIT itself. */
  readonly isCommitted?: (connection: Connection) => boolean;
}

export class Transactions<Connection> {
  readonly #pool: pg.Pool;
  readonly #form: TransactionForm<Connection>;
  readonly #most: number;
  #resting: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, form: TransactionForm<Connection>) {
    this.#pool = pool;
    this.#form = form;
    this.#most = pool.options.max;
  }

  /** Runs again after a serialization failure or a deadlock with another node. */
  async run<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#withClient((client) => inTransaction(client, this.#form, work));
      } catch (error) {
        if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw toStorageError(error);
      }
    }
  }

  async withoutTransaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#withClient((client) => work(this.#form.over(client)));
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
          this.#pool.options.max = this.#most;
        }, REST_MS).unref();
      }
    }
  }
}

async function inTransaction<T, Connection>(
  client: pg.PoolClient,
  { over, begin, isPipelined = false, isCommitted }: TransactionForm<Connection>,
  work: (tx: Connection) => Promise<T>,
): Promise<T> {
  const begun = client.query(begin);
  if (isPipelined) begun.catch(() => undefined);
  else await begun;
  try {
    const tx = over(client);
    const result = await work(tx);
    await begun;
    if (!isCommitted?.(tx)) await client.query('COMMIT');
    return result;
  } catch (error) {
    // #withClient closes a connection that broke or does not answer; a query on it would double the wait.
    if (error instanceof RollBack || error instanceof pg.DatabaseError) await client.query('ROLLBACK');
    if (error instanceof RollBack) return error.outcome;
    throw error;
  }
}
