// What a destination is called: `ivr||main` → “Main menu”.
import { useMemo } from 'react';
import { splitReference } from '../../../src/domain/reference.ts';
import { pathTo } from '../router.tsx';
import { useWords, type Words } from '../words/words.tsx';
import { KINDS, type Kind, type RecordOf } from './kinds.ts';
import { useRecords } from './records.ts';

export interface Named {
  readonly name: string;
  /** Null: hang up, a number outside, or nothing we know. */
  readonly kind: Kind | null;
  readonly missing: boolean;
  /** Its page in the console; null: it has none. */
  readonly to: string | null;
}

export const DESTINATIONS = ['ivr', 'agent', 'department', 'timegroup', 'announcement', 'voicemail'] as const;
export type DestinationRecord = (typeof DESTINATIONS)[number];

export const referenceOf = <K extends DestinationRecord>(kind: K, record: RecordOf<K>): string =>
  `${KINDS[kind].word}||${KINDS[kind].idOf(record)}`;

/** All records that a call can be sent to, by their reference. */
export function useDestinations(): ReadonlyMap<string, Named> {
  const [menus, agents, departments] = [useRecords('ivr'), useRecords('agent'), useRecords('department')];
  const [hours, announcements, boxes] = [
    useRecords('timegroup'),
    useRecords('announcement'),
    useRecords('voicemail'),
  ];
  return useMemo(() => {
    const found = new Map<string, Named>();
    const add = <K extends DestinationRecord>(kind: K, items: readonly RecordOf<K>[]): void => {
      for (const record of items) {
        const { nameOf, idOf, page } = KINDS[kind];
        const to = pathTo(page, idOf(record));
        found.set(referenceOf(kind, record), { name: nameOf(record), kind, missing: false, to });
      }
    };
    add('ivr', menus.items);
    add('agent', agents.items);
    add('department', departments.items);
    add('timegroup', hours.items);
    add('announcement', announcements.items);
    add('voicemail', boxes.items);
    return found;
  }, [menus.items, agents.items, departments.items, hours.items, announcements.items, boxes.items]);
}

/** Whether all of them are loaded: only then something that is not among them is missing. */
export function useDestinationsKnown(): boolean {
  const lists = [
    useRecords('ivr'),
    useRecords('agent'),
    useRecords('department'),
    useRecords('timegroup'),
    useRecords('announcement'),
    useRecords('voicemail'),
  ];
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
