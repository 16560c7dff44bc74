// Whether the account has a number that leads to something: until then its overview is the guide.
import { useDestinations } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { leadsAnywhere } from './progress.ts';

/** Kinds that are no records: nothing has to exist for them. */
const ALWAYS_THERE = ['number||', 'hangup||'];

/** Null: not known yet, or not to be known. */
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
