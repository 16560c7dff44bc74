// One process serves a data folder with an embedded database: a second one would take calls of its own, with queues and agent states that
// know nothing of the first. Commands of the command line work beside it. With PostgreSQL several nodes may share a folder, so that
// they share recordings (docs/recordings.md); there is no lock.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { type FileLock, lockFile } from '../storage/sqlite/file-lock.ts';
import { cannotUse, StartError } from './start-error.ts';

const LOCK = 'lock';
/** For the message alone: after kill -9 it stays, without meaning. */
const HOLDER = 'lock.json';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started_at: string;
}

export function lockDataFolder({ dataDir, databaseUrl }: Config): FileLock {
  if (databaseUrl !== undefined) return { release: () => undefined };
  let lock: FileLock | null;
  try {
    makeDataFolder(dataDir);
    lock = lockFile(join(dataDir, LOCK));
  } catch (error) {
    throw cannotUse(`DATA_DIR ${dataDir}`, error);
  }
  if (!lock)
    throw new StartError(
      `DATA_DIR ${dataDir} is in use by ${nameOf(readHolder(dataDir))}. Stop that process, or set DATA_DIR to another folder.`,
    );
  const held = lock;
  const note = join(dataDir, HOLDER);
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    started_at: new Date().toISOString(),
  };
  ignoringErrors(() => writeFileSync(note, `${JSON.stringify(holder)}\n`, { mode: 0o600 }));
  return {
    release: () => {
      ignoringErrors(() => rmSync(note, { force: true }));
      held.release();
    },
  };
}

function readHolder(dataDir: string): Holder | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, HOLDER), 'utf8')) as Holder;
  } catch {
    return null;
  }
}

/** Its pid may be of another container, so the host is named too. */
function nameOf(holder: Holder | null): string {
  if (!holder) return 'another Dialtree process';
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return `the Dialtree process ${holder.pid}${where}, which runs since ${holder.started_at}`;
}

/** Such as on a full disk, which is no reason not to start. */
function ignoringErrors(write: () => void): void {
  try {
    write();
  } catch {
    // The message of a second process names no pid then.
  }
}
