// Secrets in records, sealed for the place where they are stored.
import { StorageError } from '../../storage/storage.ts';
import type { ApiContext } from '../http/handler.ts';

export function sealFor({ sealer }: Pick<ApiContext, 'sealer'>, place: string, secret: string): string {
  try {
    return sealer.seal(secret, place);
  } catch (error) {
    // The first secret makes the file of the key.
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StorageError(code === 'ENOSPC' ? 'full' : 'unavailable', message, { cause: error });
  }
}
