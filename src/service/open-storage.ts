// The database of DATABASE_URL, or the embedded one in DATA_DIR.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { unfinishedRestore } from '../backup/unfinished.ts';
import type { Config } from '../config/config.ts';
import { withoutPassword } from '../config/forms.ts';
import { makeDataFolder } from '../kit/data-folder.ts';
import { ownCommand } from '../kit/own-command.ts';
import { inspectPostgres } from '../storage/inspect.ts';
import { DATABASE_FILE, joinSqlite, openSqlite, type SqliteShare } from '../storage/sqlite/sqlite.ts';
import type { Storage } from '../storage/storage.ts';
import type { OnLost } from '../storage/watch-lost.ts';
import { keepBallast, releaseBallast } from './ballast.ts';
import { checkDatabaseIsThere, checkInstallation } from './installation.ts';
import { cannotUse, StartError } from './start-error.ts';

/** With PostgreSQL each thread of the service has a pool of its own; together they are as many as a command may open. */
export const CONNECTIONS = { telephone: 3, api: 7 } as const;

/** What another thread of the service opens the same database with. */
export type StorageShare = { readonly sqlite: SqliteShare } | { readonly postgres: string };

export interface ServiceStorage extends Storage {
  /** `writers`: a port to the other thread, for what it does not share as plain data. */
  share(writers: MessagePort): StorageShare;
}

export interface OpenOptions {
  readonly logger?: Logger;
  /** At most so many, with PostgreSQL. */
  readonly connections?: number;
  /** It lives for a few questions: with SQLite, reads need no thread of their own. */
  readonly isBrief?: boolean;
}

/** For commands: makes no folder, no database and no tables. Older tables are brought up to date, as at a start. */
export async function openExistingStorage(config: Config): Promise<Storage> {
  const { databaseUrl, dataDir } = config;
  const advice = `Start the service once ("${ownCommand()} serve"), or set DIALTREE_URL to ask one that runs elsewhere.`;
  checkRestored(dataDir);
  if (databaseUrl === undefined) {
    checkDatabaseIsThere(dataDir, DATABASE_FILE);
    if (!existsSync(join(dataDir, DATABASE_FILE)))
      throw new StartError(
        `There is no database in DATA_DIR ${dataDir}: is it the folder of the service? ${advice}`,
      );
    return openStorage(config, { isBrief: true });
  }
  const place = `DATABASE_URL ${withoutPassword(databaseUrl)}`;
  const found = await inspectPostgres(databaseUrl).catch((error: unknown) =>
    Promise.reject(cannotUse(place, error)),
  );
  if (!found) throw new StartError(`${place} has no tables of Dialtree. ${advice}`);
  // Without a folder there is nothing to compare the database with: no sound is read or written here.
  return existsSync(dataDir) ? openStorage(config) : openDatabase(config, {});
}

export async function openStorage(config: Config, options: OpenOptions = {}): Promise<ServiceStorage> {
  const { databaseUrl, dataDir } = config;
  const place =
    databaseUrl === undefined ? `DATA_DIR ${dataDir}` : `DATABASE_URL ${withoutPassword(databaseUrl)}`;
  let storage: Storage | undefined;
  try {
    const opened = await openOnFullDisk(config, options);
    storage = opened;
    const database = databaseUrl === undefined ? DATABASE_FILE : place;
    await checkInstallation(dataDir, database, opened, (err) =>
      options.logger?.warn({ err }, 'installation not noted; the next start retries'),
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
async function openOnFullDisk(config: Config, options: OpenOptions): Promise<ServiceStorage> {
  const { dataDir, databaseUrl } = config;
  let opened: ServiceStorage;
  try {
    opened = await open(config, options);
  } catch (error) {
    if (!releaseBallast(dataDir)) throw error;
    opened = await open(config, options);
  }
  if (databaseUrl === undefined) keepBallast(dataDir);
  return opened;
}

async function open({ databaseUrl, dataDir }: Config, options: OpenOptions): Promise<ServiceStorage> {
  checkRestored(dataDir);
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw cannotUse(`DATA_DIR ${dataDir}`, error);
  }
  return openDatabase({ databaseUrl, dataDir }, options);
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

async function openDatabase(
  { databaseUrl, dataDir }: Place,
  { logger, connections, isBrief = false }: OpenOptions,
): Promise<ServiceStorage> {
  const onLost: OnLost = (error) => {
    if (error) logger?.error(error.message);
    else logger?.info('the database is back; requests are accepted again');
  };
  if (databaseUrl === undefined) {
    checkDatabaseIsThere(dataDir, DATABASE_FILE);
    return openSqlite(dataDir, onLost, isBrief ? 'this thread' : 'a thread');
  }
  const { openPostgres } = await import('../storage/postgres/postgres.ts');
  const opened = await openPostgres({
    url: databaseUrl,
    onConnectionError: connectionLost(logger),
    onLost,
    ...(connections === undefined ? {} : { connections }),
  });
  return Object.assign(opened, { share: () => ({ postgres: databaseUrl }) });
}

/** In another thread of the service: it has checked and migrated the database, and logs when that is lost. */
export async function joinStorage(
  share: StorageShare,
  writers: MessagePort,
  logger: Logger,
): Promise<Storage> {
  if ('sqlite' in share) return joinSqlite(share.sqlite, writers);
  const { openPostgres } = await import('../storage/postgres/postgres.ts');
  return openPostgres({
    url: share.postgres,
    onConnectionError: connectionLost(logger),
    connections: CONNECTIONS.api,
    isMigrated: true,
  });
}

const connectionLost =
  (logger?: Logger) =>
  (err: Error): void =>
    logger?.warn({ err }, 'database connection lost');
