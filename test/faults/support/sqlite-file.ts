// The database file seen from outside, after the service has let go of it (or beside it: SQLite allows both).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

export const sqliteFile = (dataDir: string): string => join(dataDir, 'dialtree.sqlite');

export function readRows(dataDir: string, sql: string): Record<string, unknown>[] {
  // Opening a file that is not there would make an empty one, which is sound and says nothing.
  if (!existsSync(sqliteFile(dataDir))) throw new Error(`There is no database in ${dataDir}.`);
  const database = new DatabaseSync(sqliteFile(dataDir), { timeout: 5000 });
  try {
    return database.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

/** 'ok', or what is broken. */
export const integrityOf = (dataDir: string): unknown =>
  readRows(dataDir, 'PRAGMA integrity_check')[0]?.['integrity_check'];
