// Calls that ring at one phone and are answered at another, by star codes.
import { referenceTo } from '../../flow/node.ts';
import type { Leg } from '../../telephony/telephony.ts';
import type { Call } from '../call/call.ts';
import { globalId, splitGlobalId } from '../routing/dialling.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import type { DialledCode } from '../routing/star-codes.ts';

/** By the names that AgentStates has. */
export type Agents = ReadonlySet<string>;

/** The leg that rings, of the oldest call that rings at a phone of one of these agents. */
export function ringingAt(calls: Iterable<Call>, accountId: string, agents: Agents): Leg | null {
  for (const { facts, isOver, phase, legs } of calls) {
    if (facts.accountId !== accountId || isOver || phase.name !== 'ringing') continue;
    for (const { agent, leg, target } of legs.outbound)
      if (agent !== null && target.via === 'intercom' && agents.has(agent)) return leg;
  }
  return null;
}

/** The agents of the departments that the agent belongs to, without the agent. */
export function colleaguesOf({ id, flow }: AccountRoutes, eid: string): Agents {
  const own = referenceTo('agent', eid);
  const found = new Set<string>();
  for (const node of flow.nodes.values()) {
    if (node.kind !== 'department' || !node.agents.includes(own)) continue;
    for (const ref of node.agents) if (ref !== own) found.add(globalId(id, ref.slice(ref.indexOf('||') + 2)));
  }
  return found;
}

/** Whose ringing phones a star code answers. */
export function pickUpAgents(
  account: AccountRoutes,
  phone: string,
  { feature, digits }: DialledCode,
): Agents {
  if (feature === 'pickup-group') return colleaguesOf(account, splitGlobalId(phone).id);
  const colleague = account.intercoms.get(digits);
  return new Set(colleague ? [globalId(account.id, colleague.eid)] : []);
}
