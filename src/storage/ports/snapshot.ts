// The whole of a database as rows, for backups: both databases give and take the same, so a backup of one restores into the other.
import type { LedgerRow } from '../migrations/ledger.ts';
import type { Columns, SqlValue } from '../sql/tx.ts';

export type TableRow = readonly SqlValue[];

/** One moment of the database, while others go on writing. */
export interface DatabaseSnapshot {
  /** The steps that it has. */
  readonly ledger: readonly LedgerRow[];
  /** Every table that it has, with its columns. */
  readonly tables: ReadonlyMap<string, Columns>;
  count(table: string): Promise<number>;
  /** In pieces, with values in the order of the columns. */
  rows(table: string): AsyncIterable<readonly TableRow[]>;
  /** Lets go of the moment, which the database must hold for it; after it `hasRecording` sees the present. */
  release(): Promise<void>;
  /** Whether the row of a call recording or voicemail message is there now. */
  hasRecording(accountId: string, id: string): Promise<boolean>;
  /** The sound of a recording as it is now; null: the database has none. */
  prompt(sha256: string): Promise<Buffer | null>;
  close(): Promise<void>;
}

export interface RestoreAttempt {
  /** Stored with the rows: after an interruption it tells this restore from another. */
  readonly id: string;
  /** An earlier one into this data folder was interrupted, and no service has used the folder since. */
  readonly isAgain: boolean;
}

/** An empty database that is filled: all of it or nothing. */
export interface DatabaseRestore {
  insert(table: string, columns: Columns, rows: readonly TableRow[]): Promise<void>;
  count(table: string): Promise<number>;
  /** Throws when the database finds itself damaged. */
  commit(): Promise<void>;
  /** Nothing of it remains. */
  abort(): Promise<void>;
}
