// Whether the account has a number that leads somewhere: until then the guide replaces the overview.
import { useDestinations } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { leadsAnywhere } from './progress.ts';

/** Destinations without a record. */
const ALWAYS_THERE = ['number||', 'hangup||'];

/** Null: not loaded, or failed. */
export function useRings(): boolean | null {
  const numbers = useRecords('number');
  const others = [
    useRecords('ivr'),
    useRecords('agent'),
    useRecords('department'),
    useRecords('timegroup'),
    useRecords('announcement'),
    useRecords('voicemail'),
  ];
  const found = useDestinations();
  if ([numbers, ...others].some(({ state }) => state !== 'ready')) return null;
  return leadsAnywhere(
    numbers.items,
    (reference) => found.has(reference) || ALWAYS_THERE.some((kind) => reference.startsWith(kind)),
  );
}
