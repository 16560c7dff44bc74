// A choice of destination: a record that takes calls, an external number, or the end of the call. What does not exist yet is
// created in place.
import { useCallback, useMemo, useState } from 'react';
import { useDeletedNames } from '../data/deleted-names.ts';
import {
  DESTINATIONS,
  type DestinationRecord,
  deletedText,
  useDestinations,
  useDestinationsKnown,
} from '../data/names.ts';
import { useWords } from '../words/words.tsx';
import { type CreatedRecord, referenceOfCreated, useCreateInPlace } from './create-in-place.tsx';
import type { FieldProps } from './field.tsx';
import { usePeople } from './people.ts';
import { type Option, Picker } from './picker.tsx';

interface DestinationPickerProps extends FieldProps {
  readonly value: string;
  readonly onChange: (reference: string) => void;
  readonly kinds?: readonly DestinationRecord[];
  readonly allowEmpty?: boolean;
  readonly autoFocus?: boolean;
  readonly placeholder?: string;
}

/** The number that was typed, without spaces and brackets; null: it is none. */
export function dialableIn(text: string): string | null {
  const number = text.replace(/[\s()-]/g, '');
  return /^\+?[0-9*#]{2,32}$/.test(number) ? number : null;
}

export function DestinationPicker({ kinds = DESTINATIONS, ...props }: DestinationPickerProps) {
  const { t } = useWords();
  const records = useRecordOptions(kinds);
  const missing = useMissingOption();
  // Its name, until the list has it.
  const [created, setCreated] = useState<CreatedRecord | null>(null);
  const { creates, dialog } = useCreateInPlace(kinds, (made) => {
    setCreated(made);
    props.onChange(referenceOfCreated(made));
  });
  const options = useMemo<readonly Option[]>(() => {
    const group = t('kit.kind.hangup');
    return [
      ...records,
      { value: 'hangup||hangup', label: t('kit.hangup'), group },
      { value: 'hangup||busy', label: t('kit.hangup.busy'), group },
    ];
  }, [records, t]);
  const also = useMemo(
    () =>
      (text: string): readonly Option[] => {
        const number = dialableIn(text.replace(/^number\|\|/, ''));
        if (number !== null) {
          const label = t('kit.dial', { number });
          return [{ value: `number||${number}`, label, group: t('kit.kind.outside') }];
        }
        if (created && referenceOfCreated(created) === text) return [{ value: text, label: created.name }];
        return missing(text);
      },
    [t, created, missing],
  );
  return (
    <>
      <Picker hint={t('kit.destination.hint')} {...props} options={options} also={also} creates={creates} />
      {dialog}
    </>
  );
}

/** The records that take calls. */
export function useRecordOptions(kinds: readonly DestinationRecord[]): readonly Option[] {
  const { t } = useWords();
  const destinations = useDestinations();
  const personOf = usePeople();
  return useMemo(() => {
    const found: Option[] = [];
    for (const kind of kinds)
      for (const [value, named] of destinations)
        if (named.kind === kind)
          found.push({
            value,
            label: named.name,
            group: t(`kit.kind.${kind}`),
            ...(kind === 'agent' ? personOf(value) : {}),
          });
    return found;
  }, [destinations, kinds, personOf, t]);
}

/** For a reference to a record that is not there, or not loaded yet. */
export function useMissingOption(): (text: string) => readonly Option[] {
  const { t } = useWords();
  const known = useDestinationsKnown();
  const deletedName = useDeletedNames();
  return useCallback(
    (text) =>
      text.includes('||') ? [{ value: text, label: known ? deletedText(deletedName(text), t) : '…' }] : [],
    [t, known, deletedName],
  );
}
