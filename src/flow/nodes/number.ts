// A telephone number outside, `number||<digits>`.

import { unasked } from '../facts.ts';
import type { NumberNode, Ref } from '../node.ts';
import { type RingPlan, ring } from '../ringing.ts';
import type { NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';

function enterNumber(turn: Turn, node: NumberNode): Ref | null {
  turn.dropTypedAhead(node.ref);
  const plan: RingPlan = {
    node: node.ref,
    left: [],
    ringMs: (node.ringSeconds ?? turn.flow.settings.ringSeconds) * 1_000,
    failover: node.failover,
    failure: 'agent-unreachable',
    queue: null,
  };
  const target = { id: node.ref, owner: node.ref, via: 'number', number: node.number } as const;
  return ring(turn, plan, [node.byAgent ? { ...target, byAgent: true } : target], []);
}

export const number: NodeRules<NumberNode> = {
  enter: enterNumber,
  phases: {},
  recordings: () => [],
  edges: ({ failover }) => unasked('/failover_destination', failover),
  serves: () => true,
  rings: true,
  answersLate: true,
};
