// What the queries need of a database: one statement at a time inside a transaction. Placeholders are $1, $2, … in both
// databases. SQLite returns at once, PostgreSQL after a round trip: queries await either.

export type SqlValue = string | number | null;
export type SqlRow = Record<string, SqlValue>;

export interface Columns {
  readonly [name: string]: 'text' | 'bigint';
}

export interface RowGroup {
  /** The values of all columns but the last. */
  readonly shared: readonly SqlValue[];
  readonly each: readonly SqlValue[];
}

export interface Tx {
  /** Suffix of a SELECT whose rows one node alone may take. SQLite has one writer at a time anyway. */
  readonly skipLocked: '' | 'FOR UPDATE SKIP LOCKED';
  /** SQL expression: the database's clock in whole milliseconds since 1970. */
  readonly nowMs: string;
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
  /** Inserts rows whose key (of text columns) is new; returns for each row whether it was inserted. */
  insertNew(
    table: string,
    columns: Columns,
    key: readonly string[],
    rows: readonly (readonly SqlValue[])[],
  ): Promise<boolean[]> | boolean[];
  /** Inserts rows that differ in their last column alone, many for each of `groups`. Existing rows stay unchanged. */
  insertGroups(table: string, columns: Columns, groups: readonly RowGroup[]): Promise<void> | void;
}

/** Thrown by an operation to roll back; the value is its outcome nevertheless. */
export class RollBack<T> extends Error {
  readonly outcome: T;

  constructor(outcome: T) {
    super('rolled back');
    this.outcome = outcome;
  }
}
