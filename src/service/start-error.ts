// Why a start failed, for the operator.
import type { Config } from '../config/config.ts';
import { errorCode } from '../kit/data-folder.ts';

/** A fault of the environment that an operator can fix: printed as one line, without a stack. */
export class StartError extends Error {}

export function cannotUse(what: string, error: unknown): StartError {
  const message = error instanceof Error ? error.message : String(error);
  return new StartError(`${what} cannot be used: ${message}`, { cause: error });
}

export function listenError(error: unknown, { host, port }: Config): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `PORT ${port} on ${host} is in use by another program. Stop it, or set PORT to a free one.`,
      );
    case 'EACCES':
      return new StartError(`PORT ${port} may not be opened by this user. Set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

/** Files of the first start that cannot be written are the data folder's fault; anything else is ours. */
export function dataError(error: unknown, { dataDir }: Config): unknown {
  const isSystemError = error instanceof Error && 'syscall' in error;
  return isSystemError ? cannotUse(`DATA_DIR ${dataDir}`, error) : error;
}
