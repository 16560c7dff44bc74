// PostgreSQL's errors by SQLSTATE, never by message text.
import { StorageError } from '../storage.ts';

const DISK_FULL = '53100';
const TOO_MANY_CONNECTIONS = '53300';
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** SQLSTATE of an error of the driver, or of the StorageError that was made of it; '' for others. */
export const sqlStateOf = (error: unknown): string => codeOf(error) || codeOf((error as Error | null)?.cause);

/** All connections that the server allows are taken. */
export const isConnectionLimit = (error: unknown): boolean => codeOf(error) === TOO_MANY_CONNECTIONS;

export const isConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

/** Classes of SQLSTATE in which the statement itself is wrong: a bug, not an outage. */
const BUGS: ReadonlySet<string> = new Set(['21', '22', '23', '42']);

/** A table or column is missing: the schema is not what this program needs, which no request can help. */
const SCHEMA: ReadonlySet<string> = new Set(['42703', '42P01']);

export const isSchemaError = (error: unknown): boolean => SCHEMA.has(codeOf((error as Error | null)?.cause));

export function toStorageError(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof StorageError) return error;
  const reason = (error as Error).message || code;
  if (SCHEMA.has(code))
    return new StorageError('unavailable', `The schema is incomplete: ${reason}`, { cause: error });
  if (isConnectionLimit(error))
    return new StorageError(
      'unavailable',
      `PostgreSQL has no connection left (${reason}). Close others, or raise max_connections by 10 for each node.`,
      { cause: error },
    );
  if (BUGS.has(code.slice(0, 2))) return error;
  if (code === DISK_FULL)
    return new StorageError('full', 'The disk of the database is full.', { cause: error });
  return new StorageError('unavailable', `The database does not answer: ${reason}`, { cause: error });
}
