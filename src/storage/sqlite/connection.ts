// One connection to the SQLite file, with the settings that make a commit survive a power cut, and the Tx over it.
// @photostructure/sqlite has the API of node:sqlite (Node 22.13 and later); only this file would change.
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Columns, SqlRow, SqlValue, Tx } from '../sql/tx.ts';

/** SQLite answers at once. */
interface SyncTx extends Tx {
  all(sql: string, values?: readonly SqlValue[]): SqlRow[];
}

export interface Connection {
  readonly tx: SyncTx;
  /** Row by row, for results that are too large for all(). */
  each(sql: string): Iterable<SqlRow>;
  execute(sql: string): void;
  inTransaction(): boolean;
  close(): void;
}

export function openConnection(file: string, role: 'writer' | 'reader'): Connection {
  const database = new DatabaseSync(file, { timeout: 5000, readOnly: role === 'reader' });
  const pragma = (name: string): unknown =>
    Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0];
  if (role === 'writer') {
    // FULL, not WAL's default NORMAL: with NORMAL a power cut lost acknowledged rows (docs/decisions/0001-storage.md).
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1');
    if (pragma('journal_mode') !== 'wal')
      throw new Error('The file system does not support a write-ahead log.');
    if (pragma('synchronous') !== 2) throw new Error('SQLite does not sync in full.');
    // Statement and savepoint journals stay in memory; on disk they were half of all bytes written.
    database.exec('PRAGMA temp_store = MEMORY');
  }

  // Statements are the few dozen of src/storage/sql; a placeholder $1 is ?1 here.
  const prepared = new Map<string, StatementSyncInstance>();
  const prepare = (sql: string): StatementSyncInstance => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = database.prepare(sql.replace(/\$(\d)/g, '?$1'));
      prepared.set(sql, statement);
    }
    return statement;
  };

  const tx: SyncTx = {
    skipLocked: '',
    nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    all: (sql, values = []) => prepare(sql).all(...values),
    run: (sql, values = []) => Number(prepare(sql).run(...values).changes),
    insert: (table, columns, rows, suffix = '') => {
      const statement = prepare(insertText(table, columns, suffix));
      const returned: SqlRow[] = [];
      const returns = suffix.includes('RETURNING');
      for (const row of rows) {
        if (returns) returned.push(...statement.all(...row));
        else statement.run(...row);
      }
      return returned;
    },
    insertNew: (table, columns, _key, rows) => {
      // Not RETURNING: it makes a temporary table per row, and copies pages in case the statement fails half-way.
      const statement = prepare(insertText(table, columns, 'ON CONFLICT DO NOTHING'));
      return rows.map((row) => Number(statement.run(...row).changes) > 0);
    },
    insertGroups: (table, columns, groups) => {
      for (const { shared, each } of groups)
        for (let from = 0; from < each.length; from += MAX_GROUP) {
          const some = each.slice(from, from + MAX_GROUP);
          prepare(groupText(table, columns, some.length)).run(...shared, ...some);
        }
    },
  };
  return {
    tx,
    each: (sql) => database.prepare(sql).iterate(),
    execute: (sql) => void prepare(sql).run(),
    inTransaction: () => database.isTransaction,
    close: () => {
      // A prepared statement keeps its connection open past close(), so no connection would checkpoint as the last one.
      if (role === 'writer') database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}

/** Rows of one statement; there is one statement for each number of rows up to it. */
const MAX_GROUP = 16;
const groupTexts = new Map<string, string>();

function groupText(table: string, columns: Columns, rows: number): string {
  const key = `${table} ${rows}`;
  let text = groupTexts.get(key);
  if (!text) {
    const names = Object.keys(columns);
    const shared = names.slice(1).map((_, index) => `?${index + 1}`);
    const marks = Array.from(
      { length: rows },
      (_, index) => `(${[...shared, `?${names.length + index}`].join(', ')})`,
    );
    // OR IGNORE cannot fail half-way, so no page is copied for that; ON CONFLICT could, by a NULL.
    text = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES ${marks.join(', ')}`;
    groupTexts.set(key, text);
  }
  return text;
}

const insertTexts = new Map<string, string>();

function insertText(table: string, columns: Columns, suffix: string): string {
  const key = `${table} ${suffix}`;
  let text = insertTexts.get(key);
  if (!text) {
    const names = Object.keys(columns);
    const marks = names.map((_, index) => `$${index + 1}`);
    text = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')}) ${suffix}`;
    insertTexts.set(key, text);
  }
  return text;
}
