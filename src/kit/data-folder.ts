// DATA_DIR: made at the start, for its owner alone, since it holds tokens' hashes and recordings.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

export function makeDataFolder(folder: string): void {
  makeFolder(folder);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Parents first, one by one: Node's own `recursive` never ends where a file system answers ENOENT, as /proc does. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same moment may have made it.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * `absent` when the file does not exist. Any other error is thrown: a disk that fails for a moment (EIO, EACCES, EMFILE) says nothing
 * about the file, and what is taken for absent may be deleted (docs/threat-model.md R25).
 */
export async function unlessAbsent<T, A>(asking: Promise<T>, absent: A): Promise<T | A> {
  try {
    return await asking;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return absent;
    throw error;
  }
}

/** Such as ENOENT; null: not an error of the system. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
