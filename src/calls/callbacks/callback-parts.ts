// What call-backs need.
import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import type { Queues } from '../../sharing/ports/queues.ts';
import type { Storage } from '../../storage/storage.ts';
import type { CallEvents } from '../events/call-events.ts';

export type CallbackStore = Pick<
  Storage,
  | 'addCallback'
  | 'claimCallbacks'
  | 'renewCallbacks'
  | 'releaseCallbacks'
  | 'beginCallback'
  | 'settleCallback'
  | 'cancelCallbacks'
  | 'getCallback'
  | 'addCounts'
>;

export interface CallbacksParts {
  readonly storage: CallbackStore;
  readonly node: string;
  /** Other nodes hold call-backs, too, and may die. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly queues: Queues;
  readonly callEvents: Pick<CallEvents, 'publish'>;
  readonly failed: (error: unknown) => void;
}

export function callbackParts({
  storage,
  sharing,
  logger,
}: {
  readonly storage: CallbackStore;
  readonly sharing?: { readonly node: string };
  readonly logger: Pick<Logger, 'warn'>;
}): Pick<CallbacksParts, 'storage' | 'node' | 'isShared' | 'failed'> {
  return {
    storage,
    // Alone it needs no name.
    node: sharing?.node ?? 'alone',
    isShared: sharing !== undefined,
    failed: (err) => logger.warn({ err }, 'call-backs: database unavailable; retrying'),
  };
}
