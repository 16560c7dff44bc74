// What nodes share by PostgreSQL: short transactions on a small pool of its own, so that a claim never waits behind the API's queries.
import type { ClientBase } from 'pg';
import { openPool, Transactions } from '../../storage/postgres/transactions.ts';
import { statementName } from '../../storage/postgres/tx.ts';
import type { SqlRow } from '../../storage/sql/tx.ts';
import { type Notices, noticePayload } from '../ports/notices.ts';
import { CHANNEL, PostgresNotices } from './notices.ts';

const LIMITS = { connections: 6, connectMs: 2000, statementMs: 2000, pipeline: true };
// A claim that a crash of the database takes back is asserted again by its node; a sync for each would cost more than it protects.
const BEGIN = 'BEGIN; SET LOCAL synchronous_commit = off';

type One = string | number | boolean | null;
export type SharedValue = One | readonly One[];

/** Statements that do not wait for each other's answers are one round trip; they run in order. */
export interface SharedTx {
  /** bigint columns are read as text, as in storage. */
  query(sql: string, values?: readonly SharedValue[]): Promise<SqlRow[]>;
  /** Delivered at the commit, if there is one. */
  notify(topic: string, text: string): Promise<void>;
  /** Together with the last statement: one round trip less. False: that statement failed, and nothing is changed. */
  commit(): Promise<boolean>;
}

/** Rejects with StorageError, after 2 s for a connection and 2 s for a statement at most. */
export interface SharedDatabase {
  /** One transaction; again after a serialization failure or a deadlock. Its commit is not synced to disk. */
  run<T>(work: (tx: SharedTx) => Promise<T>): Promise<T>;
  /** One statement without a transaction of ours: one round trip. A write by it is synced to disk. */
  query(sql: string, values?: readonly SharedValue[]): Promise<SqlRow[]>;
  /** Several such statements on one connection. */
  together<T>(work: (query: SharedTx['query']) => Promise<T>): Promise<T>;
  readonly notices: Notices;
  close(): Promise<void>;
}

export interface SharedDatabaseOptions {
  readonly url: string;
  /** A connection broke. */
  readonly onConnectionError: (error: Error) => void;
  /** A subscriber of notices threw. */
  readonly failed: (error: unknown) => void;
}

/** Opens nothing yet: connections are made when they are needed, also again after the database was away. */
export function openSharedDatabase({
  url,
  onConnectionError,
  failed,
}: SharedDatabaseOptions): SharedDatabase {
  const pool = openPool(url, onConnectionError, LIMITS);
  const transactions = new Transactions(pool, {
    over,
    begin: BEGIN,
    isPipelined: true,
    isCommitted: ({ isCommitted }) => isCommitted,
  });
  const query: SharedDatabase['query'] = (sql, values) =>
    transactions.withoutTransaction((tx) => tx.query(sql, values));
  const notices = new PostgresNotices({
    url,
    publish: async (payload) => void (await query('SELECT pg_notify($1, $2)', [CHANNEL, payload])),
    onConnectionError,
    failed,
  });
  return {
    run: (work) => transactions.run(work),
    query,
    together: (work) => transactions.withoutTransaction((tx) => work(tx.query)),
    notices,
    close: async () => {
      await notices.close();
      await pool.end();
    },
  };
}

function over(client: ClientBase): SharedTx & { isCommitted: boolean } {
  const query: SharedTx['query'] = async (sql, values = []) =>
    (await client.query<SqlRow>({ name: statementName(sql), text: sql, values: [...values] })).rows;
  const tx = {
    isCommitted: false,
    query,
    notify: async (topic: string, text: string) =>
      void (await query('SELECT pg_notify($1, $2)', [CHANNEL, noticePayload(topic, text)])),
    commit: async () => {
      tx.isCommitted = true;
      return (await client.query('COMMIT')).command === 'COMMIT';
    },
  };
  return tx;
}
