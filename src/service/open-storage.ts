// The database of DATABASE_URL, or the embedded one in DATA_DIR.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { unfinishedRestore } from '../backup/unfinished.ts';
import { type Config, withoutPassword } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { inspectPostgres } from '../storage/inspect.ts';
import { DATABASE_FILE, openSqlite } from '../storage/sqlite/sqlite.ts';
import type { Storage } from '../storage/storage.ts';
import type { OnLost } from '../storage/watch-lost.ts';
import { keepBallast, releaseBallast } from './ballast.ts';
import { checkDatabaseIsThere, checkInstallation } from './installation.ts';
import { cannotUse, StartError } from './start-error.ts';

/** For commands: makes no folder, no database and no tables. Older tables are brought up to date, as at a start. */
export async function openExistingStorage(config: Config): Promise<Storage> {
  const { databaseUrl, dataDir } = config;
  const advice =
    'Start the service once ("dialtree serve"), or set DIALTREE_URL to ask one that runs elsewhere.';
  checkRestored(dataDir);
  if (databaseUrl === undefined) {
    checkDatabaseIsThere(dataDir, DATABASE_FILE);
    if (!existsSync(join(dataDir, DATABASE_FILE)))
      throw new StartError(
        `There is no database in DATA_DIR ${dataDir}: is it the folder of the service? ${advice}`,
      );
    return openStorage(config);
  }
  const place = `DATABASE_URL ${withoutPassword(databaseUrl)}`;
  const found = await inspectPostgres(databaseUrl).catch((error: unknown) =>
    Promise.reject(cannotUse(place, error)),
  );
  if (!found) throw new StartError(`${place} has no tables of Dialtree. ${advice}`);
  // Without a folder there is nothing to compare the database with: no sound is read or written here.
  return existsSync(dataDir) ? openStorage(config) : openDatabase(config);
}

export async function openStorage(config: Config, logger?: Logger): Promise<Storage> {
  const { databaseUrl, dataDir } = config;
  const place =
    databaseUrl === undefined ? `DATA_DIR ${dataDir}` : `DATABASE_URL ${withoutPassword(databaseUrl)}`;
  let storage: Storage | undefined;
  try {
    const opened = await openOnFullDisk(config, logger);
    storage = opened;
    const database = databaseUrl === undefined ? DATABASE_FILE : place;
    await checkInstallation(dataDir, database, opened, (err) =>
      logger?.warn({ err }, 'installation not noted; the next start retries'),
    );
    return opened;
  } catch (error) {
    await storage?.close();
    throw error instanceof StartError ? error : cannotUse(place, error);
  }
}

function checkRestored(dataDir: string): void {
  const unfinished = unfinishedRestore(dataDir);
  if (unfinished !== null) throw new StartError(unfinished);
}

/** SQLite needs a little space to open a database. */
async function openOnFullDisk(config: Config, logger?: Logger): Promise<Storage> {
  const { dataDir, databaseUrl } = config;
  let opened: Storage;
  try {
    opened = await open(config, logger);
  } catch (error) {
    if (!releaseBallast(dataDir)) throw error;
    opened = await open(config, logger);
  }
  if (databaseUrl === undefined) keepBallast(dataDir);
  return opened;
}

async function open({ databaseUrl, dataDir }: Config, logger?: Logger): Promise<Storage> {
  checkRestored(dataDir);
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw cannotUse(`DATA_DIR ${dataDir}`, error);
  }
  return openDatabase({ databaseUrl, dataDir }, logger);
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

async function openDatabase({ databaseUrl, dataDir }: Place, logger?: Logger): Promise<Storage> {
  const onLost: OnLost = (error) => {
    if (error) logger?.error(error.message);
    else logger?.info('the database is back; requests are accepted again');
  };
  if (databaseUrl === undefined) {
    checkDatabaseIsThere(dataDir, DATABASE_FILE);
    return openSqlite(dataDir, onLost);
  }
  const { openPostgres } = await import('../storage/postgres/postgres.ts');
  return openPostgres({
    url: databaseUrl,
    onConnectionError: (err) => logger?.warn({ err }, 'database connection lost'),
    onLost,
  });
}
