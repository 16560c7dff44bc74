// The map's data as a hook: records and draft → graph and layout.
import { useDeferredValue, useMemo } from 'react';
import { useRecords } from '../../data/records.ts';
import { type IvrDraft, ivrOf } from '../editor/draft.ts';
import { type MapGraph, type MapRecords, type MenuDraft, makeGraph, NO_RECORDS } from './graph.ts';
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
  const [numbers, menus, hours] = [useRecords('number'), useRecords('ivr'), useRecords('timegroup')];
  const [announcements, departments] = [useRecords('announcement'), useRecords('department')];
  const [agents, boxes] = [useRecords('agent'), useRecords('voicemail')];
  const all = [numbers, menus, hours, announcements, departments, agents, boxes];
  const failed = all.find(({ state }) => state === 'failed');
  // A partial map would show records as missing that are not loaded yet.
  const loading = all.some(({ state, items }) => state === 'loading' && items.length === 0);
  const records = useMemo(
    () => ({
      number: numbers.items,
      ivr: menus.items,
      timegroup: hours.items,
      announcement: announcements.items,
      department: departments.items,
      agent: agents.items,
      voicemail: boxes.items,
    }),
    [
      numbers.items,
      menus.items,
      hours.items,
      announcements.items,
      departments.items,
      agents.items,
      boxes.items,
    ],
  );
  const draft = useMemo<MenuDraft | null>(() => open && { id: open.id, menu: ivrOf(open.draft) }, [open]);
  const graph = useMemo(() => makeGraph(loading ? NO_RECORDS : records, draft), [records, draft, loading]);
  const layout = useMemo(() => layOut(graph), [graph]);
  return {
    state: failed ? 'failed' : loading ? 'loading' : 'ready',
    error: failed?.error ?? null,
    reload: () => {
      for (const { reload } of all) reload();
    },
    graph,
    layout,
    records: loading ? null : records,
  };
}
