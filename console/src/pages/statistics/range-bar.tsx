import { useEffect, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { MAX_DAYS, PRESETS, presetOf, presetRange, type Range, rangeFault } from './range.ts';

interface RangeBarProps {
  readonly range: Range;
  readonly today: string;
  readonly onChange: (range: Range) => void;
}

export function RangeBar({ range, today, onChange }: RangeBarProps) {
  const { t } = useWords();
  const [draft, setDraft] = useState(range);
  useEffect(() => setDraft(range), [range]);
  const preset = presetOf(range, today);
  const found = rangeFault(draft);
  const fault = (field: 'from' | 'to'): string | undefined =>
    found?.field === field ? t(`statistics.range.${found.fault}`, { most: MAX_DAYS }) : undefined;
  const change = (next: Range): void => {
    setDraft(next);
    if (rangeFault(next) === null) onChange(next);
  };
  return (
    <fieldset className="statistics-range">
      <legend className="unseen">{t('statistics.range')}</legend>
      <div className="statistics-presets">
        {PRESETS.map((each) => (
          <Button
            key={each}
            kind={each === preset ? 'primary' : 'plain'}
            aria-pressed={each === preset}
            onClick={() => change(presetRange(each, today))}
          >
            {t(`statistics.range.${each}`)}
          </Button>
        ))}
      </div>
      <TextField
        type="date"
        label={t('statistics.range.from')}
        value={draft.from}
        max={draft.to < today ? draft.to : today}
        fault={fault('from')}
        onChange={(from) => change({ ...draft, from })}
      />
      <TextField
        type="date"
        label={t('statistics.range.to')}
        value={draft.to}
        max={today}
        fault={fault('to')}
        onChange={(to) => change({ ...draft, to })}
      />
    </fieldset>
  );
}
