// The database row of a finished call: its columns, its search index and the JSON of its record.
import { indexCall } from '../../domain/call-index.ts';
import type { CallRow } from '../../storage/ports/calls.ts';
import type { CallFacts, CallResult } from './call-record.ts';
import { recordText } from './record-text.ts';

export function callRow(facts: CallFacts, result: CallResult): CallRow {
  const { id, accountId, direction, caller, dialled, entry, startedAtMs } = facts;
  const { end, answeredBy, waitMs, ringMs, talkMs, trail } = result;
  const endedAtMs = Math.round(startedAtMs + result.durationMs);
  const endCode = end.code;
  // Both literals name each member: a spread of this many members costs more (made for every call).
  const past = {
    startedAtMs,
    endedAtMs,
    direction,
    caller,
    dialled,
    endCode,
    answeredBy,
    waitMs,
    ringMs,
    talkMs,
    trail,
    madeBy: facts.madeBy ?? null,
    isCallback: facts.callback !== undefined,
    variables: result.variables,
  };
  return {
    accountId,
    id,
    startedAtMs,
    endedAtMs,
    direction,
    caller,
    dialled,
    entry,
    endCode,
    cause: end.cause,
    answeredBy,
    waitMs,
    ringMs,
    talkMs,
    index: indexCall(past, facts.callerName),
    json: recordText(facts, result),
  };
}
