// A choice of destination: a record that takes calls, an external number, or the end of the call.
import { useMemo } from 'react';
import {
  DESTINATIONS,
  type DestinationRecord,
  useDestinations,
  useDestinationsKnown,
} from '../data/names.ts';
import { useWords } from '../words/words.tsx';
import type { FieldProps } from './field.tsx';
import { type Option, Picker } from './picker.tsx';

interface DestinationPickerProps extends FieldProps {
  readonly value: string;
  readonly onChange: (reference: string) => void;
  readonly kinds?: readonly DestinationRecord[];
  readonly allowEmpty?: boolean;
  readonly autoFocus?: boolean;
}

const isDialable = (text: string): boolean => /^\+?[0-9*#]{2,32}$/.test(text);

export function DestinationPicker({ kinds = DESTINATIONS, ...props }: DestinationPickerProps) {
  const { t } = useWords();
  const destinations = useDestinations();
  const known = useDestinationsKnown();
  const options = useMemo<readonly Option[]>(() => {
    const found: Option[] = [];
    for (const kind of kinds)
      for (const [value, named] of destinations)
        if (named.kind === kind)
          found.push({
            value,
            label: named.name,
            group: t(`kit.kind.${kind}`),
            note: value.split('||')[1] ?? '',
          });
    const ends = t('kit.kind.hangup');
    found.push({ value: 'hangup||hangup', label: t('kit.hangup'), group: ends });
    found.push({ value: 'hangup||busy', label: t('kit.hangup.busy'), group: ends });
    return found;
  }, [destinations, kinds, t]);
  const also = useMemo(
    () =>
      (text: string): readonly Option[] => {
        const number = text.startsWith('number||')
          ? text.slice('number||'.length)
          : text.replace(/[\s()-]/g, '');
        if (isDialable(number)) {
          const label = t('kit.dial', { number });
          return [{ value: `number||${number}`, label, group: t('kit.kind.outside') }];
        }
        // A missing destination is shown by its id.
        const [, id] = text.split('||');
        return id === undefined ? [] : [{ value: text, label: known ? t('kit.missing', { name: id }) : id }];
      },
    [t, known],
  );
  return <Picker hint={t('kit.destination.hint')} {...props} options={options} also={also} />;
}
