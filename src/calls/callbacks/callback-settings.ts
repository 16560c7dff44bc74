// Where call-backs are kept, and by which node.
import type { Logger } from 'pino';
import type { Storage } from '../../storage/storage.ts';

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

export interface CallbackSettings {
  readonly storage: CallbackStore;
  readonly node: string;
  /** Other nodes hold call-backs, too, and may die. */
  readonly isShared: boolean;
  readonly failed: (error: unknown) => void;
}

export function callbackSettings({
  storage,
  sharing,
  logger,
}: {
  readonly storage: CallbackStore;
  readonly sharing?: { readonly node: string };
  readonly logger: Pick<Logger, 'warn'>;
}): CallbackSettings {
  return {
    storage,
    // Alone it needs no name.
    node: sharing?.node ?? 'alone',
    isShared: sharing !== undefined,
    failed: (err) => logger.warn({ err }, 'call-backs: database unavailable; retrying'),
  };
}
