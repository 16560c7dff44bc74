// An error of SQLite on its way from the worker thread to its clients.
import { StorageError } from '../storage.ts';
import { lostError, type Part } from './database-file.ts';

const FULL = 13;
const IO_ERROR = 10;
const CORRUPT = 11;

export interface WorkerFault {
  readonly code: number;
  readonly message: string;
  /** This part of the file is gone. */
  readonly lost?: Part;
}

export function toError({ code, message, lost }: WorkerFault, file: string): StorageError {
  if (lost !== undefined) return lostError(file, lost);
  if ((code & 0xff) === FULL)
    return new StorageError('full', 'The disk of the database is full: no space left on device.');
  return new StorageError('unavailable', `${file}: ${message}`);
}

/** The connection must be opened again. */
export const needsRestart = (code: number): boolean =>
  (code & 0xff) === IO_ERROR || (code & 0xff) === CORRUPT;
