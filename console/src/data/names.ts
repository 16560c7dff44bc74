// The names of destinations: `ivr||main` → “Main menu”.
import { useMemo } from 'react';
import { type DestinationRecordKind, keysOf, KINDS as WORDS } from '../../../src/domain/kinds.ts';
import { referenceText, splitReference } from '../../../src/domain/reference.ts';
import { pathTo } from '../router.tsx';
import { useWords, type Words } from '../words/words.tsx';
import { KINDS, type Kind, type RecordLists, type RecordOf } from './kinds.ts';
import { useRecordsByKind } from './records.ts';

export interface Named {
  readonly name: string;
  /** Null: hang up, an external number, or unknown. */
  readonly kind: Kind | null;
  readonly missing: boolean;
  /** Its page in the console; null: it has none. */
  readonly to: string | null;
}

export type DestinationRecord = DestinationRecordKind;
/** In the order in which they are offered. */
const ORDER: { readonly [K in DestinationRecord]: number } = {
  ivr: 1,
  agent: 2,
  department: 3,
  timegroup: 4,
  announcement: 5,
  voicemail: 6,
  room: 7,
};
export const DESTINATIONS = keysOf(ORDER).toSorted((one, other) => ORDER[one] - ORDER[other]);

export const referenceOf = <K extends DestinationRecord>(kind: K, record: RecordOf<K>): string =>
  referenceText(WORDS[kind].word, KINDS[kind].idOf(record));

/** All records that a call can be sent to, by their reference. */
export function useDestinations(): ReadonlyMap<string, Named> {
  const { items } = useRecordsByKind(DESTINATIONS);
  return useMemo(() => {
    const found = new Map<string, Named>();
    for (const kind of DESTINATIONS) addNames(kind, items, found);
    return found;
  }, [items]);
}

function addNames<K extends DestinationRecord>(
  kind: K,
  items: RecordLists<DestinationRecord>,
  found: Map<string, Named>,
): void {
  const { nameOf, idOf, page } = KINDS[kind];
  for (const record of items[kind]) {
    const to = pathTo(page, idOf(record));
    found.set(referenceOf(kind, record), { name: nameOf(record), kind, missing: false, to });
  }
}

/** Whether all of them are loaded: only then an unknown reference is missing. */
export function useDestinationsKnown(): boolean {
  const { lists } = useRecordsByKind(DESTINATIONS);
  return lists.every(({ state, items }) => state === 'ready' || items.length > 0);
}

export function useNames(): (reference: string) => Named {
  const found = useDestinations();
  const known = useDestinationsKnown();
  const words = useWords();
  return useMemo(() => (reference) => nameReference(reference, found, words, known), [found, words, known]);
}

export function nameReference(
  reference: string,
  found: ReadonlyMap<string, Named>,
  { t }: Pick<Words, 't'>,
  isKnown = true,
): Named {
  const { kind, id } = splitReference(reference);
  const known = found.get(`${kind}||${id}`);
  if (known) return known;
  if (kind === 'hangup') {
    const name = id === 'busy' ? t('kit.hangup.busy') : t('kit.hangup');
    return { name, kind: null, missing: false, to: null };
  }
  if (kind === 'number') return { name: t('kit.dial', { number: id }), kind: null, missing: false, to: null };
  if (!isKnown) return { name: id || reference, kind: null, missing: false, to: null };
  return { name: t('kit.missing', { name: id || reference }), kind: null, missing: true, to: null };
}
