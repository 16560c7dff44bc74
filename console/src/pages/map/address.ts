// The map's state in the URL: selection, overlay, and simulated call.
import { useMemo } from 'react';
import { go, pathTo, useRoute } from '../../router.tsx';
import { type Range, rangeFault } from '../statistics/range.ts';
import type { NodeId } from './graph.ts';
import { MEASURES, type Measure } from './overlays/statistics.ts';

export const SHOWS = ['plain', 'checks', 'live', 'statistics', 'draft'] as const;
export type Show = (typeof SHOWS)[number];
export const RANGES = [1, 7, 30, 90] as const;

export interface MapAddress {
  readonly selected: NodeId | null;
  readonly show: Show;
  readonly measure: Measure;
  readonly days: number;
  /** A custom range; null: the last `days` days. */
  readonly span: Range | null;
  /** Null if it goes by the width of the window. */
  readonly view: 'picture' | 'outline' | null;
  /** The entry of the simulated call; null: none. */
  readonly trying: NodeId | null;
  /** The call record to replay. */
  readonly replay: string | null;
  /** The JSON pointer of the field to fix in the selected record. */
  readonly field: string | null;
  /** Only what this number leads to. */
  readonly number: NodeId | null;
  /** Only what leads to this department, and what it leads to. */
  readonly department: NodeId | null;
  /** Agents are nodes of their own, not folded into their departments. */
  readonly allAgents: boolean;
  /** What no number leads to is shown. */
  readonly shelf: boolean;
}

const oneOf = <T extends string>(list: readonly T[], text: string | null): T | null =>
  list.find((item) => item === text) ?? null;

export function readMapAddress(parts: readonly string[], query: URLSearchParams): MapAddress {
  const days = Number(query.get('days'));
  const span = { from: query.get('from') ?? '', to: query.get('to') ?? '' };
  return {
    selected: parts[1] ?? null,
    show: oneOf(SHOWS, query.get('show')) ?? 'plain',
    measure: oneOf(MEASURES, query.get('measure')) ?? 'visits',
    days: RANGES.find((range) => range === days) ?? 7,
    span: rangeFault(span) === null ? span : null,
    view: oneOf(['picture', 'outline'], query.get('view')),
    trying: query.get('try'),
    replay: query.get('replay'),
    field: query.get('field'),
    number: query.get('number'),
    department: query.get('department'),
    allAgents: query.get('agents') === 'all',
    shelf: query.get('shelf') === 'open',
  };
}

/** Defaults are not written. */
export function addressText(address: MapAddress): string {
  const query = new URLSearchParams();
  if (address.show !== 'plain') query.set('show', address.show);
  if (address.measure !== 'visits') query.set('measure', address.measure);
  if (address.days !== 7) query.set('days', String(address.days));
  if (address.span !== null) {
    query.set('from', address.span.from);
    query.set('to', address.span.to);
  }
  if (address.view !== null) query.set('view', address.view);
  if (address.trying !== null) query.set('try', address.trying);
  if (address.replay !== null) query.set('replay', address.replay);
  if (address.field !== null) query.set('field', address.field);
  if (address.number !== null) query.set('number', address.number);
  if (address.department !== null) query.set('department', address.department);
  if (address.allAgents) query.set('agents', 'all');
  if (address.shelf) query.set('shelf', 'open');
  const path = address.selected === null ? pathTo('map') : pathTo('map', address.selected);
  return query.size === 0 ? path : `${path}?${query}`;
}

export interface MovableAddress extends MapAddress {
  readonly move: (change: Partial<MapAddress>) => void;
}

export function useMapAddress(): MovableAddress {
  const { parts, query } = useRoute();
  return useMemo(() => {
    const address = readMapAddress(parts, query);
    return {
      ...address,
      // The field to fix belongs to the old selection.
      move: (change) => go(addressText({ ...address, field: null, ...change })),
    };
  }, [parts, query]);
}
