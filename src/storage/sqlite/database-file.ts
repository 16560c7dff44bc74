// Whether the database is still the file that was opened. SQLite goes on with a file that was deleted, moved or replaced: commits succeed,
// and are lost with the process (docs/threat-model.md R26).
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { StorageError } from '../storage.ts';

/** The write-ahead log and its index belong to the file: connections keep them until the last one closes. */
const PARTS = ['', '-wal', '-shm'] as const;
export type Part = (typeof PARTS)[number];
/** Device and inode of each part. */
export type FileIdentity = Readonly<Record<Part, string | null>>;

interface Ids {
  readonly dev: bigint;
  readonly ino: bigint;
}

const idOf = (found: Ids | undefined): string | null => (found ? `${found.dev}:${found.ino}` : null);
const OPTIONS = { bigint: true, throwIfNoEntry: false } as const;

/** The identity of a file with an open connection that has read. */
export function identify(file: string): FileIdentity {
  const [main, wal, shm] = PARTS.map((part) => idOf(statSync(file + part, OPTIONS)));
  return { '': main ?? null, '-wal': wal ?? null, '-shm': shm ?? null };
}

/** A few microseconds: the writer asks around every commit. Null if it is all there. */
export function lostPart(file: string, identity: FileIdentity): Part | null {
  for (const part of PARTS) {
    const known = identity[part];
    if (known !== null && isOther(known, () => idOf(statSync(file + part, OPTIONS)))) return part;
  }
  return null;
}

/** The same, without blocking the thread. */
export async function lostPartLater(file: string, identity: FileIdentity): Promise<Part | null> {
  for (const part of PARTS) {
    const known = identity[part];
    if (known === null) continue;
    const now = await stat(file + part, { bigint: true }).then(idOf, (error: NodeJS.ErrnoException) =>
      isAbsent(error) ? null : known,
    );
    if (now !== known) return part;
  }
  return null;
}

function isOther(known: string, read: () => string | null): boolean {
  try {
    return read() !== known;
  } catch (error) {
    // Another error (EIO, EACCES) says nothing about the file.
    return isAbsent(error as NodeJS.ErrnoException);
  }
}

const isAbsent = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR';

export function lostError(file: string, part: Part): StorageError {
  const advice =
    part === ''
      ? 'Put the same file back, or stop the service, restore a backup and start it again. As long as this process runs, ' +
        `Linux has the content under /proc/${process.pid}/fd.`
      : 'End the service with SIGTERM, which writes all it holds into the database file, and start it again.';
  return new StorageError(
    'lost',
    `${file}${part} was deleted or replaced while in use; every request is refused, so that no write is lost. ${advice}`,
    { shown: `The database file ${basename(file)}${part} was deleted or replaced while in use.` },
  );
}
