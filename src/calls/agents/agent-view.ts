// Agents as API and console show them, and those of several nodes in one.
import { type AgentState, shownState } from '../../domain/agent-state.ts';

export interface AgentView {
  readonly eid: string;
  readonly state: AgentState;
  /** When the state began; null: before a node looked. */
  readonly sinceMs: number | null;
  /** Null if not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /** Ids of departments. */
  readonly signedOut: readonly string[];
  readonly phones: AgentPhones;
  /** A phone that answers, or a follow-me number that a trunk routes. Absent: a node of an earlier version does not say. */
  readonly canRing?: boolean;
  /** A node that does not answer may have a call of the agent, who is free at the others. */
  readonly isUncertain?: true;
}

export interface AgentPhones {
  readonly registered: number;
  /** Those of them that answer. */
  readonly reachable: number;
  /** When the last one ceased to be registered; null: one is, or none was since the service started. */
  readonly goneAtMs: number | null;
}

/** Each node knows what its own calls do with an agent, and one of them since when; the rest all know. */
export function mergedViews(nodes: readonly (readonly AgentView[])[]): AgentView[] {
  const views = new Map<string, AgentView>();
  for (const view of nodes.flat()) {
    const known = views.get(view.eid);
    views.set(view.eid, known ? merged(known, view) : view);
  }
  return [...views.values()];
}

function merged(one: AgentView, other: AgentView): AgentView {
  const state = shownState(one.state, other.state);
  const sinceMs = [one, other].find((each) => each.state === state && each.sinceMs !== null)?.sinceMs ?? null;
  const registered = Math.max(one.phones.registered, other.phones.registered);
  const reachable = Math.max(one.phones.reachable, other.phones.reachable);
  const goneAtMs = registered > 0 ? null : (one.phones.goneAtMs ?? other.phones.goneAtMs);
  const canRing = (one.canRing ?? true) || (other.canRing ?? true);
  return { ...one, state, sinceMs, phones: { registered, reachable, goneAtMs }, canRing };
}
