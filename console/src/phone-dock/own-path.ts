// The way of the call that this page makes, as the map shows it: places that the live state names, lines that events name.
import type { CallPath } from '../pages/map/overlays/path.ts';

export const NO_WAY: CallPath = { visited: [], current: null, edges: [] };

/** The call is at this place now. */
export function afterPlace(path: CallPath, place: string | null): CallPath {
  if (place === null || place === path.current) return path;
  const visited = path.visited.includes(place) ? path.visited : [...path.visited, place];
  return { ...path, visited, current: place };
}

/** The data of call.option, which may come before or after the call has moved on. */
export interface OptionEvent {
  readonly node?: unknown;
  readonly keys?: unknown;
  readonly destination?: unknown;
}

export function afterOption(path: CallPath, { node, keys, destination }: OptionEvent): CallPath {
  if (typeof node !== 'string' || typeof keys !== 'string') return path;
  const isKnown = path.edges.some(({ from, label }) => from === node && label === keys);
  if (isKnown) return path;
  const edge = { from: node, label: keys, ...(typeof destination === 'string' ? { to: destination } : {}) };
  const visited = path.visited.includes(node) ? path.visited : [...path.visited, node];
  return { ...path, visited, edges: [...path.edges, edge] };
}
