// A call of a node that died, begun again at this one: its legs by re-INVITE, its record with the whole time.
import type { Flow } from '../../flow/flow.ts';
import { resolve } from '../../flow/flow.ts';
import type { Release } from '../../sharing/ports/slots.ts';
import type { Leg } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Arrival, LegWithSlot } from '../call/arrival.ts';
import { Call, type CallHost } from '../call/call.ts';
import { legQuotas } from '../call-caps.ts';
import { NO_SLOT, type OutboundSlot, slotOn } from '../outbound-slots.ts';
import { parkingAt, spotOf } from '../parking/parking.ts';
import type { CallFacts } from '../records/call-record.ts';
import { knownTrail } from '../records/interrupted-calls.ts';
import { dialledByAgent, flowChosen } from '../routing/dialling.ts';
import type { LostCall, StoredCall, StoredCalled } from './stored-call.ts';

/** Null if a leg cannot be restored, or the place in the flow is gone. No event is reported before `listed` was called. */
export function recoverCall(
  context: AccountContext,
  host: CallHost,
  lost: LostCall,
  listed: (call: Call) => void,
): Call | null {
  const { stored, facts, answer, ageMs } = lost;
  const flow = flowOf(context, facts);
  if (stored.called === null && !resolve(flow, stored.node)) return null;
  const caller = restoreLeg(context, stored.caller, trunkOf(stored), stored.agent);
  if (!caller) return null;
  const called = stored.called && restoreCalled(context, stored.called, lost, caller);
  if (stored.called && !called) {
    caller.hangUp(41);
    return null;
  }
  const { peer, agent, answeredMs } = stored;
  const { callId, dialled } = facts;
  const { caller: number, callerName, identity, transferredFrom = null } = stored.joined ?? facts;
  const arrival: Arrival = {
    leg: caller,
    releaseOutboundSlot: stored.trunk
      ? slotOf(context, stored.trunk, facts)
      : context.services.outboundSlots.cameFrom(peer, callId),
    peer,
    agent,
    dialled,
    caller: number,
    callerName,
    // What the name was taken from is not stored: that of a caller from outside goes out no more.
    ...(peer.kind === 'trunk' || peer.kind === 'local' ? { isContact: true as const } : {}),
    ...(identity ? { identity } : {}),
    callId,
    alreadyAnswered: true,
    id: facts.id,
    transferredFrom,
    dialledAt: null,
    recovered: { ageMs, answeredMs, trail: knownTrail(facts, answer) },
  };
  const known: CallFacts = transferredFrom ? { ...facts, transferredFrom } : facts;
  const call = new Call(context, host, known, flow, arrival);
  listed(call);
  call.resume(lost, called && stored.called && { ...called, called: stored.called });
  return call;
}

/** Neither the number that an agent dialled nor a parking spot is a record: it is made part of the flow again. */
function flowOf({ account }: AccountContext, facts: CallFacts): Flow {
  const { direction, dialled, entry, madeBy, transferredFrom } = facts;
  const by = direction === 'internal' ? transferredFrom?.by : undefined;
  const spot = by?.kind === 'agent' ? spotOf(account, dialled) : null;
  if (by && spot !== null) return parkingAt(account, spot, by.id).flow;
  if (direction !== 'outbound') return account.flow;
  if (madeBy === undefined && !transferredFrom) return flowChosen(account.flow, entry);
  const to = dialledByAgent(account, dialled);
  return 'flow' in to ? to.flow : account.flow;
}

const trunkOf = ({ peer, trunk }: StoredCall): string | null =>
  trunk ?? (peer.kind === 'trunk' ? peer.id : null);

function restoreLeg(
  { account, services }: AccountContext,
  stored: string,
  trunk: string | null,
  agent: string | null,
  near?: Leg,
): Leg | null {
  // It was let in before: the limits count it, and do not end it.
  const quotas = legQuotas(account, agent).map((quota) => ({ ...quota, most: Number.POSITIVE_INFINITY }));
  return services.telephony.restore(stored, { quotas, trunk, ...(near ? { near } : {}) });
}

function restoreCalled(
  context: AccountContext,
  { leg: stored, target, agent }: StoredCalled,
  { stored: call, facts }: LostCall,
  near: Leg,
): LegWithSlot | null {
  const to = context.targetOf(target, { agent: call.agent, caller: facts.caller });
  const trunk = typeof to === 'object' && to?.kind === 'trunk' ? to.id : null;
  const leg = restoreLeg(context, stored, trunk, agent, near);
  if (!leg) return null;
  return { leg, releaseOutboundSlot: trunk === null ? NO_SLOT : slotOf(context, trunk, facts) };
}

/** The slot of an outside number is acquired again, where there is room; the call goes on in any case. */
function slotOf({ account, services }: AccountContext, trunk: string, { callId }: CallFacts): OutboundSlot {
  const acquired = services.outboundSlots.acquire(account, { kind: 'trunk', id: trunk, number: '' }, callId);
  if (!(acquired instanceof Promise)) return acquired ?? NO_SLOT;
  let isReleased = false;
  let release: Release | null = null;
  acquired
    .then((slot) => {
      if (isReleased) slot?.();
      else release = slot;
    })
    .catch(() => undefined);
  return slotOn(trunk, () => {
    isReleased = true;
    release?.();
  });
}
