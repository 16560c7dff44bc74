// One process serves a data folder with an embedded database: a second one would take calls of its own, with queues and agent states that
// know nothing of the first. Commands of the command line work beside it. With PostgreSQL several nodes may share a folder, so that
// they share recordings (docs/recordings.md): there one process at a time has each node id.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { makeDataFolder } from '../kit/data-folder.ts';
import type { NodeIdentity } from '../storage/ports/nodes.ts';
import { type FileLock, lockFile } from '../storage/sqlite/file-lock.ts';
import { cannotUse, StartError } from './start-error.ts';

const LOCK = 'lock';
const nodeLock = (node: string): string => `lock.${node}`;

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started_at: string;
  /** The run of the node. Absent: an earlier version, or a command. */
  readonly run?: string;
}

export interface DataFolderLock extends FileLock {
  /** The run of the process that had the lock before and was killed; null: it ended in order, or is not known. */
  readonly formerRun: string | null;
}

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** Without a node (as for a restore) a folder that goes with PostgreSQL is not locked. */
export function lockDataFolder(place: Place, node?: NodeIdentity): DataFolderLock {
  const { dataDir, databaseUrl } = place;
  const name = databaseUrl === undefined ? LOCK : node === undefined ? null : nodeLock(node.id);
  if (name === null) return { formerRun: null, release: () => undefined };
  let lock: FileLock | null;
  try {
    makeDataFolder(dataDir);
    lock = lockFile(join(dataDir, name));
  } catch (error) {
    throw cannotUse(`DATA_DIR ${dataDir}`, error);
  }
  const note = join(dataDir, `${name}.json`);
  const former = readHolder(note);
  if (!lock) throw inUse(place, node?.id, nameOf(former));
  const held = lock;
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    started_at: new Date().toISOString(),
    ...(node ? { run: node.run } : {}),
  };
  ignoringErrors(() => writeFileSync(note, `${JSON.stringify(holder)}\n`, { mode: 0o600 }));
  return {
    formerRun: former?.run ?? null,
    release: () => {
      ignoringErrors(() => rmSync(note, { force: true }));
      held.release();
    },
  };
}

/** Locks for another node that may share the folder. Null if it runs. With an embedded database no other one does. */
export function lockOtherNode({ dataDir, databaseUrl }: Place, node: string): FileLock | null {
  return databaseUrl === undefined ? { release: () => undefined } : lockFile(join(dataDir, nodeLock(node)));
}

function inUse({ dataDir, databaseUrl }: Place, node: string | undefined, holder: string): StartError {
  return new StartError(
    databaseUrl === undefined
      ? `DATA_DIR ${dataDir} is in use by ${holder}. Stop that process, or set DATA_DIR to another folder.`
      : `DATA_DIR ${dataDir} is in use by ${holder}, with the node id ${node}. Stop that process, or set DATA_DIR to another ` +
          'folder; nodes that share a folder each need a NODE_ID of their own.',
  );
}

/** After kill -9 the file stays. */
function readHolder(note: string): Holder | null {
  try {
    return JSON.parse(readFileSync(note, 'utf8')) as Holder;
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
