// The DTMF source of each key in a call's steps: steps come from the flow, which does not know the source; keys come from the
// call legs.
import type { CallRecord } from '../../../../client/operations.ts';

export type Key = NonNullable<CallRecord['keys']>[number];
export type Step = CallRecord['steps'][number];

/** Both use one clock; the flow handles a key at once, or after earlier events. */
const APART_MS = 500;

/** For each step its key, or null. Both lists are in the same order. */
export function keysOfSteps(steps: readonly Step[], keys: readonly Key[]): readonly (Key | null)[] {
  let next = 0;
  return steps.map((step) => {
    if (step.code !== 'key-pressed' && step.code !== 'key-ignored') return null;
    for (let at = next; at < keys.length; at++) {
      const key = keys[at];
      if (!key || key.at_ms > step.at_ms + APART_MS) return null;
      if (key.key !== step.keys?.at(-1) || key.at_ms < step.at_ms - APART_MS) continue;
      next = at + 1;
      return key;
    }
    return null;
  });
}
