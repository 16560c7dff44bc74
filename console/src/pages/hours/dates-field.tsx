import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from '../../kit/button.tsx';
import { CheckField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { movedTo } from '../departments/order.ts';
import { dayOf, fieldOf, isYearly, turned } from './days.ts';
import { HolidaysDialog } from './holidays-dialog.tsx';
import type { DateDraft } from './hours-draft.ts';
import { withHolidays } from './national-holidays.ts';

interface DatesFieldProps {
  readonly value: readonly DateDraft[];
  readonly onChange: (dates: readonly DateDraft[]) => void;
  readonly faultAt: (pointer: string) => string | undefined;
}

export function DatesField({ value, onChange, faultAt }: DatesFieldProps) {
  const { t, hinted } = useWords();
  const [choosing, setChoosing] = useState(false);
  const change = (at: number, more: Partial<DateDraft>) =>
    onChange(value.map((date, index) => (index === at ? { ...date, ...more } : date)));
  return (
    <>
      {value.length === 0 && <p className="records-quiet">{t('hours.exceptions.none')}</p>}
      <ol className="records-list" aria-label={t('hours.exceptions')}>
        {value.map((date, index) => {
          const at = `/exceptions/${index}`;
          const name = date.name || t('hours.exception', { number: index + 1 });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: dates have no other name while they are written
            <li key={index} className="records-item">
              <div className="records-columns records-item-main">
                <TextField
                  label={t('hours.exception.name')}
                  value={date.name}
                  onChange={(text) => change(index, { name: text })}
                  fault={faultAt(`${at}/name`)}
                />
                <DayFields
                  date={date}
                  onChange={(more) => change(index, more)}
                  faultAt={(member) => faultAt(`${at}/${member}`)}
                />
                <TextField
                  {...hinted('hours.exception.times')}
                  value={date.times}
                  onChange={(times) => change(index, { times })}
                  fault={faultAt(`${at}/hours`)}
                />
              </div>
              <div className="records-item-actions">
                <IconButton
                  icon="up"
                  label={t('records.moveUp', { name })}
                  disabled={index === 0}
                  onClick={() => onChange(movedTo(value, index, index - 1))}
                />
                <IconButton
                  icon="down"
                  label={t('records.moveDown', { name })}
                  disabled={index === value.length - 1}
                  onClick={() => onChange(movedTo(value, index, index + 1))}
                />
                <IconButton
                  icon="trash"
                  label={t('records.removeItem', { name })}
                  onClick={() => onChange(value.filter((_, other) => other !== index))}
                />
              </div>
            </li>
          );
        })}
      </ol>
      <div className="records-choices">
        <Button icon="add" onClick={() => onChange([...value, { name: '', from: '', to: '', times: '' }])}>
          {t('hours.exceptions.add')}
        </Button>
        <Button icon="hours" onClick={() => setChoosing(true)}>
          {t('hours.national')}
        </Button>
      </div>
      {choosing &&
        createPortal(
          <HolidaysDialog
            onClose={() => setChoosing(false)}
            onAdd={(holidays) => {
              setChoosing(false);
              onChange(withHolidays(value, holidays));
            }}
          />,
          // The form of the page cannot hold the dialog's own.
          document.querySelector('.shell') ?? document.body,
        )}
    </>
  );
}

interface DayFieldsProps {
  readonly date: DateDraft;
  readonly onChange: (more: Partial<DateDraft>) => void;
  readonly faultAt: (member: 'from' | 'to') => string | undefined;
}

function DayFields({ date, onChange, faultAt }: DayFieldsProps) {
  const { t, hinted } = useWords();
  const [yearly, setYearly] = useState(() => isYearly(date.from));
  const year = new Date().getFullYear();
  return (
    <>
      <TextField
        label={t('hours.exception.from')}
        type="date"
        value={fieldOf(date.from, year)}
        onChange={(text) => onChange({ from: dayOf(text, yearly) })}
        fault={faultAt('from')}
      />
      <TextField
        {...hinted('hours.exception.to')}
        type="date"
        value={fieldOf(date.to, year)}
        onChange={(text) => onChange({ to: dayOf(text, yearly) })}
        fault={faultAt('to')}
      />
      <CheckField
        label={t('hours.exception.yearly')}
        value={yearly}
        onChange={(on) => {
          setYearly(on);
          onChange({ from: turned(date.from, on, year), to: turned(date.to, on, year) });
        }}
      />
    </>
  );
}
