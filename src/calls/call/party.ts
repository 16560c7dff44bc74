// One side of a call as either side of another: what a transfer takes along.
import type { Phase, RingTarget } from '../../flow/call-state.ts';
import { referenceTo } from '../../flow/node.ts';
import type { CallFacts } from '../records/call-record.ts';
import { agentIdOf, splitGlobalId } from '../routing/dialling.ts';
import type { Arrival } from './arrival.ts';
import type { Side } from './call-input.ts';
import type { CallLegs } from './call-legs.ts';

/** What is needed of a call. */
interface Sides {
  readonly phase: Phase;
  readonly facts: Pick<CallFacts, 'accountId'>;
  readonly arrival: Arrival;
  /** The caller's priority in queues. */
  readonly priority: number;
  readonly legs: Pick<CallLegs, 'calledLeg'>;
}

export interface Party {
  /** As a caller. */
  readonly arrival: Arrival;
  /** As a called side. */
  readonly target: RingTarget;
}

/** Null if it has not answered. Of a leg that was lent to another call, what it is when it comes back. */
export function partyOf(call: Sides, side: Side): Party | null {
  const { phase, arrival, priority } = call;
  if (side === 'caller') return { arrival: withPriority(arrival, priority), target: targetOf(arrival) };
  if (phase.name !== 'connected') return null;
  return { arrival: calledArrival(call, phase.target), target: phase.target };
}

const withPriority = (arrival: Arrival, priority: number): Arrival =>
  (arrival.priority ?? 0) === priority ? arrival : { ...arrival, priority };

function calledArrival(call: Sides, { owner, via, number }: RingTarget): Arrival {
  const { facts, arrival, legs, priority } = call;
  const agent = agentIdOf(facts.accountId, owner);
  // Identity headers are of the caller, and so is the priority, except of one who is called back.
  const { identity: _, priority: __, ...side } = arrival;
  return {
    ...side,
    ...(agent === null && arrival.callback && priority > 0 ? { priority } : {}),
    peer: agent !== null && via === 'intercom' ? { kind: 'phone', id: agent } : { kind: 'local' },
    agent,
    caller: number,
    callerName: '',
    callId: legs.calledLeg?.callId ?? '',
  };
}

/** Agents may be on an outside telephone: then they have no rights of a phone. */
function targetOf({ peer, agent, caller }: Arrival): RingTarget {
  const number = caller ?? '';
  const owner =
    agent === null ? referenceTo('number', number) : referenceTo('agent', splitGlobalId(agent).id);
  const via = agent !== null && peer.kind === 'phone' ? 'intercom' : 'number';
  return { id: `${owner}/${via}`, owner, via, number };
}

/** The agent at whose registered phone that side is; null: it is not an agent's phone, which may do nothing. */
export function phoneAt(
  { phase, arrival, facts }: Omit<Sides, 'legs' | 'priority'>,
  side: Side,
): string | null {
  if (side === 'caller') return arrival.peer.kind === 'phone' ? arrival.peer.id : null;
  if (phase.name !== 'connected' || phase.target.via !== 'intercom') return null;
  return agentIdOf(facts.accountId, phase.target.owner);
}

/** The target of an agent's phone that comes by itself. */
export function pickUpTarget(eid: string, number: string): RingTarget {
  const owner = referenceTo('agent', eid);
  return { id: `${owner}/pickup`, owner, via: 'intercom', number };
}
