// What notifications may be about on the telephone side: trunks that are down, and queues in which callers of this node wait.
import { type AccountObservation, NO_FACTS } from '../../domain/notification.ts';
import type { Ref } from '../../flow/node.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { CallOperations } from '../control/operations.ts';
import type { AccountRoutes } from '../routing/routing.ts';

export interface ObservedParts extends Pick<CallOperations, 'callsOf' | 'trunkState' | 'queueOf'> {
  readonly accounts: Iterable<AccountRoutes>;
  /** The calls of open call-backs of a department, by its id. */
  readonly callbacksOf: (accountId: string, department: string) => Promise<readonly string[]>;
  readonly epochMs: () => number;
}

/** Departments by account that are looked at although no caller of this node waits there. */
export type AlsoObserved = ReadonlyMap<string, ReadonlySet<Ref>>;

export async function observe(parts: ObservedParts, also: AlsoObserved): Promise<AccountObservation[]> {
  const observed: AccountObservation[] = [];
  for (const account of parts.accounts) {
    observed.push(...(await trunksDown(parts, account)));
    const departments = new Set<Ref>(also.get(account.id));
    for (const { state, node } of (await parts.callsOf({ account: account.id })).calls)
      if (state === 'queue' && node?.startsWith('department||')) departments.add(node);
    for (const department of departments) {
      const queue = await queueOf(parts, account, department);
      if (queue) observed.push(queue);
    }
  }
  return observed;
}

/** Not registered although it is to be, or none of its hosts answers. What nothing asks is not known to be down. */
async function trunksDown(
  { trunkState }: ObservedParts,
  account: AccountRoutes,
): Promise<AccountObservation[]> {
  const down: AccountObservation[] = [];
  for (const { id, data } of account.trunks) {
    const state = await trunkState({ account: account.id, id });
    if (!state || (state.registered !== false && state.reachable !== false)) continue;
    const facts = { ...NO_FACTS, problem: state.problem };
    down.push({ accountId: account.id, type: 'trunk_down', subject: `trunk||${id}`, name: data.name, facts });
  }
  return down;
}

async function queueOf(
  parts: ObservedParts,
  account: AccountRoutes,
  department: Ref,
): Promise<AccountObservation | null> {
  const node = account.flow.nodes.get(department);
  if (node?.kind !== 'department') return null;
  const { waiting: places } = await parts.queueOf({ account: account.id, department, eids: [] });
  // A call-back keeps the place of a caller who does not wait any more.
  const asks = places.length > 0 && node.queue?.callback;
  const held = new Set(asks ? await parts.callbacksOf(account.id, splitReference(department).id) : []);
  const waiting = places.filter(({ callId }) => !held.has(callId));
  const oldestMs = Math.min(...waiting.map(({ sinceMs }) => sinceMs));
  const waitMs = waiting.length === 0 ? 0 : Math.max(0, Math.round(parts.epochMs() - oldestMs));
  const facts = { ...NO_FACTS, waiting: waiting.length, wait_ms: waitMs };
  return { accountId: account.id, type: 'queue_too_long', subject: department, name: node.name, facts };
}
