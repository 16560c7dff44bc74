// "Is everything all right, and what needs me?": health, what happens now, today against the same weekday, and what is open.
import { type ReactNode, useEffect, useId } from 'react';
import { useHealth } from '../../data/health.ts';
import { useLive } from '../../data/live.ts';
import { useSession } from '../../data/session.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Icon } from '../../kit/icon.tsx';
import { AtLeast, MissingNodes } from '../../kit/missing-nodes.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Since } from '../../kit/since.tsx';
import { Sparkline } from '../../kit/sparkline.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { go, Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { OPEN_CALLS } from '../calls/filters.ts';
import type { OpenCalls } from '../calls/open-calls.ts';
import { useRings } from '../guide/use-rings.ts';
import { findingKey, useFindingText } from '../health/finding-text.tsx';
import { rangeQuery } from '../statistics/range.ts';
import './home.css';
import { NeedsYou } from './needs-you.tsx';
import { greetingAt } from './overview.ts';
import { type Today, useToday } from './use-today.ts';

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
  const { unanswered } = useLive();
  const today = useToday();
  const greeting = t(`home.${greetingAt(new Date().getHours())}`);
  return (
    <Frame title={greeting} intro={t('home.intro', { account: account?.name ?? '' })}>
      <div className="home">
        <HealthCard />
        <MissingNodes nodes={unanswered} />
        {today.error !== null && <Failure error={today.error} onAgain={today.again} />}
        <dl className="home-figures" aria-label={t('home.figures')}>
          <NowFigures />
          {today.value && <TodayFigures today={today.value} />}
        </dl>
        {today.value === null && today.error === null && <Loading />}
        {today.value && <NeedsYou today={today.value} rings={rings} />}
      </div>
    </Frame>
  );
}

/** Named on the card; the page has the rest. */
const NAMED = 3;

function HealthCard() {
  const { t } = useWords();
  const { value, error, again } = useHealth();
  const textOf = useFindingText();
  const id = useId();
  if (error !== null) return <Failure error={error} onAgain={again} />;
  if (value === null) return <Loading />;
  const errors = value.data.filter(({ severity }) => severity === 'error');
  const shown = (errors.length > 0 ? errors : value.data).slice(0, NAMED);
  return (
    <section className={`home-card home-health home-${value.state}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{t('health.title')}</h2>
        {value.state === 'well' ? (
          <span className="home-well">
            <Icon name="check" />
            {t('health.well')}
          </span>
        ) : errors.length > 0 ? (
          <Badge tone="bad">{t('health.errors', { count: errors.length })}</Badge>
        ) : (
          <Badge tone="warn">{t('health.warnings', { count: value.data.length })}</Badge>
        )}
        <Link to="/health">{t('home.health.more')}</Link>
      </header>
      {shown.length > 0 && (
        <ul>
          {shown.map((finding) => (
            <li key={findingKey(finding)}>{textOf(finding)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note: ReactNode;
  readonly to: string;
  readonly tone?: 'warn' | 'bad';
  readonly children?: ReactNode;
}

function Figure({ name, value, note, to, tone, children }: FigureProps) {
  return (
    <div className={tone ? `home-card home-figure home-figure-${tone}` : 'home-card home-figure'}>
      <dt>
        <Link to={to}>{name}</Link>
      </dt>
      <dd>
        <strong>{value}</strong>
        <small>{note}</small>
        {children}
      </dd>
    </div>
  );
}

const AT_WORK: ReadonlySet<string> = new Set(['free', 'ringing', 'talking', 'wrap_up']);

function NowFigures() {
  const { t, number } = useWords();
  const { calls, queues, agents, unanswered, connection } = useLive();
  const isKnown = connection === 'open';
  const isPartial = unanswered.length > 0;
  const waiting = [...queues.values()];
  const count = waiting.reduce((sum, queue) => sum + queue.waiting, 0);
  const since = waiting.map(({ longest_since }) => longest_since).sort()[0];
  const states = [...agents.values()].map(({ state }) => state);
  const hidden = states.filter((state) => state === 'unknown').length;
  const free = states.filter((state) => state === 'free').length;
  const atWork = states.filter((state) => AT_WORK.has(state)).length;
  const many = (value: number) => (isKnown ? <AtLeast isPartial={isPartial}>{number(value)}</AtLeast> : '–');
  const unknown = t(connection === 'off' ? 'home.off' : 'home.opening');
  return (
    <>
      <Figure
        name={t('home.waiting')}
        to="/live"
        value={many(count)}
        note={
          !isKnown ? (
            unknown
          ) : since === undefined ? (
            t(isPartial ? 'home.waiting.partial' : 'home.waiting.none')
          ) : (
            <>
              {t('home.waiting.longest')}{' '}
              <AtLeast isPartial={isPartial}>
                <Since at={since} />
              </AtLeast>
            </>
          )
        }
        {...(count > 0 ? { tone: 'warn' as const } : {})}
      />
      <Figure
        name={t('home.now')}
        to="/live"
        value={many(calls.size)}
        note={
          !isKnown
            ? unknown
            : hidden > 0
              ? t('home.now.unknown', { count: hidden })
              : t('home.now.free', { free, count: atWork })
        }
      />
    </>
  );
}

function TodayFigures({ today }: { readonly today: Today }) {
  const { t, number, percent } = useWords();
  const { change, before, voicemail, range } = today;
  return (
    <>
      <Figure
        name={t('home.calls')}
        to={`/statistics?${rangeQuery(range)}`}
        value={number(today.today)}
        note={
          change === null
            ? t('home.calls.first')
            : t('home.calls.change', { change: `${change > 0 ? '+' : ''}${percent(change)}`, before })
        }
      >
        <Sparkline values={today.hours} before={today.hoursBefore} />
      </Figure>
      <OpenFigure open={today.open} />
      {voicemail !== null && (
        <Figure
          name={t('home.voicemail')}
          to="/voicemail"
          value={`${number(voicemail.count)}${voicemail.isCut ? '+' : ''}`}
          note={t(voicemail.count === 0 ? 'home.voicemail.none' : 'home.voicemail.note')}
          {...(voicemail.count > 0 ? { tone: 'warn' as const } : {})}
        />
      )}
    </>
  );
}

/** It leads to the very calls that it counts. */
function OpenFigure({ open: { callers, withheld, isCut } }: { readonly open: OpenCalls }) {
  const { t, number } = useWords();
  const notes = [
    ...(withheld > 0 ? [t('home.open.withheld', { count: withheld })] : []),
    ...(isCut ? [t('home.open.cut')] : []),
    ...(!isCut && callers.length > 0 ? [t('home.open.note')] : []),
  ];
  const count = number(callers.length);
  return (
    <Figure
      name={t('home.open')}
      to={`/calls${OPEN_CALLS}`}
      value={isCut ? t('home.open.about', { count }) : count}
      note={notes.length === 0 ? t('home.open.none') : notes.join(' · ')}
      {...(callers.length > 0 ? { tone: 'bad' as const } : withheld > 0 ? { tone: 'warn' as const } : {})}
    />
  );
}
