// A department's line right now: who waits since when, and what its agents are doing.
import { readData } from '../../domain/row.ts';
import { referenceTo } from '../../flow/node.ts';
import type { Handler } from '../http/handler.ts';
import { addressOf, unknownRecord } from '../records/collection.ts';

export const getDepartmentQueue: Handler = async (request, context) => {
  const row = await context.storage.getRecord(addressOf('department', request));
  if (!row) return unknownRecord('department');
  const { name, agents, queue } = readData('department', row.json);
  const { agents: people } = await request.directory();
  const { waiting, stateOf } = context.queueOf(request.account.id, referenceTo('department', row.id));
  return {
    status: 200,
    json: {
      id: row.id,
      name,
      queue,
      waiting: waiting.map(({ callId, caller, sinceMs, ringing }, index) => ({
        position: index + 1,
        call_id: callId,
        call: callId,
        caller,
        since: new Date(sinceMs).toISOString(),
        waited_ms: Math.max(0, request.nowMs - sinceMs),
        ringing,
      })),
      agents: agents.map((eid) => ({
        eid,
        name: people.get(eid)?.data.name ?? null,
        state: stateOf(eid),
      })),
    },
  };
};
