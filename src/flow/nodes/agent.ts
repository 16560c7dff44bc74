// The agent, `extension||<eid>` (call rule 7).

import type { AgentNode, Ref } from '../node.ts';
import { failOver } from '../parting.ts';
import { ringNext, whyNotOffered } from '../ringing.ts';
import type { Turn } from '../turn.ts';

export function enterAgent(turn: Turn, agent: AgentNode): Ref | null {
  turn.dropTypedAhead(agent.ref);
  const barred = whyNotOffered(turn, agent);
  if (barred !== null) return failOver(turn, agent.ref, agent.failover, barred);
  return ringNext(turn, {
    node: agent.ref,
    left: [agent.ref],
    ringMs: turn.flow.settings.ringSeconds * 1_000,
    failover: agent.failover,
    failure: 'agent-unreachable',
    queue: null,
  });
}
