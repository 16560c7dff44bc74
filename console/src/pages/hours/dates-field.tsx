import { Button, IconButton } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { movedTo } from '../departments/order.ts';
import type { DateDraft } from './hours-draft.ts';

interface DatesFieldProps {
  readonly value: readonly DateDraft[];
  readonly onChange: (dates: readonly DateDraft[]) => void;
  readonly faultAt: (pointer: string) => string | undefined;
}

export function DatesField({ value, onChange, faultAt }: DatesFieldProps) {
  const { t, hinted } = useWords();
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
                <TextField
                  label={t('hours.exception.from')}
                  hint={t('hours.exception.day')}
                  value={date.from}
                  onChange={(from) => change(index, { from })}
                  fault={faultAt(`${at}/from`)}
                  placeholder="2026-12-24"
                />
                <TextField
                  {...hinted('hours.exception.to')}
                  value={date.to}
                  onChange={(to) => change(index, { to })}
                  fault={faultAt(`${at}/to`)}
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
      <div>
        <Button icon="add" onClick={() => onChange([...value, { name: '', from: '', to: '', times: '' }])}>
          {t('hours.exceptions.add')}
        </Button>
      </div>
    </>
  );
}
