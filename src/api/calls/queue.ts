// A department's line right now: who waits since when, and what its agents are doing.
import { MAX_OPEN } from '../../domain/callback.ts';
import { readData } from '../../domain/row.ts';
import { referenceTo } from '../../flow/node.ts';
import type { Handler } from '../http/handler.ts';
import { addressOf, unknownRecord } from '../records/collection.ts';
import { describeCallback } from './callback.ts';

export const getDepartmentQueue: Handler = async (request, context) => {
  const row = await context.storage.getRecord(addressOf('department', request));
  if (!row) return unknownRecord('department');
  const { name, agents, queue } = readData('department', row.json);
  const accountId = request.account.id;
  const page = { accountId, department: row.id, open: true, limit: MAX_OPEN };
  const callbacks = queue ? await context.storage.listCallbacks(page) : [];
  const byCall = new Map(callbacks.map(({ callId, id }) => [callId, id]));
  const { agents: people } = await request.directory();
  const department = referenceTo('department', row.id);
  const view = await context.callControl()?.queueOf({ account: accountId, department, eids: agents });
  const states = await context.callControl()?.agentsOf({ account: accountId, eids: agents });
  const stateOf = new Map(states?.map(({ eid, state, isUncertain }) => [eid, isUncertain ? null : state]));
  const placeMs = view?.placeMs ?? null;
  const estimate = (position: number): number | null => placeMs && Math.round(placeMs * position);
  return {
    status: 200,
    json: {
      id: row.id,
      name,
      queue,
      estimated_wait_ms: estimate((view?.waiting.length ?? 0) + 1),
      waiting: (view?.waiting ?? []).map(({ callId, caller, sinceMs, ringing }, index) => ({
        position: index + 1,
        call_id: callId,
        call: callId,
        caller,
        since: new Date(sinceMs).toISOString(),
        waited_ms: Math.max(0, request.nowMs - sinceMs),
        estimated_wait_ms: estimate(index + 1),
        ringing,
        callback: byCall.get(callId) ?? null,
      })),
      // In the order of their places.
      callbacks: callbacks.sort((one, other) => one.place - other.place).map(describeCallback),
      agents: agents.map((eid, index) => ({
        eid,
        name: people.get(eid)?.data.name ?? null,
        state: view?.states[index] ?? 'away',
        agent_state: stateOf.get(eid) ?? null,
      })),
    },
  };
};
