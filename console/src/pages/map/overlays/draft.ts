// The draft on the map: what is new and what is changed. What is deleted is not on the map any more; the draft's page lists it.
import type { Draft } from '../../../../../client/operations.ts';
import { KINDS } from '../../../../../src/kinds/lists.ts';
import { referenceText } from '../../../../../src/kinds/reference.ts';
import type { MapGraph, NodeId } from '../graph.ts';
import { NO_ROWS, type NodeMark, type Overlay } from './overlay.ts';

export type Drafted = Pick<Draft['data'][number], 'kind' | 'id' | 'action' | 'editor'>;

export const nodeOfChange = ({ kind, id }: Pick<Drafted, 'kind' | 'id'>): NodeId => {
  const word = Object.entries(KINDS).find(([name]) => name === kind)?.[1].word;
  return word ? referenceText(word, id) : `dialled||${id}`;
};

export function draftOverlay(
  graph: MapGraph,
  changes: readonly Drafted[],
  word: (change: Drafted) => { readonly badge: string; readonly text: string },
): Overlay {
  const overlay = new Map<NodeId, NodeMark>();
  for (const change of changes) {
    const id = nodeOfChange(change);
    if (!graph.byId.has(id)) continue;
    overlay.set(id, { tone: change.action === 'create' ? 'good' : 'info', ...word(change), rows: NO_ROWS });
  }
  return overlay;
}
