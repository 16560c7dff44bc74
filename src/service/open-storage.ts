// The database of DATABASE_URL, or the embedded one in DATA_DIR.
import type { Logger } from 'pino';
import { type Config, withoutPassword } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { openSqlite } from '../storage/sqlite/sqlite.ts';
import type { Storage } from '../storage/storage.ts';
import { cannotUse } from './start-error.ts';

export async function openStorage({ databaseUrl, dataDir }: Config, logger?: Logger): Promise<Storage> {
  let place = `DATA_DIR ${dataDir}`;
  try {
    makeDataFolder(dataDir);
    if (databaseUrl === undefined) return await openSqlite(dataDir);
    place = `DATABASE_URL ${withoutPassword(databaseUrl)}`;
    const { openPostgres } = await import('../storage/postgres/postgres.ts');
    return await openPostgres({
      url: databaseUrl,
      onConnectionError: (err) => logger?.warn({ err }, 'database connection lost'),
    });
  } catch (error) {
    throw cannotUse(place, error);
  }
}
