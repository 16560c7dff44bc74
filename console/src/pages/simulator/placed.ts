import type { Ref } from '../../../../src/flow/node.ts';
import type { Settings } from './conditions.tsx';
import type { Difference } from './replay.ts';
import type { CallSession } from './session.ts';

/** A call that is under way, or was the last. */
export interface Placed {
  readonly session: CallSession;
  readonly entry: Ref;
  readonly settings: Settings;
  readonly epochMs: number;
  /** It tells a record; what differs from it, if anything does. */
  readonly told: { readonly difference: Difference | null } | null;
}
