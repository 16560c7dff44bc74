// Whether the account has a number that leads somewhere: until then the guide replaces the overview.
import { useDestinations } from '../../data/names.ts';
import { useRecordsByKind } from '../../data/records.ts';
import { MAP_RECORDS } from '../map/graph.ts';
import { leadsAnywhere } from './progress.ts';

/** Destinations without a record. */
const ALWAYS_THERE = ['number||', 'hangup||'];

/** Null: not loaded, or failed. */
export function useRings(): boolean | null {
  const { items, lists } = useRecordsByKind(MAP_RECORDS);
  const found = useDestinations();
  if (lists.some(({ state }) => state !== 'ready')) return null;
  return leadsAnywhere(
    items.number,
    (reference) => found.has(reference) || ALWAYS_THERE.some((kind) => reference.startsWith(kind)),
  );
}
