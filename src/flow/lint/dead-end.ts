// Places where a call can only fail, although everything on the way exists.

import type { Edge } from '../facts.ts';
import { type Flow, resolve } from '../flow.ts';
import type { FlowNode, Ref } from '../node.ts';
import { servesAt } from '../nodes/facts.ts';
import { endingAfter } from './ending.ts';
import type { Finding } from './finding.ts';

export function* deadEnds(flow: Flow, node: FlowNode, edges: readonly Edge[]): Iterable<Finding> {
  if (node.kind === 'hours') {
    // Without either destination it is a time group for agents' hours only, not a place calls come to.
    const { openDestination, closedDestination } = node;
    if ((openDestination === null) !== (closedDestination === null)) {
      const which = openDestination === null ? 'open' : 'closed';
      const message = `“${node.name}” has no destination for calls while it is ${which}.`;
      const pointer = `/${which}_destination`;
      yield { code: 'dead-end', severity: 'error', node: node.ref, pointer, message };
    }
  } else if (node.kind !== 'menu' && !isBlocked(node) && !serves(flow, node)) {
    const message = `Nobody can be reached at “${node.name}”, and it leads nowhere: callers ${endingAfter(flow, node)}.`;
    yield { code: 'dead-end', severity: 'error', node: node.ref, pointer: '', message };
  }
  if (node.kind !== 'menu') return;
  for (const { pointer, to } of edges) {
    const next = resolve(flow, to);
    // Missing and blocked destinations have rules of their own.
    if (!next || isBlocked(next) || serves(flow, next)) continue;
    const message = `No phone can ring at “${next.name}”, and it leads nowhere: callers ${endingAfter(flow, node)}.`;
    yield { code: 'dead-end', severity: 'error', node: node.ref, pointer, message };
  }
}

/**
 * Whether some call that comes here is served.
 * It looks no further than a call gets, and nowhere twice.
 */
function serves(flow: Flow, node: FlowNode, hops = 0, seen = new Set<Ref>()): boolean {
  if (hops > flow.settings.hopLimit || seen.has(node.ref)) return false;
  seen.add(node.ref);
  const on = (ref: Ref | null): boolean => {
    const next = ref === null ? null : resolve(flow, ref);
    return next !== null && serves(flow, next, hops + 1, seen);
  };
  return servesAt(node, flow, on);
}

function isBlocked(node: FlowNode): boolean {
  return node.kind === 'agent' && node.blocked;
}
