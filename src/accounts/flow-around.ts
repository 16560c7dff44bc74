// The flow of a few menus without loading the whole account: those menus, and the ones that calls can reach from them.

import { readData } from '../domain/row.ts';
import { changeFlow, type Flow, resolve } from '../flow/flow.ts';
import type { FlowNode, Ref } from '../flow/node.ts';
import { edgesOf } from '../flow/nodes/facts.ts';
import { menuNode } from '../kinds/nodes.ts';
import { splitReference } from '../kinds/reference.ts';
import type { RecordStorage } from '../storage/ports/records.ts';
import { readByIds } from './held-records.ts';

/** Menus that one menu can lead to, at most. */
const MAX_AROUND = 10_000;

/**
 * The base with these nodes and the menus that calls can reach from them: all of them, for a simulation; for the linter those
 * that they refer to and what follows without a key. A node that leads to no menu, as most, costs no look-up.
 */
export async function flowAround(
  storage: Pick<RecordStorage, 'getRecords'>,
  accountId: string,
  base: Flow,
  nodes: readonly FlowNode[],
  reach: 'all' | 'without-input' = 'all',
): Promise<Flow> {
  // The common case of every creation: there is nothing to look up, and the linter adds the menu itself.
  if (reach === 'without-input' && nodes.every((node) => staysWithin(base, node))) return base;
  let flow = changeFlow(base, { nodes });
  const seen = new Set<Ref>(nodes.map(({ ref }) => ref));
  let reached: readonly FlowNode[] = nodes;
  while (reached.length > 0 && seen.size < MAX_AROUND) {
    const first = reached === nodes;
    const edges = reached.flatMap(edgesOf).filter(({ onInput }) => first || reach === 'all' || !onInput);
    const refs = new Set(edges.map(({ to }) => to).filter((ref) => !seen.has(ref)));
    for (const ref of refs) seen.add(ref);
    const ids = [...refs].map(splitReference).flatMap(({ kind, id }) => (kind === 'ivr' ? [id] : []));
    const found: FlowNode[] = [];
    for await (const row of readByIds(storage, { accountId, kind: 'ivr', ids }))
      found.push(menuNode(row.id, readData('ivr', row.json)));
    if (found.length > 0) flow = changeFlow(flow, { nodes: found });
    // Agents and departments continue by their failovers, time groups and announcements by themselves.
    reached = [...refs].flatMap((ref) => resolve(flow, ref) ?? []);
  }
  return flow;
}

/** Whether all that follows a node is in the base: neither it nor its destinations lead to a menu. */
function staysWithin(base: Flow, from: FlowNode): boolean {
  return edgesOf(from).every(({ to }) => {
    if (to.startsWith('ivr||')) return false;
    const node = base.nodes.get(to);
    return node === undefined || edgesOf(node).length === 0;
  });
}
