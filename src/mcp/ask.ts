// How the tools reach the API: within the service by its own handlers, from the command line over HTTP.
import type { OperationId } from '../domain/roles.ts';

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Not ok: `value` is the failure body of the API. */
export interface Answered {
  readonly ok: boolean;
  readonly value: unknown;
}

export type Ask = (operation: OperationId, input?: Asked) => Promise<Answered>;
