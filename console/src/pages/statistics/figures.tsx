import type { ReactNode } from 'react';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { type AccountStatistics, outcomesOf } from './chart-model.ts';

type Totals = AccountStatistics['totals'];

interface Compared {
  readonly now: number | null;
  readonly before: number | null;
  /** How the figure is written. */
  readonly text: (value: number) => string;
  /** Whether more is better; absent: neither. */
  readonly better?: 'more' | 'less';
}

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: string;
  /** The calls behind it. */
  readonly to?: string | undefined;
  readonly compared?: Compared | undefined;
}

export function Figure({ name, value, note, to, compared }: FigureProps) {
  const { t } = useWords();
  return (
    <div className="card statistics-figure">
      <dt>{name}</dt>
      <dd>
        <strong>
          {to === undefined ? (
            value
          ) : (
            <Link to={to} title={t('statistics.seeCalls')}>
              {value}
            </Link>
          )}
        </strong>
        {note && <span>{note}</span>}
        {compared && <Change {...compared} />}
      </dd>
    </div>
  );
}

/** Against the period before. */
function Change({ now, before, text, better }: Compared) {
  const { t } = useWords();
  if (before === null) return <span className="statistics-change">{t('statistics.before.none')}</span>;
  const up = now === null || now === before ? null : now > before;
  const good = up === null || better === undefined ? null : up === (better === 'more');
  const tone = good === null ? '' : good ? 'statistics-change-good' : 'statistics-change-bad';
  const way = up === null ? 'same' : up ? 'up' : 'down';
  return (
    <span className={`statistics-change ${tone}`}>
      <span aria-hidden="true">{{ same: '=', up: '▲', down: '▼' }[way]} </span>
      {t('statistics.before', { value: text(before) })}
    </span>
  );
}

interface FiguresProps {
  readonly totals: Totals;
  /** The same of the period before. */
  readonly before?: Totals | undefined;
  /** What is compared with it, where it is not all of the range. */
  readonly like?: Totals | undefined;
  /** The time range, for links to the calls. */
  readonly query?: string;
}

/** Fills in what is compared, and the link to the calls. */
function useFigures({ totals, before, like = totals, query }: FiguresProps) {
  const { number, percent, duration } = useWords();
  const callsOf = (filter: string, count: number): string | undefined =>
    query === undefined || count === 0 ? undefined : `/calls?${filter === '' ? '' : `${filter}&`}${query}`;
  const compared =
    (text: (value: number) => string) =>
    (of: (totals: Totals) => number | null, better?: Compared['better']): Compared | undefined =>
      before && { now: of(like), before: of(before), text, ...(better ? { better } : {}) };
  const time = (ms: number | null): string => (ms === null ? '–' : duration(ms));
  return { callsOf, counts: compared(number), rates: compared(percent), times: compared(duration), time };
}

export function Figures(props: FiguresProps) {
  const { t, number, percent, duration } = useWords();
  const { callsOf, counts, rates, times, time } = useFigures(props);
  const { totals } = props;
  const { calls, inbound, internal, outbound, missed, unreachable, abandoned } = totals;
  return (
    <dl className="statistics-figures" aria-label={t('statistics.figures')}>
      <Figure
        name={t('statistics.calls')}
        value={number(calls)}
        note={t('statistics.calls.note', { inbound, internal, outbound })}
        to={callsOf('', calls)}
        compared={counts((of) => of.calls)}
      />
      <Figure
        name={t('statistics.answered')}
        value={percent(totals.answer_rate)}
        note={t('statistics.answered.note', { count: totals.talked })}
        to={callsOf('outcome=talked', totals.talked)}
        compared={rates((of) => of.answer_rate, 'more')}
      />
      <Figure
        name={t('statistics.talk')}
        value={time(totals.average_talk_ms)}
        note={t('statistics.talk.note', { total: duration(totals.talk_ms) })}
        compared={times((of) => of.average_talk_ms)}
      />
      <Figure
        name={t('statistics.missed')}
        value={number(missed)}
        note={t('statistics.missed.note')}
        to={callsOf('outcome=missed', missed)}
        compared={counts((of) => of.missed, 'less')}
      />
      <Figure
        name={t('statistics.unreachable')}
        value={number(unreachable)}
        note={t('statistics.unreachable.note')}
        to={callsOf('outcome=unreachable', unreachable)}
        compared={counts((of) => of.unreachable, 'less')}
      />
      <Figure
        name={t('statistics.abandoned')}
        value={number(abandoned)}
        note={t('statistics.abandoned.note')}
        to={callsOf('outcome=abandoned', abandoned)}
        compared={counts((of) => of.abandoned, 'less')}
      />
    </dl>
  );
}

/** What became of callers in queues, all departments together. */
export function QueueFigures({ seconds, ...props }: FiguresProps & { readonly seconds: number }) {
  const { t, number, percent } = useWords();
  const { callsOf, counts, rates, times, time } = useFigures(props);
  const { queue } = props.totals;
  return (
    <dl className="statistics-figures" aria-label={t('statistics.queues')}>
      <Figure
        name={t('statistics.serviceLevel')}
        value={percent(queue.service_level)}
        note={t('statistics.serviceLevel.note', { count: queue.answered_in_time, seconds })}
        to={callsOf('queue=in_time', queue.answered_in_time)}
        compared={rates((of) => of.queue.service_level, 'more')}
      />
      <Figure
        name={t('statistics.queued')}
        value={number(queue.calls)}
        note={t('statistics.queued.note', { count: queue.answered })}
        to={callsOf('queue=any', queue.calls)}
        compared={counts((of) => of.queue.calls)}
      />
      <Figure
        name={t('statistics.speed')}
        value={time(queue.average_answer_ms)}
        note={t('statistics.speed.note')}
        to={callsOf('queue=answered', queue.answered)}
        compared={times((of) => of.queue.average_answer_ms, 'less')}
      />
      <Figure
        name={t('statistics.left')}
        value={percent(queue.abandoned_rate)}
        note={t('statistics.left.note', { count: queue.abandoned })}
        to={callsOf('queue=abandoned', queue.abandoned)}
        compared={rates((of) => of.queue.abandoned_rate, 'less')}
      />
      <Figure
        name={t('statistics.leftAfter')}
        value={time(queue.average_abandon_ms)}
        note={t('statistics.leftAfter.note')}
        compared={times((of) => of.queue.average_abandon_ms)}
      />
    </dl>
  );
}

/** `query` is the time range, for the link to those calls. */
export function Outcomes({ totals, query }: { readonly totals: Totals; readonly query: string }) {
  const { t, number, percent } = useWords();
  return (
    <ul className="statistics-outcomes">
      {outcomesOf(totals).map(({ outcome, count, share }) => {
        const name = t(`statistics.outcome.${outcome}`);
        return (
          <li key={outcome} data-outcome={outcome}>
            {count > 0 ? (
              <Link
                to={`/calls?outcome=${outcome}&${query}`}
                aria-label={t('statistics.outcome.calls', { outcome: name })}
              >
                {name}
              </Link>
            ) : (
              <span>{name}</span>
            )}
            <span className="statistics-track" aria-hidden="true">
              <span
                className={`statistics-part statistics-part-${outcome}`}
                style={{ inlineSize: `${share * 100}%` }}
              />
            </span>
            <span className="statistics-count">
              {number(count)} <small>{percent(share)}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
