import { type ReactNode, useEffect, useId } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { go, Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { useRings } from '../guide/use-rings.ts';
import { Figures } from '../statistics/figures.tsx';
import { apiSpan, dayOf, presetRange, rangeQuery, viewerZone } from '../statistics/range.ts';
import '../statistics/statistics.css';
import './home.css';
import { LiveNow } from './live-now.tsx';
import { type Advice, adviceFor, greetingAt } from './overview.ts';

/** Opens the guide first if no number leads anywhere yet: once per visit, so that the overview can still be opened. */
function useGuideFirst(rings: boolean | null, accountId: string): void {
  useEffect(() => {
    const storageKey = `dialtree.guided.${accountId}`;
    if (rings !== false || sessionStorage.getItem(storageKey) !== null) return;
    sessionStorage.setItem(storageKey, '1');
    go('/start', { replace: true });
  }, [rings, accountId]);
}

export function Page() {
  const { t } = useWords();
  const { account } = useSession();
  const rings = useRings();
  useGuideFirst(rings, account?.id ?? '');
  const greeting = t(`home.${greetingAt(new Date().getHours())}`);
  const today = presetRange('today', dayOf(new Date(), viewerZone()));
  const figures = useAsk(
    (signal) => client.getStatistics({ query: { ...apiSpan(today, viewerZone()), by: 'none' }, signal }),
    [today.from],
  );
  const lint = useAsk((signal) => client.lint({ signal }), []);
  const errors = (lint.value?.data ?? []).filter(({ severity }) => severity === 'error').length;
  const warnings = (lint.value?.data.length ?? 0) - errors;
  return (
    <Frame title={greeting} intro={t('home.intro', { account: account?.name ?? '' })}>
      <div className="home">
        <Part
          title={t('home.today')}
          more={{ to: `/statistics?${rangeQuery(today)}`, text: t('home.today.more') }}
          wide
        >
          {figures.error ? (
            <Failure error={figures.error} onAgain={figures.again} />
          ) : figures.value ? (
            <Figures totals={figures.value.totals} />
          ) : (
            <Loading />
          )}
        </Part>
        <Part title={t('home.next')}>
          <Next
            rings={rings}
            errors={errors}
            missed={figures.value?.totals.missed ?? 0}
            query={rangeQuery(today)}
          />
        </Part>
        <Part title={t('home.live')} more={{ to: '/live', text: t('home.live.more') }}>
          <LiveNow />
        </Part>
        <Part
          title={t('home.lint')}
          {...(errors + warnings > 0 ? { more: { to: '/map?show=checks', text: t('home.lint.more') } } : {})}
        >
          {lint.error ? (
            <Failure error={lint.error} onAgain={lint.again} />
          ) : lint.value === null ? (
            <Loading />
          ) : errors + warnings === 0 ? (
            <p className="home-good">
              <Icon name="check" />
              {t('home.lint.none')}
            </p>
          ) : (
            <p className="home-badges">
              {errors > 0 && <Badge tone="bad">{t('home.lint.errors', { count: errors })}</Badge>}
              {warnings > 0 && <Badge tone="warn">{t('home.lint.warnings', { count: warnings })}</Badge>}
            </p>
          )}
        </Part>
      </div>
    </Frame>
  );
}

const ICONS: Readonly<Record<Advice, IconName>> = {
  guide: 'guide',
  errors: 'warn',
  missed: 'calls',
  trunk: 'trunk',
  people: 'team',
  try: 'phone',
};

interface NextProps {
  readonly rings: boolean | null;
  readonly errors: number;
  readonly missed: number;
  readonly query: string;
}

function Next({ rings, errors, missed, query }: NextProps) {
  const { t } = useWords();
  const [trunks, agents] = [useRecords('trunk'), useRecords('agent')];
  const numbers = useRecords('number');
  const failed = [trunks, agents, numbers].find(({ state }) => state === 'failed');
  if (failed) return <Failure error={failed.error} onAgain={failed.reload} />;
  if (rings === null || [trunks, agents].some(({ state }) => state === 'loading')) return <Loading />;
  const advice = adviceFor({
    rings,
    errors,
    missed,
    trunks: trunks.items.length,
    agents: agents.items.length,
  });
  const to: Readonly<Record<Advice, string>> = {
    guide: '/start',
    errors: '/map',
    missed: `/calls?outcome=missed&${query}`,
    trunk: '/trunks',
    people: '/agents',
    try: '/simulator',
  };
  return (
    <ul className="home-next">
      {advice.map((one) => (
        <li key={one}>
          <Link to={to[one]} className={one === 'guide' ? 'button button-primary' : undefined}>
            <Icon name={ICONS[one]} />
            {one === 'missed' ? t('home.next.missed', { count: missed }) : t(`home.next.${one}`)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface PartProps {
  readonly title: string;
  readonly more?: { readonly to: string; readonly text: string };
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Part({ title, more, wide = false, children }: PartProps) {
  const id = useId();
  return (
    <section className={wide ? 'home-part home-wide' : 'home-part'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {more && <Link to={more.to}>{more.text}</Link>}
      </header>
      {children}
    </section>
  );
}
