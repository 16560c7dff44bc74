// The little that SQL needs of a database: one statement at a time inside a transaction. Placeholders are $1, $2, …
// in both databases. SQLite answers at once, PostgreSQL after a round trip; the queries do not notice.

export type SqlValue = string | number | null;
export type SqlRow = Record<string, SqlValue>;

export interface Columns {
  readonly [name: string]: 'text' | 'bigint';
}

export interface RowGroup {
  /** Of all columns but the last. */
  readonly shared: readonly SqlValue[];
  readonly each: readonly SqlValue[];
}

export interface Tx {
  /** After a SELECT whose rows are to be taken by one node alone. SQLite has one writer at a time anyway. */
  readonly skipLocked: '' | 'FOR UPDATE SKIP LOCKED';
  all(sql: string, values?: readonly SqlValue[]): Promise<SqlRow[]> | SqlRow[];
  /** How many rows it changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number> | number;
  /** Many rows by one statement, in the order of the columns. `suffix` is an ON CONFLICT or RETURNING clause. */
  insert(
    table: string,
    columns: Columns,
    rows: readonly (readonly SqlValue[])[],
    suffix?: string,
  ): Promise<SqlRow[]> | SqlRow[];
  /** Those of the rows that are not there yet, by their key of texts; tells of each whether it was made. */
  insertNew(
    table: string,
    columns: Columns,
    key: readonly string[],
    rows: readonly (readonly SqlValue[])[],
  ): Promise<boolean[]> | boolean[];
  /** Rows that differ in their last column alone, many for each of `groups`. Those that are there stay as they are. */
  insertGroups(table: string, columns: Columns, groups: readonly RowGroup[]): Promise<void> | void;
}

/** An operation that must leave nothing behind throws this; the value is its outcome all the same. */
export class RollBack<T> extends Error {
  readonly outcome: T;

  constructor(outcome: T) {
    super('rolled back');
    this.outcome = outcome;
  }
}
