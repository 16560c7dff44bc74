// The linter: finds what will annoy callers before they call. Each rule has its file in lint/, its
// stable code in lint/finding.ts and its paragraph in docs/lint.md.

import { changeFlow, type Flow } from './flow.ts';
import { blockedAgents } from './lint/blocked-agent.ts';
import { unsentEmail, unsentSms } from './lint/capability.ts';
import { deadEnds } from './lint/dead-end.ts';
import { type Edge, edgesOf } from './lint/edge.ts';
import type { Finding } from './lint/finding.ts';
import { loops } from './lint/loop.ts';
import { retriesWithoutWait, shadowedOptions } from './lint/menu-keys.ts';
import { missingDestinations, missingRecordings, missingWebhooks } from './lint/missing.ts';
import { openingHours } from './lint/opening-hours.ts';
import { endlessQueues } from './lint/queue.ts';
import { smsTemplates } from './lint/sms-template.ts';
import { undisclosedStreams } from './lint/stream.ts';
import { circularRequests, secretsInUrls, unreachableRules, unsetVariables } from './lint/thinking.ts';
import { unreachedMenus } from './lint/unreached.ts';
import type { FlowNode, Ref } from './node.ts';

/** `edges`: the node's own, made once for all rules. */
type NodeRule = (flow: Flow, node: FlowNode, edges: readonly Edge[]) => Iterable<Finding>;

const NODE_RULES: readonly NodeRule[] = [
  missingRecordings,
  missingDestinations,
  missingWebhooks,
  blockedAgents,
  deadEnds,
  loops,
  shadowedOptions,
  retriesWithoutWait,
  endlessQueues,
  openingHours,
  smsTemplates,
  unsentSms,
  unsentEmail,
  unsetVariables,
  unreachableRules,
  circularRequests,
  secretsInUrls,
  undisclosedStreams,
];

/** One record against the flow it is, or is about to be, part of. It costs what lies around the record. */
export function lintNode(flow: Flow, node: FlowNode): Finding[] {
  const within = flow.nodes.get(node.ref) === node ? flow : changeFlow(flow, { nodes: [node] });
  const findings: Finding[] = [];
  const edges = edgesOf(node);
  for (const rule of NODE_RULES) for (const finding of rule(within, node, edges)) findings.push(finding);
  return findings;
}

/** The whole flow. `entries` are the destinations of the account's dialled numbers. */
export function lintFlow(flow: Flow, entries: Iterable<Ref>): Finding[] {
  const findings: Finding[] = [];
  for (const node of flow.nodes.values()) findings.push(...lintNode(flow, node));
  findings.push(...unreachedMenus(flow, entries));
  return findings;
}
