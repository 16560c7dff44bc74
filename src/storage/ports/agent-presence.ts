// Pauses of agents, and the departments that they are signed out of. Changes of one agent are serialized, at whatever node.
import type { AgentPresence, PresenceChange } from '../../domain/agent-presence.ts';

export interface AgentPresenceStorage {
  /** The presence after the change. */
  changePresence(input: {
    readonly accountId: string;
    readonly eid: string;
    readonly change: PresenceChange;
    readonly atMs: number;
  }): Promise<AgentPresence>;
  /** Lists agents who are paused or signed out of a department: of all accounts (null), or of one. */
  listPresence(input: { readonly accountId: string | null }): Promise<AgentPresence[]>;
}
