// Agents as API and console show them, and those of several nodes in one.
import { type AgentState, shownState } from '../../domain/agent-state.ts';

export interface AgentView {
  readonly eid: string;
  readonly state: AgentState;
  /** Null: not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /** Ids of departments. */
  readonly signedOut: readonly string[];
}

/** Each node knows what its own calls do with an agent; the rest all know. */
export function mergedViews(nodes: readonly (readonly AgentView[])[]): AgentView[] {
  const views = new Map<string, AgentView>();
  for (const view of nodes.flat()) {
    const known = views.get(view.eid);
    views.set(view.eid, known ? { ...known, state: shownState(known.state, view.state) } : view);
  }
  return [...views.values()];
}
