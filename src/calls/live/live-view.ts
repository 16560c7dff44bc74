// Everything of an account that changes by itself: calls, agents with their phones, trunks. Of one node, and of all in one.
import type { TrunkHostState, TrunkLine } from '../../telephony/ports/trunk.ts';
import type { PhoneBinding } from '../../telephony/telephony.ts';
import type { AgentView } from '../agents/agent-view.ts';
import { mergedViews } from '../agents/agent-view.ts';
import type { LiveCall } from '../operator/live-calls.ts';

export type TrunkState = Omit<TrunkLine, 'hosts'> & {
  /** As OPTIONS found them; empty: they are not asked. */
  readonly hosts: readonly TrunkHostView[];
  /** No call is taken from them: the account may not have them, or another has them. */
  readonly unused_addresses: readonly string[];
  /** The node that registers at the provider; null: there is one node alone, or the trunk needs no registration. */
  readonly registered_by: string | null;
};

export interface TrunkHostView extends Omit<TrunkHostState, 'latencyMs'> {
  readonly latency_ms: number | null;
}

export interface LiveCalls {
  /** Oldest first. */
  readonly calls: readonly LiveCall[];
  /** Ids of nodes that did not answer: their calls are missing. */
  readonly unanswered: readonly string[];
}

export interface LiveTrunk extends TrunkState {
  readonly id: string;
}

export interface LiveView extends LiveCalls {
  readonly agents: readonly AgentView[];
  readonly trunks: readonly LiveTrunk[];
}

export const NOTHING_LIVE: LiveView = { calls: [], unanswered: [], agents: [], trunks: [] };

export interface NodeAnswer<Answer> {
  /** The id of the node. */
  readonly node: string;
  readonly answer: Answer;
}

/** Oldest first. */
export function mergedCalls(nodes: readonly NodeAnswer<LiveCalls>[]): LiveCall[] {
  const calls = nodes.flatMap(({ node, answer }) => answer.calls.map((call) => ({ ...call, node_id: node })));
  return calls.sort((one, other) => (one.id < other.id ? -1 : 1));
}

export function mergedLive(nodes: readonly NodeAnswer<LiveView>[], unanswered: readonly string[]): LiveView {
  const trunks = new Map<string, LiveTrunk[]>();
  for (const { answer } of nodes)
    for (const trunk of answer.trunks) trunks.set(trunk.id, [...(trunks.get(trunk.id) ?? []), trunk]);
  return {
    calls: mergedCalls(nodes),
    unanswered,
    agents: mergedViews(nodes.map(({ answer }) => answer.agents)),
    trunks: [...trunks.values()].flatMap((states) => mergedTrunk(states) ?? []),
  };
}

/** The calls of all nodes; one of them is registered at the provider, or says why not. Null: there is no state. */
export function mergedTrunk<State extends TrunkState>(states: readonly State[]): State | null {
  const [first] = states;
  if (!first) return null;
  const telling =
    states.find(({ registered }) => registered === true) ??
    states.find(({ registered }) => registered === false) ??
    first;
  const calls = states.reduce((sum, state) => sum + state.calls, 0);
  const { registered, problem, registered_by } = telling;
  return { ...first, registered, problem, registered_by, calls };
}

/** Nodes share registered phones; of one that several know, it is enough that one of them reaches it. */
export function mergedPhones(phones: readonly PhoneBinding[]): PhoneBinding[] {
  const merged = new Map<string, PhoneBinding>();
  for (const phone of phones) {
    const known = merged.get(phone.contact);
    if (!known || (!known.reachable && phone.reachable)) merged.set(phone.contact, phone);
  }
  return [...merged.values()];
}
