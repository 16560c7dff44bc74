// What an agent said about being there: paused, and the departments that the agent is signed out of. Kept apart from the agent's record,
// whose versions and ETags would change with every pause.

export interface AgentPresence {
  readonly accountId: string;
  readonly eid: string;
  /** Null if not paused. */
  readonly pausedAtMs: number | null;
  /** Why; empty: not said. */
  readonly reason: string;
  /** Ids of departments, sorted. */
  readonly signedOut: readonly string[];
}

export type PresenceChange =
  | { readonly type: 'pause'; readonly reason: string }
  | { readonly type: 'resume' }
  | { readonly type: 'sign-in'; readonly departments: readonly string[] }
  | { readonly type: 'sign-out'; readonly departments: readonly string[] };

/** Characters of a reason. */
export const MAX_REASON = 100;
/** Departments that one agent can be signed out of; the rest stay signed in to. */
export const MAX_SIGNED_OUT = 1_000;

/** Paused again: with the new reason, since then. Paused again for the same reason: since when it was. */
export function changePresence(before: AgentPresence, change: PresenceChange, nowMs: number): AgentPresence {
  switch (change.type) {
    case 'pause':
      return before.pausedAtMs !== null && before.reason === change.reason
        ? before
        : { ...before, pausedAtMs: nowMs, reason: change.reason };
    case 'resume':
      return { ...before, pausedAtMs: null, reason: '' };
    case 'sign-in':
      return { ...before, signedOut: before.signedOut.filter((id) => !change.departments.includes(id)) };
    case 'sign-out':
      return {
        ...before,
        signedOut: [...new Set([...before.signedOut, ...change.departments])].sort().slice(0, MAX_SIGNED_OUT),
      };
    default:
      return change satisfies never;
  }
}

/** Nothing was said: no row is kept of it. */
export const isPlain = ({ pausedAtMs, signedOut }: AgentPresence): boolean =>
  pausedAtMs === null && signedOut.length === 0;
