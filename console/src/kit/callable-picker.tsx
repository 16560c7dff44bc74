// A choice of what a caller from outside can reach: a number of the account, or a record that takes calls. Neither outside numbers nor the
// end of a call.
import { useMemo } from 'react';
import { DESTINATIONS } from '../data/names.ts';
import { useRecords } from '../data/records.ts';
import { useWords } from '../words/words.tsx';
import { useMissingOption, useRecordOptions } from './destination-picker.tsx';
import type { FieldProps } from './field.tsx';
import { type Option, Picker } from './picker.tsx';

interface CallablePickerProps extends FieldProps {
  /** A number, or a reference such as ivr||main. */
  readonly value: string;
  readonly onChange: (to: string, name: string) => void;
}

export function CallablePicker({ onChange, ...props }: CallablePickerProps) {
  const { t } = useWords();
  const numbers = useRecords('number').items;
  const records = useRecordOptions(DESTINATIONS);
  const options = useMemo<readonly Option[]>(
    () => [
      ...numbers.map(({ number, description }) => ({
        value: number,
        label: number,
        note: description,
        group: t('shell.page.numbers'),
      })),
      ...records,
    ],
    [numbers, records, t],
  );
  return (
    <Picker
      {...props}
      options={options}
      also={useMissingOption()}
      onChange={(to) => onChange(to, options.find(({ value }) => value === to)?.label ?? to)}
    />
  );
}
