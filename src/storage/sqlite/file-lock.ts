// An exclusive lock on a file that ends with the process, also after kill -9. Node has no flock; SQLite locks bytes of the file
// (fcntl), which works on Linux, macOS and Windows and between containers that share a folder. This process must not open and
// close the file in another way: POSIX drops all of its locks on the file then.
import { statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

export interface FileLock {
  release(): void;
}

/** Null if another process has it. It holds as long as the returned value is referenced. */
export function lockFile(file: string): FileLock | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  const release = (): void => {
    if (database.isOpen) database.close();
  };
  try {
    // A transaction on an empty database writes its first page, on one that has a page nothing: it works on a full disk.
    if (statSync(file).size === 0) database.exec('PRAGMA user_version = 1');
    database.exec('BEGIN EXCLUSIVE');
    return { release };
  } catch (error) {
    release();
    const { errcode } = error as { errcode?: number };
    if (errcode === SQLITE_BUSY) return null;
    // The service must start on a full disk, even if only the lock of the next start will hold.
    if (errcode === SQLITE_FULL) return { release };
    throw error;
  }
}
