// The linter: finds what will annoy callers before they call. Each rule has its file in lint/, its
// stable code in lint/finding.ts and its paragraph in docs/lint.md. Rules of one kind are listed in its module of nodes/.

import type { Edge } from './facts.ts';
import { changeFlow, type Flow } from './flow.ts';
import { blockedAgents } from './lint/blocked-agent.ts';
import { deadEnds } from './lint/dead-end.ts';
import type { Finding } from './lint/finding.ts';
import { loops } from './lint/loop.ts';
import { missingDestinations, missingRecordings } from './lint/missing.ts';
import { unreachedMenus } from './lint/unreached.ts';
import { circularRequests, secretsInUrls, unsetVariables } from './lint/variables.ts';
import type { FlowNode, Ref } from './node.ts';
import { edgesOf, missingHere, oddities } from './nodes/facts.ts';

/** `edges`: the node's own, made once for all rules. */
type NodeRule = (flow: Flow, node: FlowNode, edges: readonly Edge[]) => Iterable<Finding>;

const RULES: readonly NodeRule[] = [
  missingRecordings,
  missingDestinations,
  missingHere,
  blockedAgents,
  deadEnds,
  loops,
  oddities,
  unsetVariables,
  circularRequests,
  secretsInUrls,
];

/** One record against the flow it is, or is about to be, part of. It costs what lies around the record. */
export function lintNode(flow: Flow, node: FlowNode): Finding[] {
  const within = flow.nodes.get(node.ref) === node ? flow : changeFlow(flow, { nodes: [node] });
  const findings: Finding[] = [];
  const edges = edgesOf(node);
  for (const rule of RULES) for (const finding of rule(within, node, edges)) findings.push(finding);
  return findings;
}

/** The whole flow. `entries` are the destinations of the account's dialled numbers. */
export function lintFlow(flow: Flow, entries: Iterable<Ref>): Finding[] {
  const findings: Finding[] = [];
  for (const node of flow.nodes.values()) findings.push(...lintNode(flow, node));
  findings.push(...unreachedMenus(flow, entries));
  return findings;
}
