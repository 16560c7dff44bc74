// A running call as another node needs it.
import type { Phase } from '../../flow/call-state.ts';
import type { Ref } from '../../flow/node.ts';
import type { Call } from '../call/call.ts';
import type { StoredCall } from './stored-call.ts';

/** Null if no other node can go on with it. */
export function storedCall({
  legs,
  phase,
  arrival,
  facts,
  history,
  recording,
  priority,
  variables,
}: Call): StoredCall | null {
  const node = nodeOf(phase);
  const caller = legs.callerLeg?.stored?.() ?? null;
  const { answeredMs } = legs.caller;
  if (node === null || caller === null || answeredMs === null) return null;
  const called = phase.name === 'connected' ? legs.storedCalled() : null;
  if (phase.name === 'connected' && called === null) return null;
  const { waitMs, ringMs, queueMs } = history.times;
  const { peer, agent } = arrival;
  const { trunk } = arrival.releaseOutboundSlot;
  const times = { answeredMs, waitMs, ringMs, queueMs };
  const plain = { node, caller, called, peer, ...(trunk ? { trunk } : {}), agent, ...times, recording };
  const carried = Object.keys(variables).length > 0 ? { variables } : {};
  const stored = { ...plain, ...(priority > 0 ? { priority } : {}), ...carried };
  const { transferredFrom } = facts;
  if (arrival.joinedMs === undefined && !transferredFrom?.attended) return stored;
  const { caller: number, callerName, identity } = arrival;
  const joined = {
    caller: number,
    callerName,
    ...(identity ? { identity } : {}),
    ...(transferredFrom ? { transferredFrom } : {}),
  };
  return { ...stored, joined };
}

/** Null if it has not begun, or ends by itself in a moment. */
function nodeOf(phase: Phase): Ref | null {
  if (phase.name === 'hang-up') return null;
  if ('visit' in phase) return phase.visit.menu;
  return 'node' in phase ? phase.node : null;
}
