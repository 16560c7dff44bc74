import type { Ref } from '../../../../src/flow/node.ts';
import type { Difference } from './replay.ts';
import type { CallSession } from './session.ts';
import type { Conditions } from './test-of.ts';

/** A call that is under way, or was the last. */
export interface Placed {
  readonly session: CallSession;
  readonly entry: Ref;
  /** As they were at its end; who is busy may be told in its course. */
  readonly conditions: Conditions;
  /** It tells a record; what differs from it, if anything does. */
  readonly told: { readonly difference: Difference | null } | null;
}
