// Both databases under one name each, for suites that must pass on both. What a database does with each operation of the storage its
// contract proves on both (src/storage); so most suites of the API run on SQLite alone, and on both with TEST_DATABASES=both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type PostgresServer, postgresMissing, sharedPostgres, startPostgres } from './postgres.ts';
import { type SharedService, sharedService, startService } from './service.ts';

export interface Database {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** What a service needs in its environment to use a new, empty database of this kind. */
  environment(): Promise<Record<string, string>>;
  /** A service on a database of this kind, in which the file has an account of its own: for files that need no more of a service. */
  service(): Promise<SharedService>;
  /** A storage on a new, empty database, and a second one on the same. */
  open(): Promise<{ storage: Storage; another(): Promise<Storage> }>;
}

type Suite = (database: Database) => void;

/** Runs the suite once per database: where answers are as different as their SQL. `settings`: of a PostgreSQL server of its own. */
export function onBothDatabases(suite: Suite, settings?: Readonly<Record<string, string>>): void {
  onSqlite(suite);
  onPostgres(suite, settings);
}

/** Runs the suite on SQLite, and with TEST_DATABASES=both (npm run test:full) on PostgreSQL, too. */
export function onAnyDatabase(suite: Suite): void {
  onSqlite(suite);
  if (process.env['TEST_DATABASES'] === 'both') onPostgres(suite);
}

function newFolders(): () => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
    folders.push(folder);
    return folder;
  };
}

function onSqlite(suite: Suite): void {
  const newFolder = newFolders();
  describe('on SQLite', () => {
    suite({
      name: 'SQLite',
      environment: async () => ({ DATA_DIR: newFolder() }),
      service: sharedService,
      open: async () => {
        const folder = newFolder();
        return { storage: await openSqlite(folder), another: () => openSqlite(folder) };
      },
    });
  });
}

function onPostgres(suite: Suite, settings?: Readonly<Record<string, string>>): void {
  const newFolder = newFolders();
  describe.skipIf(postgresMissing())('on PostgreSQL', () => {
    let server: Pick<PostgresServer, 'newDatabase' | 'remove'>;
    beforeAll(async () => {
      server = await (settings ? startPostgres(settings) : sharedPostgres());
    });
    afterAll(() => server?.remove());
    const environment = async () => ({ DATA_DIR: newFolder(), DATABASE_URL: await server.newDatabase() });
    suite({
      name: 'PostgreSQL',
      environment,
      service: async () => startService({ env: await environment() }),
      open: async () => {
        const url = await server.newDatabase();
        return { storage: await openPostgres({ url }), another: () => openPostgres({ url }) };
      },
    });
  });
}
