// Calls by day and hour: a table whose cells are shaded, each a link to the calls behind it.
import { useMemo, useState } from 'react';
import { SelectField } from '../../kit/field.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import type { AccountStatistics } from './chart-model.ts';
import { HEAT_MEASURES, type HeatCell, type HeatMeasure, heatOf } from './heat-model.ts';
import { dayName, hourName, shortDayName } from './names.ts';

export function HeatMap({ hours }: { readonly hours: AccountStatistics['data'] }) {
  const { t, language } = useWords();
  const [measure, setMeasure] = useState<HeatMeasure>('calls');
  const { rows, firstHour, lastHour } = useMemo(() => heatOf(hours, measure), [hours, measure]);
  const columns = Array.from({ length: lastHour - firstHour + 1 }, (_, index) => firstHour + index);
  return (
    <>
      <SelectField
        label={t('statistics.heat.measure')}
        value={measure}
        onChange={(value) => setMeasure(HEAT_MEASURES.find((each) => each === value) ?? 'calls')}
        options={HEAT_MEASURES.map((value) => ({ value, label: t(`statistics.heat.${value}`) }))}
      />
      <div className="statistics-heat">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('statistics.chart.day')}</th>
              {columns.map((hour) => (
                <th key={hour} scope="col">
                  <abbr title={hourName(language, String(hour))}>{hour}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ day, cells }) => (
              <tr key={day}>
                <th scope="row" title={dayName(language, day)}>
                  {shortDayName(language, day)}
                </th>
                {columns.map((hour) => (
                  <Cell key={hour} day={day} hour={hour} cell={cells[hour] ?? null} measure={measure} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface CellProps {
  readonly day: string;
  readonly hour: number;
  readonly cell: HeatCell | null;
  readonly measure: HeatMeasure;
}

const FILTER: Readonly<Record<HeatMeasure, string>> = {
  calls: '',
  abandoned: '&queue=abandoned',
  service_level: '&queue=any',
};

function Cell({ day, hour, cell, measure }: CellProps) {
  const { t, number, percent, language } = useWords();
  if (cell === null || cell.value === null) return <td />;
  const value = measure === 'service_level' ? percent(cell.value) : number(cell.value);
  const span = `from=${encodeURIComponent(cell.from)}&to=${encodeURIComponent(cell.to)}`;
  return (
    <td data-level={cell.level}>
      {cell.calls === 0 ? (
        <span>{value}</span>
      ) : (
        <Link
          to={`/calls?${span}${FILTER[measure]}`}
          aria-label={t('statistics.heat.cell', {
            day: dayName(language, day),
            hour: hourName(language, String(hour)),
            measure: t(`statistics.heat.${measure}`),
            value,
          })}
        >
          {value}
        </Link>
      )}
    </td>
  );
}
