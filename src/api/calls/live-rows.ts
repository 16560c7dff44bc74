// The live view as rows of JSON text by id, so that what changed between two views is found by comparing texts.
import type { AgentView } from '../../calls/agents/agent-view.ts';
import type { LiveView } from '../../calls/live/live-view.ts';
import type { LiveCall } from '../../calls/operator/live-calls.ts';
import { parkingSpot } from '../../domain/parking-spot.ts';
import { splitReference } from '../../kinds/reference.ts';

export const LIVE_TABLES = ['calls', 'agents', 'trunks', 'queues'] as const;
export type LiveTable = (typeof LIVE_TABLES)[number];

/** By id of a call, eid, id of a trunk and id of a department. */
export interface LiveRows extends Readonly<Record<LiveTable, ReadonlyMap<string, string>>> {
  /** Ids of nodes that did not answer, as JSON. */
  readonly unanswered: string;
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export function describeAgent({ state, sinceMs, paused, signedOut, phones }: Omit<AgentView, 'eid'>): object {
  return {
    state,
    since: timeOf(sinceMs),
    paused: paused && { reason: paused.reason, since: timeOf(paused.sinceMs) },
    signed_out: signedOut,
    phones: {
      registered: phones.registered,
      reachable: phones.reachable,
      none_since: timeOf(phones.goneAtMs),
    },
  };
}

interface Queue {
  readonly department: string;
  waiting: number;
  longest_since: string;
}

/** Departments in whose queues callers wait, by their calls. A parked call waits for nobody of a department. */
function queuesOf(calls: readonly LiveCall[]): Map<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const { node, waiting_since: since } of calls) {
    if (typeof since !== 'string' || node === null || parkingSpot(node) !== null) continue;
    const { id } = splitReference(node);
    const queue = queues.get(id);
    if (!queue) queues.set(id, { department: id, waiting: 1, longest_since: since });
    else {
      queue.waiting += 1;
      if (since < queue.longest_since) queue.longest_since = since;
    }
  }
  return queues;
}

export function rowsOf(view: LiveView): LiveRows {
  return {
    calls: new Map(view.calls.map((call) => [call.id, JSON.stringify(call)])),
    agents: new Map(
      view.agents.map((agent) => [agent.eid, JSON.stringify({ eid: agent.eid, ...describeAgent(agent) })]),
    ),
    trunks: new Map(view.trunks.map((trunk) => [trunk.id, JSON.stringify(trunk)])),
    queues: new Map([...queuesOf(view.calls)].map(([id, queue]) => [id, JSON.stringify(queue)])),
    unanswered: JSON.stringify(view.unanswered),
  };
}

const NONE = '[]';
const partial = ({ unanswered }: LiveRows): string =>
  unanswered === NONE ? '' : `,"unanswered_nodes":${unanswered}`;

const NO_ROWS: LiveRows = {
  calls: new Map(),
  agents: new Map(),
  trunks: new Map(),
  queues: new Map(),
  unanswered: NONE,
};

/** `live` null: the service runs without telephones. */
export function wholeText(live: LiveRows | null, atMs: number): string {
  const rows = live ?? NO_ROWS;
  const head = `"at":"${new Date(atMs).toISOString()}","telephones":${live !== null}`;
  const tables = LIVE_TABLES.map((table) => `"${table}":[${[...rows[table].values()].join(',')}]`);
  return `{${head},${tables.join(',')}${partial(rows)}}`;
}

/** The new rows (`put`) and the ids of removed rows (`gone`), for each table that changed. Null if nothing changed. */
export function changeText(before: LiveRows, after: LiveRows): string | null {
  const changes = LIVE_TABLES.flatMap((table) => {
    const [old, now] = [before[table], after[table]];
    const put = [...now].filter(([id, text]) => old.get(id) !== text).map(([, text]) => text);
    const gone = [...old.keys()].filter((id) => !now.has(id));
    if (put.length + gone.length === 0) return [];
    return [`"${table}":{"put":[${put.join(',')}],"gone":${JSON.stringify(gone)}}`];
  });
  if (before.unanswered !== after.unanswered) changes.push(`"unanswered_nodes":${after.unanswered}`);
  return changes.length === 0 ? null : `{${changes.join(',')}}`;
}
