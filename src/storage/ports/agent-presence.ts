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
  /** Of all agents, or of those of one account, who are paused or signed out of a department. */
  listPresence(input: { readonly accountId: string | null }): Promise<AgentPresence[]>;
}
