import { type ReactNode, useId, useMemo } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { go, Link, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { BarChart } from './bar-chart.tsx';
import { barsByDay, barsByHour } from './chart-model.ts';
import { Download } from './download.tsx';
import { Figures, Outcomes, QueueFigures } from './figures.tsx';
import { HeatMap } from './heat-map.tsx';
import { Lost } from './lost.tsx';
import { dayName, hourName, shortDayName, shortHourName } from './names.ts';
import {
  apiSpan,
  comparedSpans,
  dayOf,
  daysIn,
  hourRange,
  type Range,
  rangeOfQuery,
  rangeQuery,
  viewerZone,
} from './range.ts';
import { RangeBar } from './range-bar.tsx';
import { AgentTable, DepartmentTable, MenuTable, StepTable } from './tables.tsx';
import './statistics.css';

export function Page() {
  const { t } = useWords();
  const { query } = useRoute();
  const zone = viewerZone();
  const today = dayOf(new Date(), zone);
  const range = useMemo(() => rangeOfQuery(query, today), [query, today]);
  return (
    <Frame title={t('statistics.title')} intro={t('statistics.intro', { zone })}>
      <RangeBar
        range={range}
        today={today}
        onChange={(next) => go(`/statistics?${rangeQuery(next)}`, { replace: true })}
      />
      <Download range={range} zone={zone} />
      <Figured range={range} zone={zone} />
    </Frame>
  );
}

/** Charts, outcomes and tables of one range. The old figures stay until the new ones are loaded. */
function Figured({ range, zone }: { readonly range: Range; readonly zone: string }) {
  const { t } = useWords();
  const { value, error, loading, again } = useAsk(
    async (signal) => {
      const span = apiSpan(range, zone);
      const hours = apiSpan(hourRange(range), zone);
      const compared = comparedSpans(range, zone, new Date());
      const totalsOf = async (of: ReturnType<typeof apiSpan> | undefined | null) =>
        of ? (await client.getStatistics({ query: { ...of, by: 'none' }, signal })).totals : undefined;
      const [days, byHour, menus, before, like] = await Promise.all([
        client.getStatistics({ query: { ...span, by: 'day' }, signal }),
        client.getStatistics({ query: { ...hours, by: 'hour' }, signal }),
        client.listIvrStatistics({ query: span, signal }),
        totalsOf(compared?.before),
        totalsOf(compared?.now),
      ]);
      return { days, byHour, menus, before, like };
    },
    [range.from, range.to, zone],
  );
  if (error) return <Failure error={error} onAgain={again} />;
  if (!value) return <Loading />;
  if (value.days.totals.calls === 0)
    return (
      <Empty
        icon="statistics"
        title={t('statistics.empty.title')}
        text={t('statistics.empty.text')}
        action={
          <Link to="/start" className="button button-primary">
            {t('statistics.empty.action')}
          </Link>
        }
      />
    );
  const { days, byHour, menus, before, like } = value;
  const query = rangeQuery(range);
  return (
    <div className="statistics-all" aria-busy={loading}>
      <Figures totals={days.totals} before={before} like={like} query={query} />
      {days.totals.queue.calls > 0 && (
        <Part title={t('statistics.queues')} wide>
          <QueueFigures
            totals={days.totals}
            before={before}
            like={like}
            query={query}
            seconds={days.service_level_seconds}
          />
        </Part>
      )}
      <Part title={t('statistics.departments')} wide table>
        <DepartmentTable departments={days.departments} query={query} />
      </Part>
      <Part title={t('statistics.agents')} wide table>
        <AgentTable agents={days.agents} query={query} />
      </Part>
      <Charts days={days.data} hours={byHour.data} range={range} />
      <Part title={t('statistics.heat')} wide>
        <HeatMap hours={byHour.data} />
      </Part>
      <Part title={t('statistics.lost')} wide>
        <Lost menus={menus} range={range} />
      </Part>
      <Part title={t('statistics.outcomes')} wide>
        <Outcomes totals={days.totals} query={query} />
      </Part>
      <Part title={t('statistics.menus')} wide table>
        <MenuTable menus={menus} />
      </Part>
      {days.steps.length > 0 && (
        <Part title={t('statistics.steps')} wide table>
          <StepTable steps={days.steps} />
        </Part>
      )}
    </div>
  );
}

type Buckets = Parameters<typeof barsByDay>[0];

function Charts({
  days,
  hours,
  range,
}: {
  readonly days: Buckets;
  readonly hours: Buckets;
  readonly range: Range;
}) {
  const { t, language } = useWords();
  const byDay = useMemo(() => barsByDay(days), [days]);
  const byHour = useMemo(() => barsByHour(hours), [hours]);
  const shown = daysIn(hourRange(range));
  return (
    <>
      <Part title={t('statistics.byDay')}>
        <BarChart
          label={t('statistics.byDay')}
          bars={byDay}
          unit={t('statistics.chart.day')}
          nameOf={({ id }) => dayName(language, id)}
          shortNameOf={({ id }) => shortDayName(language, id)}
        />
      </Part>
      <Part title={t('statistics.byHour')}>
        {shown < daysIn(range) && (
          <p className="statistics-note">{t('statistics.byHour.part', { days: shown })}</p>
        )}
        <BarChart
          label={t('statistics.byHour')}
          bars={byHour}
          unit={t('statistics.chart.hour')}
          nameOf={({ id }) => hourName(language, id)}
          shortNameOf={({ id }) => shortHourName(id)}
        />
      </Part>
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly wide?: boolean;
  /** A table is already a landmark with the same name. */
  readonly table?: boolean;
  readonly children: ReactNode;
}

function Part({ title, wide = false, table = false, children }: PartProps) {
  const id = useId();
  const look = `card statistics-section ${wide ? 'statistics-wide' : ''}`;
  const Element = table ? 'div' : 'section';
  return (
    <Element className={look} {...(table ? {} : { 'aria-labelledby': id })}>
      <h2 id={id}>{title}</h2>
      {children}
    </Element>
  );
}
