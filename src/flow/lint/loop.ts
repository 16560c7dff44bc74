// Circles a call runs through without the caller doing anything; call rule 9 cuts them after 20 hops.

import { type Flow, resolve } from '../flow.ts';
import type { FlowNode, Ref } from '../node.ts';
import { type Edge, edgesOf } from './edge.ts';
import type { Finding } from './finding.ts';

export function* loops(flow: Flow, node: FlowNode, edges: readonly Edge[]): Iterable<Finding> {
  for (const { pointer, to, onInput } of edges) {
    if (onInput) continue;
    const way = wayBack(flow, node, to);
    if (!way) continue;
    // Where phones ring on the way an agent may answer: a warning, not an error.
    const rings = [node, ...way].some(({ kind }) => RINGING.has(kind));
    const names = [node, ...way, node].map(({ name }) => `“${name}”`).join(' → ');
    const { hopLimit } = flow.settings;
    yield {
      code: 'loop-without-input',
      severity: rings ? 'warning' : 'error',
      node: node.ref,
      pointer,
      message: `A caller who does nothing goes round (${names}) and is cut off after ${hopLimit} hops.`,
    };
  }
}

const RINGING: ReadonlySet<FlowNode['kind']> = new Set(['agent', 'department', 'number']);

/** The nodes between `from` and itself again, going over `first` without caller input; null = no way back. */
function wayBack(flow: Flow, from: FlowNode, first: Ref): FlowNode[] | null {
  const seen = new Set<Ref>();
  let ways: { readonly at: Ref; readonly over: FlowNode[] }[] = [{ at: first, over: [] }];
  // Breadth first, no further than a call gets: a longer circle is no circle a caller can run.
  for (let hop = 0; hop <= flow.settings.hopLimit && ways.length > 0; hop += 1) {
    const further: typeof ways = [];
    for (const { at, over } of ways) {
      if (at === from.ref) return over;
      const node = seen.has(at) ? null : resolve(flow, at);
      if (!node) continue;
      seen.add(at);
      for (const edge of edgesOf(node)) {
        if (!edge.onInput) further.push({ at: edge.to, over: [...over, node] });
      }
    }
    ways = further;
  }
  return null;
}
