// The map's data as a hook: records and draft → graph and layout.
import { useDeferredValue, useMemo } from 'react';
import { useAsk } from '../../data/ask.ts';
import { useRecordsByKind } from '../../data/records.ts';
import { type IvrDraft, ivrOf } from '../editor/draft.ts';
import { type Folding, fold } from './fold.ts';
import { type MapGraph, type MenuDraft, makeGraph } from './graph.ts';
import { type Layout, layOut } from './layout.ts';
import { MAP_RECORDS, type MapRecords, NO_RECORDS } from './map-records.ts';
import type { TrunkLayer } from './trunk-layer.ts';

/** The menu that is edited beside the map. */
export interface OpenDraft {
  readonly id: string | null;
  readonly draft: IvrDraft;
}

export interface MapModel {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly reload: () => void;
  /** Everything, for names and searches. */
  readonly whole: MapGraph;
  /** What is shown. */
  readonly graph: MapGraph;
  readonly layout: Layout;
  /** How many nodes no number leads to. */
  readonly shelved: number;
  /** They are shown. */
  readonly shelf: boolean;
  /** Null if the account has no trunks. */
  readonly trunks: TrunkLayer | null;
  /** The stored records, the same object while unchanged; null until all are loaded. */
  readonly records: MapRecords | null;
}

export function useMapModel(typed: OpenDraft | null, folding: Folding): MapModel {
  // Deferred: typing does not wait for the layout of thousands of nodes.
  const open = useDeferredValue(typed);
  const { items: records, lists, error: unread, reload } = useRecordsByKind(MAP_RECORDS);
  const trunks = useTrunkLayer(records.trunk.length > 0);
  const error = unread ?? trunks.error;
  // A partial map would show records as missing that are not loaded yet.
  const loading =
    trunks.loading || lists.some(({ state, items }) => state === 'loading' && items.length === 0);
  const draft = useMemo<MenuDraft | null>(() => open && { id: open.id, menu: ivrOf(open.draft) }, [open]);
  const addTrunks = trunks.value?.addTrunks ?? null;
  const whole = useMemo(
    () => makeGraph(loading ? NO_RECORDS : records, draft, addTrunks),
    [records, draft, loading, addTrunks],
  );
  const { graph, shelved, shelf } = useMemo(() => fold(whole, folding), [whole, folding]);
  const layout = useMemo(() => layOut(graph), [graph]);
  return {
    state: error !== null ? 'failed' : loading ? 'loading' : 'ready',
    error,
    reload: trunks.error === null ? reload : trunks.again,
    whole,
    graph,
    layout,
    shelved,
    shelf,
    trunks: trunks.value,
    records: loading ? null : records,
  };
}

/** With the plans of all countries' numbers: only who has a trunk needs it. */
function useTrunkLayer(isWanted: boolean) {
  const asked = useAsk(
    async (signal): Promise<TrunkLayer | null> =>
      isWanted ? (await import('./trunk-layer.ts')).readTrunkLayer(signal) : null,
    [isWanted],
  );
  return { ...asked, loading: isWanted && asked.value === null && asked.error === null };
}
