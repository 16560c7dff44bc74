// The map's data as a hook: records and draft → graph and layout.
import { useDeferredValue, useMemo } from 'react';
import { useRecordsByKind } from '../../data/records.ts';
import { type IvrDraft, ivrOf } from '../editor/draft.ts';
import {
  MAP_RECORDS,
  type MapGraph,
  type MapRecords,
  type MenuDraft,
  makeGraph,
  NO_RECORDS,
} from './graph.ts';
import { type Layout, layOut } from './layout.ts';

/** The menu that is edited beside the map. */
export interface OpenDraft {
  readonly id: string | null;
  readonly draft: IvrDraft;
}

export interface MapModel {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly reload: () => void;
  readonly graph: MapGraph;
  readonly layout: Layout;
  /** The stored records, the same object while unchanged; null until all are loaded. */
  readonly records: MapRecords | null;
}

export function useMapModel(typed: OpenDraft | null): MapModel {
  // Deferred: typing does not wait for the layout of thousands of nodes.
  const open = useDeferredValue(typed);
  const { items: records, lists, error, reload } = useRecordsByKind(MAP_RECORDS);
  // A partial map would show records as missing that are not loaded yet.
  const loading = lists.some(({ state, items }) => state === 'loading' && items.length === 0);
  const draft = useMemo<MenuDraft | null>(() => open && { id: open.id, menu: ivrOf(open.draft) }, [open]);
  const graph = useMemo(() => makeGraph(loading ? NO_RECORDS : records, draft), [records, draft, loading]);
  const layout = useMemo(() => layOut(graph), [graph]);
  return {
    state: error !== null ? 'failed' : loading ? 'loading' : 'ready',
    error,
    reload,
    graph,
    layout,
    records: loading ? null : records,
  };
}
