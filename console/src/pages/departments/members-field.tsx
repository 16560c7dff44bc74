// The members of a department, in order: moved by buttons or by dragging.
import { useMemo, useState } from 'react';
import { useDeletedNames } from '../../data/deleted-names.ts';
import { deletedText } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { IconButton } from '../../kit/button.tsx';
import { useCreateInPlace } from '../../kit/create-in-place.tsx';
import { usePeopleOptions } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import type { BoundField } from '../records/record-form.ts';
import { movedTo } from './order.ts';

const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);

const AGENT = ['agent'] as const;

interface MembersFieldProps extends BoundField<readonly string[]> {
  readonly levels: BoundField<Readonly<Record<string, number>>>;
}

export function MembersField({ value, onChange, fault, levels }: MembersFieldProps) {
  const { t } = useWords();
  const { items } = useRecords('agent');
  const people = usePeopleOptions();
  const [dragged, setDragged] = useState<number | null>(null);
  const byEid = useMemo(() => new Map(items.map((agent) => [agent.eid, agent])), [items]);
  const options = people.filter((option) => !value.includes(option.value));
  const newAgent = useCreateInPlace(AGENT, ({ id }) => onChange([...value, id]));
  const deletedName = useDeletedNames();
  const nameOf = (eid: string) => byEid.get(eid)?.name ?? deletedText(deletedName(`extension||${eid}`), t);
  const move = (from: number, to: number) => onChange(movedTo(value, from, to));
  return (
    <>
      {value.length === 0 && <p className="records-quiet">{t('departments.agents.none')}</p>}
      <ol className="records-list" aria-label={t('departments.agents')}>
        {value.map((eid, index) => (
          <li
            key={eid}
            className={`records-item ${dragged === index ? 'records-dragged' : ''}`}
            draggable
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              if (dragged !== index) {
                move(dragged, index);
                setDragged(index);
              }
            }}
          >
            <span className="records-item-main">
              {index + 1}. {nameOf(eid)} <small className="records-quiet">{byEid.get(eid)?.intercom}</small>
            </span>
            <span className="records-item-actions">
              <select
                aria-label={t('departments.level', { name: nameOf(eid) })}
                value={levels.value[eid] ?? 1}
                onChange={({ target }) => levels.onChange({ ...levels.value, [eid]: Number(target.value) })}
              >
                {LEVELS.map((level) => (
                  <option key={level} value={level}>
                    {t('departments.level.n', { level })}
                  </option>
                ))}
              </select>
              <IconButton
                icon="up"
                label={t('records.moveUp', { name: nameOf(eid) })}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                icon="down"
                label={t('records.moveDown', { name: nameOf(eid) })}
                disabled={index === value.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <IconButton
                icon="close"
                label={t('records.removeItem', { name: nameOf(eid) })}
                onClick={() => onChange(value.filter((each) => each !== eid))}
              />
            </span>
          </li>
        ))}
      </ol>
      <Picker
        label={t('departments.agents.add')}
        value=""
        onChange={(eid) => eid !== '' && onChange([...value, eid])}
        options={options}
        creates={newAgent.creates}
        fault={fault}
      />
      {newAgent.dialog}
    </>
  );
}
