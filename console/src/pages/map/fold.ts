// Which nodes the map shows: agents are folded into their departments, what no number leads to is on a shelf, and filters leave the
// part of one number or one department. Rows keep their targets: a row may lead to a node that is not shown.
import { isEntry, type MapGraph, type MapNode, type NodeId, targetsOf } from './graph.ts';

export interface Folding {
  /** Every agent is shown. */
  readonly allAgents: boolean;
  /** Departments whose agents are shown. */
  readonly unfolded: ReadonlySet<NodeId>;
  /** What no number leads to is shown. */
  readonly shelf: boolean;
  /** Only what this number leads to. */
  readonly number: NodeId | null;
  /** Only what leads to this department, and what it leads to. */
  readonly department: NodeId | null;
  /** Shown in any case: the selected node and the path of a simulated call. */
  readonly keep: ReadonlySet<NodeId>;
}

export interface Folded {
  readonly graph: MapGraph;
  /** How many nodes no number leads to. */
  readonly shelved: number;
  /** Without a number there is nothing that the rest could be apart from. */
  readonly shelf: boolean;
}

export function fold(graph: MapGraph, how: Folding): Folded {
  // A trunk that brings calls to no number is an entry all the same.
  const counted = graph.nodes.filter(({ kind, draft }) => kind !== 'trunk' && !draft);
  const shelved = counted.filter(({ reached }) => !reached).length;
  const shelf = how.shelf || shelved === counted.length;
  const isPassed = passing(graph, how);
  const seen = new Set<NodeId>();
  const waiting: MapNode[] = [];
  const visit = (id: NodeId): void => {
    const node = graph.byId.get(id);
    if (!node || seen.has(id) || !(isPassed(id) || how.keep.has(id))) return;
    seen.add(id);
    waiting.push(node);
  };
  const isFolded = (node: MapNode): boolean => !how.allAgents && !how.unfolded.has(node.id);
  for (const node of graph.nodes) if (isRoot(node, graph, shelf, how.keep)) visit(node.id);
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const { reason, to } of node.ways)
      if (reason !== 'member' || !isFolded(node)) for (const id of to) visit(id);
  }
  return { graph: part(graph, seen), shelved, shelf };
}

function isRoot(node: MapNode, { sources }: MapGraph, shelf: boolean, keep: ReadonlySet<NodeId>): boolean {
  if (isEntry(node) || node.draft || keep.has(node.id)) return true;
  // Agents of a department on the shelf are folded into it.
  return shelf && !node.reached && (node.kind !== 'agent' || !sources.has(node.id));
}

/** Whether a node passes both filters. */
function passing(graph: MapGraph, { number, department }: Folding): (id: NodeId) => boolean {
  const sets: ReadonlySet<NodeId>[] = [];
  if (number !== null && graph.byId.has(number)) {
    const trunks = graph.sources.get(number) ?? [];
    sets.push(new Set([...trunks, ...walk(number, (id) => targets(graph, id))]));
  }
  if (department !== null && graph.byId.has(department)) {
    const before = walk(department, (id) => graph.sources.get(id) ?? []);
    const after = walk(department, (id) => targets(graph, id));
    sets.push(new Set([...before, ...after]));
  }
  return (id) => sets.every((set) => set.has(id));
}

const targets = ({ byId }: MapGraph, id: NodeId): readonly NodeId[] => {
  const node = byId.get(id);
  return node ? targetsOf(node) : [];
};

function walk(from: NodeId, next: (id: NodeId) => readonly NodeId[]): Set<NodeId> {
  const seen = new Set([from]);
  // A set is walked in the order of its insertions, also of those that are made meanwhile.
  for (const id of seen) for (const other of next(id)) seen.add(other);
  return seen;
}

function part(graph: MapGraph, seen: ReadonlySet<NodeId>): MapGraph {
  if (seen.size === graph.nodes.length) return graph;
  const nodes = graph.nodes.filter(({ id }) => seen.has(id));
  const sources = new Map<NodeId, readonly NodeId[]>();
  for (const [id, from] of graph.sources) {
    const shown = seen.has(id) ? from.filter((source) => seen.has(source)) : [];
    if (shown.length > 0) sources.set(id, shown);
  }
  return { nodes, byId: new Map(nodes.map((node) => [node.id, node])), sources };
}
