import { type Flow, resolve } from '../flow.ts';
import type { Ref } from '../node.ts';
import { edgesOf } from '../nodes/facts.ts';
import type { Finding } from './finding.ts';

/** Menus no caller comes to, whatever number they dial and whatever they press. */
export function* unreachedMenus(flow: Flow, entries: Iterable<Ref>): Iterable<Finding> {
  const reached = new Set<Ref>();
  const open = [...entries];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (reached.has(ref)) continue;
    reached.add(ref);
    const node = resolve(flow, ref);
    if (node) open.push(...edgesOf(node).map(({ to }) => to));
  }
  for (const node of flow.nodes.values()) {
    if (node.kind !== 'menu' || reached.has(node.ref)) continue;
    const message = `No dialled number and no other destination leads to the menu “${node.name}”.`;
    yield { code: 'menu-unreached', severity: 'warning', node: node.ref, pointer: '', message };
  }
}
