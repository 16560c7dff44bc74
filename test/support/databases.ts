// Both databases under one name each, for suites that must pass on both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type PostgresServer, postgresMissing, startPostgres } from './postgres.ts';

export interface Database {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** What a service needs in its environment to use a new, empty database of this kind. */
  environment(): Promise<Record<string, string>>;
  /** A storage on a new, empty database, and a second one on the same. */
  open(): Promise<{ storage: Storage; another(): Promise<Storage> }>;
}

/** Runs the suite once per database. `postgres`: settings of its server. */
export function onBothDatabases(
  suite: (database: Database) => void,
  postgres: Readonly<Record<string, string>> = {},
): void {
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
    folders.push(folder);
    return folder;
  };
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  describe('on SQLite', () => {
    suite({
      name: 'SQLite',
      environment: async () => ({ DATA_DIR: newFolder() }),
      open: async () => {
        const folder = newFolder();
        return { storage: await openSqlite(folder), another: () => openSqlite(folder) };
      },
    });
  });

  describe.skipIf(postgresMissing())('on PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(postgres);
    });
    afterAll(() => server?.remove());
    suite({
      name: 'PostgreSQL',
      environment: async () => ({ DATA_DIR: newFolder(), DATABASE_URL: await server.newDatabase() }),
      open: async () => {
        const url = await server.newDatabase();
        return { storage: await openPostgres({ url }), another: () => openPostgres({ url }) };
      },
    });
  });
}
