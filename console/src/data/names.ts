// The names of destinations: `ivr||main` → “Main menu”.
import { useMemo } from 'react';
import { parkingSpot } from '../../../src/domain/parking-spot.ts';
import {
  type DestinationRecordKind,
  keysOf,
  type RecordKind,
  KINDS as WORDS,
} from '../../../src/kinds/lists.ts';
import { referenceText, splitReference } from '../../../src/kinds/reference.ts';
import { pathTo } from '../router.tsx';
import { useWords, type Words } from '../words/words.tsx';
import { useDeletedNames } from './deleted-names.ts';
import { KINDS, type Kind, type RecordLists, type RecordOf } from './kinds.ts';
import { useRecords, useRecordsByKind } from './records.ts';

export interface Named {
  readonly name: string;
  /** Null for hanging up, an external number, or unknown. */
  readonly kind: Kind | null;
  readonly missing: boolean;
  /** Its page in the console; null: it has none. */
  readonly to: string | null;
}

export type DestinationRecord = DestinationRecordKind;
/** In the order in which they are offered. */
const ORDER: { readonly [K in DestinationRecord]: number } = {
  agent: 1,
  department: 2,
  ivr: 3,
  timegroup: 4,
  announcement: 5,
  voicemail: 6,
  room: 7,
  collect: 8,
  request: 9,
  stream: 10,
  switch: 11,
  message: 12,
  sip_address: 13,
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
  const deleted = useDeletedNames();
  return useMemo(
    () => (reference) => nameReference(reference, found, words, known, deleted),
    [found, words, known, deleted],
  );
}

/** The names of the records of one kind by their ids, of deleted ones too: recordings, trunks, templates. */
export function useNamesOf<K extends RecordKind>(kind: K): (id: string) => string {
  const { items, state } = useRecords(kind);
  const { t } = useWords();
  const deleted = useDeletedNames();
  return useMemo(() => {
    const { idOf, nameOf } = KINDS[kind];
    const names = new Map(items.map((item) => [idOf(item), nameOf(item)]));
    const isKnown = state === 'ready' || items.length > 0;
    const word = WORDS[kind].word ?? kind;
    return (id) => names.get(id) ?? (isKnown ? deletedText(deleted(referenceText(word, id)), t) : '…');
  }, [kind, items, state, deleted, t]);
}

/** For texts of the service, which speak of recordings, too. */
export function useNamesInTexts(): (reference: string) => Named {
  const names = useNames();
  const recording = useNamesOf('recording');
  return useMemo(
    () => (reference) => {
      const { kind, id } = splitReference(reference);
      if (kind !== 'recording') return names(reference);
      return { name: recording(id), kind, missing: false, to: null };
    },
    [names, recording],
  );
}

/** Never an id: people know things by their names. Null: the name is not known. */
export const deletedText = (name: string | null, t: Words['t']): string =>
  name === null || name === '' ? t('kit.deletedName.unknown') : t('kit.deletedName', { name });

export function nameReference(
  reference: string,
  found: ReadonlyMap<string, Named>,
  { t }: Pick<Words, 't'>,
  isKnown = true,
  deletedName: (reference: string) => string | null = () => null,
): Named {
  const { kind, id } = splitReference(reference);
  const known = found.get(`${kind}||${id}`);
  if (known) return known;
  if (kind === 'hangup') {
    const name = id === 'busy' ? t('kit.hangup.busy') : t('kit.hangup');
    return { name, kind: null, missing: false, to: null };
  }
  if (kind === 'number') return { name: t('kit.dial', { number: id }), kind: null, missing: false, to: null };
  const spot = parkingSpot(reference);
  if (spot !== null)
    return { name: t('kit.parkingSpot', { number: spot }), kind: null, missing: false, to: null };
  if (!isKnown) return { name: '…', kind: null, missing: false, to: null };
  return { name: deletedText(deletedName(`${kind}||${id}`), t), kind: null, missing: true, to: null };
}
