// What is known of a destination of any kind, without a call.

import type { Edge, Played, Use } from '../facts.ts';
import type { Flow } from '../flow.ts';
import type { Finding } from '../lint/finding.ts';
import type { FlowNode, Ref } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import { NODE_RULES } from './nodes.ts';

/** The cast holds: the row of a kind is made for nodes of that kind. */
const factsOf = (node: FlowNode): NodeRules<FlowNode> =>
  NODE_RULES[node.kind] as unknown as NodeRules<FlowNode>;

export const edgesOf = (node: FlowNode): Edge[] => factsOf(node).edges(node);
export const membersOf = (node: FlowNode): Omit<Edge, 'onInput'>[] => factsOf(node).members?.(node) ?? [];
export const recordingsOf = (node: FlowNode): Played[] => factsOf(node).recordings(node);
export const usesOf = (node: FlowNode): Use[] => factsOf(node).uses?.(node) ?? [];
export const setsOf = (node: FlowNode): string[] => factsOf(node).sets?.(node) ?? [];
export const rings = (node: FlowNode): boolean => factsOf(node).rings === true;
export const answersLate = (node: FlowNode): boolean => factsOf(node).answersLate === true;

export const servesAt = (node: FlowNode, flow: Flow, serves: (to: Ref | null) => boolean): boolean =>
  factsOf(node).serves(node, flow, serves);

export function* missingHere(flow: Flow, node: FlowNode): Iterable<Finding> {
  for (const rule of factsOf(node).missing ?? []) yield* rule(flow, node);
}

export function* oddities(flow: Flow, node: FlowNode): Iterable<Finding> {
  for (const rule of factsOf(node).lint ?? []) yield* rule(flow, node);
}
