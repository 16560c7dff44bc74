// Which of PostgreSQL's errors mean what to us, by SQLSTATE and never by their words.
import { StorageError } from '../storage.ts';

const DISK_FULL = '53100';
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

export const isConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const { message } = error as Error;
  if (codeOf(error) === DISK_FULL)
    return new StorageError('full', 'The disk of the database is full.', { cause: error });
  return new StorageError('unavailable', `The database does not answer: ${message || codeOf(error)}`, {
    cause: error,
  });
}
