// A list of small objects, each a row of controls: rules, choices, variables.
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { useWords } from '../../words/words.tsx';
import './rows-field.css';

interface RowsFieldProps<Row> {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | undefined;
  readonly value: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
  readonly fresh: Row;
  readonly max: number;
  readonly row: (row: Row, change: (more: Partial<Row>) => void, index: number) => ReactNode;
}

export function RowsField<Row>({
  label,
  hint,
  fault,
  value,
  onChange,
  fresh,
  max,
  row,
}: RowsFieldProps<Row>) {
  const { t } = useWords();
  const change = (index: number, more: Partial<Row>): void =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...more } : each)));
  return (
    <fieldset className="rows-field">
      <legend>{label}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      {fault && <p className="field-fault">{fault}</p>}
      {value.map((each, index) => (
        // Rows have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands at its place
        <div key={index} className="rows-field-row">
          {row(each, (more) => change(index, more), index)}
          <IconButton
            type="button"
            icon="trash"
            label={t('flow-logic.removeRow', { number: index + 1 })}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {value.length < max && (
        <Button type="button" icon="add" onClick={() => onChange([...value, fresh])}>
          {t('flow-logic.addRow')}
        </Button>
      )}
    </fieldset>
  );
}
