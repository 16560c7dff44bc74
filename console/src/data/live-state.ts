// The live state of the account as the page holds it, and how events change it. Without React.
import type {
  LiveCall,
  LiveQueue,
  LiveState,
  LiveTrunk,
  LiveAgent as SentAgent,
} from '../../../client/operations.ts';

export type { LiveCall, LiveQueue, LiveTrunk } from '../../../client/operations.ts';

/** As it is shown. `unknown`: a node that does not answer may have a call of the agent. */
export type ShownState = SentAgent['state'] | 'unknown';
export type LiveAgent = Omit<SentAgent, 'state'> & { readonly state: ShownState };

export interface Live {
  readonly calls: ReadonlyMap<string, LiveCall>;
  /** By eid, as they are shown. */
  readonly agents: ReadonlyMap<string, LiveAgent>;
  /** By eid, as the service sent them: `agents` is made of these. */
  readonly sentAgents: ReadonlyMap<string, SentAgent>;
  readonly trunks: ReadonlyMap<string, LiveTrunk>;
  /** By id of the department; one that is not there has nobody waiting. */
  readonly queues: ReadonlyMap<string, LiveQueue>;
  /** Nodes that did not answer: what they know is missing. */
  readonly unanswered: readonly string[];
  /** The service's clock minus this browser's. */
  readonly offsetMs: number;
  /** lost: the connection is being retried. off: the service runs without telephones. */
  readonly connection: 'opening' | 'open' | 'lost' | 'off';
  /** Snapshots so far. Events between two of them may have been missed: what is kept by events is read again. */
  readonly round: number;
}

export const NOTHING_YET: Live = {
  calls: new Map(),
  agents: new Map(),
  sentAgents: new Map(),
  trunks: new Map(),
  queues: new Map(),
  unanswered: [],
  offsetMs: 0,
  connection: 'opening',
  round: 0,
};

interface Tables {
  readonly calls: LiveCall;
  readonly agents: SentAgent;
  readonly trunks: LiveTrunk;
  readonly queues: LiveQueue;
}
type Table = keyof Tables;

const IDS: { readonly [T in Table]: (row: Tables[T]) => string } = {
  calls: ({ id }) => id,
  agents: ({ eid }) => eid,
  trunks: ({ id }) => id,
  queues: ({ department }) => department,
};

interface Changed<Row> {
  readonly put: readonly Row[];
  readonly gone: readonly string[];
}

type Change = { readonly [T in Table]?: Changed<Tables[T]> } & {
  readonly unanswered_nodes?: readonly string[];
};

const byId = <Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [idOf(row), row]));

function changed<Row>(
  rows: ReadonlyMap<string, Row>,
  change: Changed<Row> | undefined,
  idOf: (row: Row) => string,
): ReadonlyMap<string, Row> {
  if (!change) return rows;
  const next = new Map(rows);
  for (const id of change.gone) next.delete(id);
  for (const row of change.put) next.set(idOf(row), row);
  return next;
}

/** Each node knows its own calls alone: while one does not answer, an agent without a call at the others may talk there. */
function shown(
  sent: ReadonlyMap<string, SentAgent>,
  unanswered: readonly string[],
): ReadonlyMap<string, LiveAgent> {
  if (unanswered.length === 0) return sent;
  const hide = (agent: SentAgent): LiveAgent =>
    agent.state === 'free' ? { ...agent, state: 'unknown', since: null } : agent;
  return new Map([...sent].map(([eid, agent]) => [eid, hide(agent)]));
}

export function afterSnapshot(live: Live, state: LiveState, nowMs: number): Live {
  const sentAgents = byId(state.agents, IDS.agents);
  const unanswered = state.unanswered_nodes ?? [];
  return {
    ...live,
    calls: byId(state.calls, IDS.calls),
    agents: shown(sentAgents, unanswered),
    sentAgents,
    trunks: byId(state.trunks, IDS.trunks),
    queues: byId(state.queues, IDS.queues),
    unanswered,
    offsetMs: new Date(state.at).getTime() - nowMs,
    connection: state.telephones ? 'open' : 'off',
    round: live.round + 1,
  };
}

/** Tables that did not change stay the same objects. */
export function afterChange(live: Live, change: Change): Live {
  const sentAgents = changed(live.sentAgents, change.agents, IDS.agents);
  const unanswered = change.unanswered_nodes ?? live.unanswered;
  const isSame = sentAgents === live.sentAgents && unanswered === live.unanswered;
  return {
    ...live,
    calls: changed(live.calls, change.calls, IDS.calls),
    agents: isSame ? live.agents : shown(sentAgents, unanswered),
    sentAgents,
    trunks: changed(live.trunks, change.trunks, IDS.trunks),
    queues: changed(live.queues, change.queues, IDS.queues),
    unanswered,
  };
}

/** The calls that came and ended between two lists, for the live region. */
export function comings(
  before: readonly LiveCall[],
  after: readonly LiveCall[],
): { readonly came: readonly LiveCall[]; readonly went: readonly LiveCall[] } {
  const old = new Set(before.map(({ id }) => id));
  const now = new Set(after.map(({ id }) => id));
  return { came: after.filter(({ id }) => !old.has(id)), went: before.filter(({ id }) => !now.has(id)) };
}
