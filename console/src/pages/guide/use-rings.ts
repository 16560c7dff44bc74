// Whether the account has a number that leads somewhere: until then the guide replaces the overview.
import { DESTINATION_RECORD_KINDS } from '../../../../src/kinds/lists.ts';
import { useDestinations } from '../../data/names.ts';
import { useRecordsByKind } from '../../data/records.ts';
import { leadsAnywhere } from './progress.ts';

const KINDS = ['number', ...DESTINATION_RECORD_KINDS] as const;
/** Destinations without a record. */
const ALWAYS_THERE = ['number||', 'hangup||'];

/** Null if not loaded, or failed. */
export function useRings(): boolean | null {
  const { items, lists } = useRecordsByKind(KINDS);
  const found = useDestinations();
  if (lists.some(({ state }) => state !== 'ready')) return null;
  return leadsAnywhere(
    items.number,
    (reference) => found.has(reference) || ALWAYS_THERE.some((kind) => reference.startsWith(kind)),
  );
}
