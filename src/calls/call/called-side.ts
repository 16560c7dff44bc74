// A transfer in which the called side goes on and the caller leaves.
import { agentIdOf } from '../routing/dialling.ts';
import type { Arrival } from './arrival.ts';
import type { Call } from './call.ts';

/** The called side as the caller of its next call; null: it has not answered. */
export function calledSide({ phase, facts, arrival, legs }: Call): Arrival | null {
  if (phase.name !== 'connected' || !legs.calledLeg) return null;
  const { owner, via, number } = phase.target;
  const agent = agentIdOf(facts.accountId, owner);
  return {
    ...arrival,
    peer: agent !== null && via === 'intercom' ? { kind: 'phone', id: agent } : { kind: 'local' },
    agent,
    caller: number,
    callerName: '',
    callId: legs.calledLeg.callId,
  };
}
