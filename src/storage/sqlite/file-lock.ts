// An exclusive lock on a file that ends with the process, also after kill -9. Node has no flock; SQLite locks bytes of the file
// (fcntl), which works on Linux, macOS and Windows and between containers that share a folder. This process must not open and
// close the file in another way: POSIX drops all of its locks on the file then.
import { DatabaseSync } from '@photostructure/sqlite';

const SQLITE_BUSY = 5;

export interface FileLock {
  release(): void;
}

/** Null: another process has it. It holds as long as the returned value is referenced. */
export function lockFile(file: string): FileLock | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return { release: () => database.isOpen && database.close() };
}
