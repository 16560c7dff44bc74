import type { ReactNode } from 'react';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { type AccountStatistics, outcomesOf } from './chart-model.ts';

type Totals = AccountStatistics['totals'];

export function Figure({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: string;
}) {
  return (
    <div className="card statistics-figure">
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        {note && <span>{note}</span>}
      </dd>
    </div>
  );
}

export function Figures({ totals }: { readonly totals: Totals }) {
  const { t, number, percent, duration } = useWords();
  const { calls, inbound, internal, outbound, missed, unreachable, abandoned } = totals;
  return (
    <dl className="statistics-figures" aria-label={t('statistics.figures')}>
      <Figure
        name={t('statistics.calls')}
        value={number(calls)}
        note={t('statistics.calls.note', { inbound, internal, outbound })}
      />
      <Figure
        name={t('statistics.answered')}
        value={percent(totals.answer_rate)}
        note={t('statistics.answered.note', { count: totals.talked })}
      />
      <Figure
        name={t('statistics.talk')}
        value={totals.average_talk_ms === null ? '–' : duration(totals.average_talk_ms)}
        note={t('statistics.talk.note', { total: duration(totals.talk_ms) })}
      />
      <Figure name={t('statistics.missed')} value={number(missed)} note={t('statistics.missed.note')} />
      <Figure
        name={t('statistics.unreachable')}
        value={number(unreachable)}
        note={t('statistics.unreachable.note')}
      />
      <Figure
        name={t('statistics.abandoned')}
        value={number(abandoned)}
        note={t('statistics.abandoned.note')}
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
