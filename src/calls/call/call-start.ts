// What a call begins with, and what its record has of its variables.
import type { CallEvent } from '../../flow/call-state.ts';
import type { Flow } from '../../flow/flow.ts';
import { shownVariables, type Variables } from '../../flow/variables.ts';
import type { CallFacts, CallResult } from '../records/call-record.ts';
import type { Arrival } from './arrival.ts';
import type { UntimedEvent } from './call-input.ts';

/** The random part of the id. */
export const seedOf = ({ id }: Pick<CallFacts, 'id'>): number => Number.parseInt(id.slice(-8), 16) || 1;

export function startedEvent(flow: Flow, arrival: Arrival, facts: CallFacts, priority: number): UntimedEvent {
  const { entry, startedAtMs: epochMs, caller } = facts;
  return {
    ...{ type: 'call-started', entry, epochMs, seed: seedOf(facts), caller },
    ...(priority > 0 ? { priority } : {}),
    ...(arrival.alreadyAnswered ? { answered: true } : {}),
    ...givenTo(flow, arrival, facts),
  };
}

/** Most flows have no variables: their events and records do not grow by them. */
function givenTo(
  { hasLogic }: Flow,
  { variables }: Arrival,
  facts: CallFacts,
): Pick<Extract<CallEvent, { type: 'call-started' }>, 'variables' | 'known'> {
  if (!hasLogic && !variables) return {};
  return { known: knownOf(facts), ...(variables ? { variables } : {}) };
}

export const knownOf = ({ id: callId, callerName, dialled }: CallFacts) => ({ callerName, dialled, callId });

export function withVariables(result: CallResult, variables: Variables): CallResult {
  return Object.keys(variables).length === 0 ? result : { ...result, variables: shownVariables(variables) };
}
