import type { Ref } from '../../../../src/flow/node.ts';
import type { Conditions } from './call-conditions.ts';
import type { PacedCall } from './paced-call.ts';
import type { Difference } from './replay.ts';

/** The call in progress, or the last one. */
export interface CurrentCall {
  readonly paced: PacedCall;
  readonly entry: Ref;
  /** As they are at its end: the user may change who is busy during the call. */
  readonly conditions: Conditions;
  /** It replays a record, with the first difference from it; null: placed by hand. */
  readonly replay: { readonly difference: Difference | null } | null;
}
