// Which figures the map shows, and of which days.
import { useEffect, useState } from 'react';
import { SelectField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { lastDays, MAX_DAYS, type Range, rangeFault } from '../statistics/range.ts';
import { type MovableAddress, RANGES } from './address.ts';
import { MEASURES } from './overlays/statistics.ts';

const OWN = 'own';

/** Any two days. An incomplete date does not apply. */
function Span({ span, onChange }: { readonly span: Range; readonly onChange: (span: Range) => void }) {
  const { t } = useWords();
  const [draft, setDraft] = useState(span);
  useEffect(() => setDraft(span), [span]);
  const found = rangeFault(draft);
  const change = (next: Range): void => {
    setDraft(next);
    if (rangeFault(next) === null) onChange(next);
  };
  return (['from', 'to'] as const).map((end) => (
    <TextField
      key={end}
      type="date"
      label={t(`statistics.range.${end}`)}
      hideLabel
      title={t(`statistics.range.${end}`)}
      value={draft[end]}
      fault={found?.field === end ? t(`statistics.range.${found.fault}`, { most: MAX_DAYS }) : undefined}
      onChange={(day) => change({ ...draft, [end]: day })}
    />
  ));
}

export function StatisticsChoice({ address }: { readonly address: MovableAddress }) {
  const { t } = useWords();
  return (
    <>
      <SelectField
        label={t('map.measure')}
        hideLabel
        value={address.measure}
        options={MEASURES.map((value) => ({ value, label: t(`map.measure.${value}`) }))}
        onChange={(measure) => address.move({ measure })}
      />
      <SelectField
        label={t('map.range')}
        hideLabel
        value={address.span ? OWN : String(address.days)}
        options={[
          ...RANGES.map((count) => ({ value: String(count), label: t('map.range.days', { count }) })),
          { value: OWN, label: t('map.range.own') },
        ]}
        onChange={(chosen) =>
          address.move(
            chosen === OWN ? { span: lastDays(address.days) } : { days: Number(chosen), span: null },
          )
        }
      />
      {address.span && <Span span={address.span} onChange={(span) => address.move({ span })} />}
      <p className={`map-legend map-about-${address.measure}`} aria-hidden="true">
        {t('map.legend.few')}
        {[1, 2, 3, 4, 5].map((shade) => (
          <span key={shade} className={`map-shade map-mark-heat-${shade}`} />
        ))}
        {t('map.legend.many')}
      </p>
    </>
  );
}
