// Parking spots: numbers to which an agent's phone transfers a call. It waits there with music until a phone of the account dials the
// number; after a while it rings at the agent who parked it. A spot is a queue without agents, so no other part of a call knows of it.
import { parkingReference } from '../../domain/parking-spot.ts';
import { changeFlow } from '../../flow/flow.ts';
import { type DepartmentNode, type Ref, referenceTo } from '../../flow/node.ts';
import type { Call } from '../call/call.ts';
import { type Destination, entryOf } from '../routing/dialling.ts';
import type { AccountRoutes } from '../routing/routing.ts';

const FIRST_SPOT = 701;

/** The spot of a number; null: it is none. Intercom numbers and numbers of the account have precedence. */
export function spotOf(account: AccountRoutes, dialled: string): Ref | null {
  const { intercoms, settings } = account;
  const spot = /^[0-9]{3}$/.test(dialled) ? Number(dialled) - FIRST_SPOT : -1;
  if (spot < 0 || spot >= settings.parking_spots) return null;
  if (intercoms.has(dialled) || entryOf(account, dialled) !== undefined) return null;
  return parkingReference(dialled);
}

/** Whether a global id is that of a parking spot: no agent's has a kind. */
export const isSpot = (watched: string): boolean => watched.includes('||');

/** `eid`: who gets the call back. */
export function parkingAt(account: AccountRoutes, spot: Ref, eid: string): Destination {
  const node: DepartmentNode = {
    kind: 'department',
    ref: spot,
    name: `Parking spot ${spot.slice(-3)}`,
    agents: [],
    strategy: 'in_order',
    ringSeconds: null,
    failover: referenceTo('agent', eid),
    queue: {
      music: null,
      announceSeconds: 0,
      maxWaitSeconds: account.settings.parking_seconds,
      maxWaiting: 1,
      wrapupSeconds: 0,
      joinWhenEmpty: true,
      exitKey: null,
    },
  };
  const flow = changeFlow(account.flow, { nodes: [node] });
  return { account, flow, entry: spot, direction: 'internal' };
}

export const isWaitingAt = ({ phase, isOver }: Call, node: Ref): boolean =>
  !isOver && (phase.name === 'queued' || phase.name === 'joining') && phase.node === node;

export function parkedAt(calls: Iterable<Call>, accountId: string, spot: Ref): Call | null {
  for (const call of calls) if (call.facts.accountId === accountId && isWaitingAt(call, spot)) return call;
  return null;
}
