// Errors on their way to another thread: a structured clone keeps neither their class nor their members.
import { TelephonesUnavailable } from '../../calls/control/call-control.ts';
import { StorageError } from '../../storage/storage.ts';
import { StartError } from '../start-error.ts';

export interface PlainError {
  readonly kind: 'storage' | 'start' | 'telephones' | 'other';
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: StorageError['reason'];
  readonly shown?: string | undefined;
}

export function toPlain(error: unknown): PlainError {
  if (!(error instanceof Error)) return { kind: 'other', name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  const code = (error as NodeJS.ErrnoException).code;
  const plain = { name, message, stack, ...(typeof code === 'string' ? { code } : {}) };
  if (error instanceof StorageError)
    return { ...plain, kind: 'storage', reason: error.reason, shown: error.shown };
  if (error instanceof StartError) return { ...plain, kind: 'start' };
  return { ...plain, kind: error instanceof TelephonesUnavailable ? 'telephones' : 'other' };
}

export function fromPlain(plain: PlainError): Error {
  const error = make(plain);
  if (plain.stack !== undefined) error.stack = plain.stack;
  return plain.code === undefined ? error : Object.assign(error, { code: plain.code });
}

function make({ kind, name, message, reason, shown }: PlainError): Error {
  switch (kind) {
    case 'storage':
      return new StorageError(reason ?? 'unavailable', message, shown === undefined ? {} : { shown });
    case 'start':
      return new StartError(message);
    case 'telephones':
      return new TelephonesUnavailable(message);
    case 'other':
      return Object.assign(new Error(message), { name });
  }
}
