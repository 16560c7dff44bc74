// The week: a grid to paint, and a field with exact times for each day.
import { useMemo, useState } from 'react';
import type { WeeklyTime } from '../../../../src/kinds/time-group.ts';
import { WEEKDAYS } from '../../../../src/kinds/weekdays.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import type { BoundField } from '../records/record-form.ts';
import { EMPTY_WEEK, hoursOpen, rulesOf, timesOn, type Week, weekOf, withTimes } from './week-grid.ts';
import { WeekGrid } from './week-grid.tsx';

export const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;

interface WeekFieldProps extends BoundField<readonly WeeklyTime[]> {
  /** Days whose text cannot be read. */
  readonly wrong: readonly number[];
  readonly onWrong: (days: readonly number[]) => void;
}

export function WeekField({ value, onChange, fault, wrong, onWrong }: WeekFieldProps) {
  const { t, number } = useWords();
  const week = useMemo(() => weekOf(value), [value]);
  const [texts, setTexts] = useState<Readonly<Record<number, string>>>({});
  const change = (next: Week): void => {
    onChange(rulesOf(next));
    setTexts({});
    onWrong([]);
  };
  const write = (day: number, text: string): void => {
    setTexts((now) => ({ ...now, [day]: text }));
    const next = withTimes(week, day, text);
    const others = wrong.filter((each) => each !== day);
    onWrong(next === null ? [...others, day] : others);
    if (next !== null) onChange(rulesOf(next));
  };
  /** A valid text is replaced by its normal form. */
  const settle = (day: number): void => {
    if (!wrong.includes(day)) setTexts(({ [day]: _, ...rest }) => rest);
  };
  const office: WeeklyTime = { days: WEEKDAYS.slice(0, 5), from: '09:00', to: '17:00' };
  const always: WeeklyTime = { days: [...WEEKDAYS], from: '00:00', to: '24:00' };
  return (
    <>
      <div className="records-choices">
        <Button onClick={() => change(weekOf([office]))}>{t('hours.office')}</Button>
        <Button onClick={() => change(weekOf([always]))}>{t('hours.openAll')}</Button>
        <Button onClick={() => change(EMPTY_WEEK)}>{t('hours.closeAll')}</Button>
      </div>
      <WeekGrid week={week} onChange={change} />
      <p className="field-hint" role="status">
        {t('hours.open.total', { hours: number(hoursOpen(week)) })}
      </p>
      {fault !== undefined && <p className="field-fault">{fault}</p>}
      <fieldset className="hours-exact">
        <legend className="field-label">{t('hours.exact')}</legend>
        <p className="field-hint">{t('hours.exact.hint')}</p>
        {DAYS.map((day) => (
          <TextField
            key={day}
            label={t(`hours.day.${day}`)}
            value={texts[day] ?? timesOn(week, day)}
            onChange={(text) => write(day, text)}
            onBlur={() => settle(day)}
            fault={wrong.includes(day) ? t('hours.exact.fault') : undefined}
          />
        ))}
      </fieldset>
    </>
  );
}
