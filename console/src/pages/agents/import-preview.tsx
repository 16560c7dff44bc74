// A preview of each row. A faulty cell can be edited.
import { useId, useState } from 'react';
import { Badge } from '../../kit/badge.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { CheckField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useWords } from '../../words/words.tsx';
import {
  type Column,
  type Missing,
  type PlannedRow,
  type Sheet,
  withCell,
  withoutRow,
} from './agents-import.ts';

interface ImportPreviewProps {
  readonly sheet: Sheet;
  readonly plan: readonly PlannedRow[];
  readonly missing: Missing;
  readonly creates: boolean;
  readonly onCreates: (creates: boolean) => void;
  readonly onChange: (sheet: Sheet) => void;
  readonly onStart: () => void;
  readonly onCancel: () => void;
}

const TONES = { new: 'good', there: 'neutral', faulty: 'bad' } as const;

export function ImportPreview({
  sheet,
  plan,
  missing,
  creates,
  onCreates,
  onChange,
  onStart,
  onCancel,
}: ImportPreviewProps) {
  const { t } = useWords();
  const [only, setOnly] = useState(false);
  const count = (state: PlannedRow['state']) => plan.filter((row) => row.state === state).length;
  const faulty = count('faulty');
  const fresh = count('new');
  const leaveOut = () =>
    onChange(
      plan.filter(({ state }) => state === 'faulty').reduce((now, { line }) => withoutRow(now, line), sheet),
    );
  return (
    <>
      <div role="status" className="import-summary">
        {sheet.ignored.length > 0 && (
          <Notice tone="info">{t('import.ignored', { names: sheet.ignored.slice(0, 20).join(', ') })}</Notice>
        )}
        {fresh > 0 && <Notice tone="good">{t('import.ready', { count: fresh })}</Notice>}
        {count('there') > 0 && <Notice tone="info">{t('import.there', { count: count('there') })}</Notice>}
        {faulty > 0 && <Notice tone="warn">{t('import.faulty', { count: faulty })}</Notice>}
      </div>
      {missing.teams.length + missing.departments.length > 0 && (
        <Notice tone="info">
          {missing.teams.length > 0 && (
            <p>{t('import.missing.teams', { names: missing.teams.slice(0, 20).join(', ') })}</p>
          )}
          {missing.departments.length > 0 && (
            <p>{t('import.missing.departments', { names: missing.departments.slice(0, 20).join(', ') })}</p>
          )}
          <CheckField label={t('import.missing.create')} value={creates} onChange={onCreates} />
        </Notice>
      )}
      <div className="import-bar">
        <Button kind="primary" disabled={faulty > 0 || fresh === 0} onClick={onStart}>
          {t('import.start', { count: fresh })}
        </Button>
        <Button onClick={onCancel}>{t('import.choose')}</Button>
        {faulty > 0 && <Button onClick={leaveOut}>{t('import.leaveOutAll')}</Button>}
        {faulty > 0 && <CheckField label={t('import.onlyFaulty')} value={only} onChange={setOnly} />}
      </div>
      <Table
        label={t('import.preview')}
        rows={only && faulty > 0 ? plan.filter(({ state }) => state === 'faulty') : plan}
        rowKey={({ line }) => String(line)}
        columns={[
          { key: 'line', label: t('import.line'), value: ({ line }) => line, number: true },
          ...sheet.columns.map((column) => ({
            key: column,
            label: t(`import.column.${column}`),
            value: ({ cells }: PlannedRow) => cells[column],
            render: (row: PlannedRow) => (
              <EditableCell
                row={row}
                column={column}
                onFix={(text) => onChange(withCell(sheet, row.line, column, text))}
              />
            ),
          })),
          {
            key: 'state',
            label: t('import.state'),
            value: ({ state }) => t(`import.state.${state}`),
            render: ({ state, namesake }) => (
              <>
                <Badge tone={TONES[state]}>{t(`import.state.${state}`)}</Badge>
                {namesake && <p className="field-hint">{t('import.namesake')}</p>}
              </>
            ),
          },
        ]}
        actions={({ line }) => (
          <IconButton
            icon="trash"
            label={t('import.leaveOut', { line })}
            onClick={() => onChange(withoutRow(sheet, line))}
          />
        )}
      />
    </>
  );
}

interface EditableCellProps {
  readonly row: PlannedRow;
  readonly column: Column;
  readonly onFix: (text: string) => void;
}

/** Applied on blur: the field disappears once its value is valid. */
function EditableCell({ row, column, onFix }: EditableCellProps) {
  const { t } = useWords();
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const stored = row.cells[column];
  const faults = row.faults.filter((fault) => fault.column === column);
  if (faults.length === 0) return <span>{stored}</span>;
  const label = t('import.cell', { column: t(`import.column.${column}`), line: row.line });
  const take = (): void => {
    if (text !== null && text.trim() !== stored) onFix(text.trim());
    setText(null);
  };
  return (
    <div className="import-cell">
      <input
        type="text"
        aria-label={label}
        aria-invalid="true"
        aria-describedby={id}
        value={text ?? stored}
        onChange={({ target }) => setText(target.value)}
        onBlur={take}
        onKeyDown={({ key }) => key === 'Enter' && take()}
      />
      <span id={id} className="field-fault">
        {faults.map(({ code, line }) => t(`import.row.${code}`, { line: line ?? 0 })).join(' ')}
      </span>
    </div>
  );
}
