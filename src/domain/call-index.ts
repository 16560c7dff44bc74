// What a call is found by and what it counts for, worked out once: where its trail is at hand, not from its JSON.
import { type Count, countsOf } from './call-counts.ts';
import { type OldOutcome, type Outcome, outcomeOf, type PastCall, wordsOf } from './past-call.ts';

export interface CallIndex {
  readonly outcome: Outcome | OldOutcome;
  readonly callerName: string | null;
  readonly words: readonly string[];
  readonly counts: readonly Count[];
}

export function indexCall(call: PastCall, callerName: string): CallIndex {
  const outcome = outcomeOf(call);
  return {
    outcome,
    callerName: callerName === '' ? null : callerName,
    words: wordsOf(call, outcome),
    counts: countsOf(call, outcome),
  };
}
