// Circles a call runs through without the caller doing anything; call rule 9 cuts them after 20 hops, or 20 conversations.

import { MAX_TALKS } from '../conversation.ts';
import type { Edge } from '../facts.ts';
import { type Flow, resolve } from '../flow.ts';
import type { FlowNode, Ref } from '../node.ts';
import { edgesOf, rings } from '../nodes/facts.ts';
import type { Finding } from './finding.ts';

export function* loops(flow: Flow, node: FlowNode, edges: readonly Edge[]): Iterable<Finding> {
  for (const edge of edges) {
    if (edge.onInput) continue;
    const way = wayBack(flow, node, edge);
    if (!way) continue;
    // Where phones ring on the way an agent may answer: a warning, not an error.
    const hasPhones = [node, ...way.over].some(rings);
    const names = [node, ...way.over, node].map(({ name }) => `“${name}”`).join(' → ');
    yield {
      code: 'loop-without-input',
      severity: hasPhones ? 'warning' : 'error',
      node: node.ref,
      pointer: edge.pointer,
      message: way.hasTalk
        ? `After a conversation the caller goes round (${names}), and phones ring again: ${MAX_TALKS} conversations at most.`
        : `A caller who does nothing goes round (${names}) and is cut off after ${flow.settings.hopLimit} hops.`,
    };
  }
}

interface Way {
  readonly at: Ref;
  readonly over: FlowNode[];
  /** Over an after_call_destination. */
  readonly hasTalk: boolean;
}

/** Between `from` and itself again, going over `first` without caller input; null = no way back. */
function wayBack(flow: Flow, from: FlowNode, first: Edge): Way | null {
  const seen = new Set<Ref>();
  let ways: Way[] = [{ at: first.to, over: [], hasTalk: first.afterTalk === true }];
  // Breadth first, no further than a call gets: a longer circle is no circle a caller can run.
  for (let hop = 0; hop <= flow.settings.hopLimit && ways.length > 0; hop += 1) {
    const further: Way[] = [];
    for (const way of ways) {
      if (way.at === from.ref) return way;
      const node = seen.has(way.at) ? null : resolve(flow, way.at);
      if (!node) continue;
      seen.add(way.at);
      for (const { to, onInput, afterTalk } of edgesOf(node)) {
        const hasTalk = way.hasTalk || afterTalk === true;
        if (!onInput) further.push({ at: to, over: [...way.over, node], hasTalk });
      }
    }
    ways = further;
  }
  return null;
}
