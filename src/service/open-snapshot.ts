// The database of DATABASE_URL, or the embedded one in DATA_DIR, for backup and restore. Nothing is migrated here.
import type { Config } from '../config/config.ts';
import { withoutPassword } from '../config/forms.ts';
import type { DatabaseRestore, DatabaseSnapshot, RestoreAttempt } from '../storage/ports/snapshot.ts';
import { cannotUse } from './start-error.ts';

export function databaseName({ databaseUrl }: Config): 'SQLite' | 'PostgreSQL' {
  return databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
}

async function named<T>({ databaseUrl, dataDir }: Config, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    const place =
      databaseUrl === undefined ? `DATA_DIR ${dataDir}` : `DATABASE_URL ${withoutPassword(databaseUrl)}`;
    throw cannotUse(place, error);
  }
}

export async function openSnapshot(config: Config): Promise<DatabaseSnapshot> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) {
    const { sqliteSnapshot } = await import('../storage/sqlite/snapshot.ts');
    return named(config, sqliteSnapshot(dataDir));
  }
  const { postgresSnapshot } = await import('../storage/postgres/snapshot.ts');
  return named(config, postgresSnapshot(databaseUrl));
}

export async function openEmptyDatabase(
  config: Config,
  attempt: RestoreAttempt,
): Promise<DatabaseRestore | null> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) {
    const { restoreSqlite } = await import('../storage/sqlite/snapshot.ts');
    return named(config, restoreSqlite(dataDir, attempt));
  }
  const { restorePostgres } = await import('../storage/postgres/snapshot.ts');
  return named(config, restorePostgres(databaseUrl, attempt));
}
