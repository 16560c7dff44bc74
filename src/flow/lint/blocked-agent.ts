import type { Edge } from '../facts.ts';
import { type Flow, nameOf, resolve } from '../flow.ts';
import type { FlowNode } from '../node.ts';
import { endingAfter } from './ending.ts';
import type { Finding } from './finding.ts';

/** A blocked agent as a destination: no call is offered to them. */
export function* blockedAgents(flow: Flow, node: FlowNode, edges: readonly Edge[]): Iterable<Finding> {
  for (const { pointer, to } of edges) {
    const agent = resolve(flow, to);
    if (agent?.kind !== 'agent' || !agent.blocked) continue;
    const then =
      agent.failover === null
        ? `callers ${endingAfter(flow, node)}`
        : `callers go to the failover ${nameOf(flow, agent.failover)} at once`;
    const message = `${agent.name} is blocked: ${then}.`;
    yield { code: 'agent-blocked', severity: 'warning', node: node.ref, pointer, message };
  }
}
