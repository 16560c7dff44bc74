// The agent, `extension||<eid>` (call rule 7).

import { afterTalk, unasked } from '../facts.ts';
import { failOver } from '../hang-up.ts';
import { missingHours } from '../lint/missing-here.ts';
import type { AgentNode, Ref } from '../node.ts';
import { forward, ringNext, unserved, whyNotOffered } from '../ringing.ts';
import type { NodeRules } from '../rules.ts';
import { canBeRung } from '../strategy.ts';
import type { Turn } from '../turn.ts';

function enterAgent(turn: Turn, agent: AgentNode): Ref | null {
  turn.dropTypedAhead(agent.ref);
  const barred = whyNotOffered(turn, agent);
  const { failover, forwards } = agent;
  if (barred === 'agent-blocked' || barred === 'agent-outside-hours')
    return failOver(turn, agent.ref, failover, barred);
  if (forwards?.always) return forward(turn, agent, forwards.always);
  if (barred === 'agent-busy') return unserved(turn, { node: agent.ref, failover, failure: barred });
  return ringNext(turn, {
    node: agent.ref,
    left: [agent.ref],
    ringMs: turn.flow.settings.ringSeconds * 1_000,
    failover,
    failure: 'agent-unreachable',
    queue: null,
  });
}

export const agent: NodeRules<AgentNode> = {
  enter: enterAgent,
  phases: {},
  recordings: () => [],
  edges: ({ failover, forwards, afterCall }) => [
    ...unasked('/failover_destination', failover),
    // Most agents are forwarded nowhere.
    ...(forwards
      ? [
          ...unasked('/forward_always', forwards.always),
          ...unasked('/forward_busy', forwards.busy),
          ...unasked('/forward_no_answer', forwards.noAnswer),
        ]
      : []),
    ...afterTalk(afterCall),
  ],
  serves: (node, _flow, serves) => canBeRung(node) || serves(node.failover),
  rings: true,
  answersLate: true,
  missing: [missingHours],
};
