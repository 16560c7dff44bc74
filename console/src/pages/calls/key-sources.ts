// By which way each key of a call's steps came: the steps are the flow's and know nothing of telephones, the keys are the line's.
import type { CallRecord } from '../../../../client/operations.ts';

export type Key = NonNullable<CallRecord['keys']>[number];
export type Step = CallRecord['steps'][number];

/** Both have the time of one clock; the flow hears of a key at once, or when it is done with what came before. */
const APART_MS = 500;

/** For each step the key that it tells of, or null. Keys come and are dealt with in one order. */
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
