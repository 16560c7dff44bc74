// What waits for somebody: callers to call back, and what an account that is not complete needs next.
import { useId } from 'react';
import { useMay } from '../../data/may.ts';
import { useRecords } from '../../data/records.ts';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { CallBack } from '../../phone-dock/call-this.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { OPEN_CALLS } from '../calls/filters.ts';
import { type Advice, adviceFor } from './overview.ts';
import type { Today } from './use-today.ts';

const SHOWN = 6;
const ICONS: Readonly<Record<Advice, IconName>> = {
  guide: 'guide',
  trunk: 'trunk',
  people: 'team',
  try: 'phone',
};
const PAGES: Readonly<Record<Advice, string>> = {
  guide: '/start',
  trunk: '/trunks',
  people: '/agents',
  try: '/simulator',
};

interface NeedsYouProps {
  readonly today: Today;
  /** Null if not known yet. */
  readonly rings: boolean | null;
}

export function NeedsYou({ today, rings }: NeedsYouProps) {
  const { callers, withheld, isCut } = today.open;
  const voicemail = today.voicemail?.count ?? 0;
  const mayBuild = useMay()('createAgent');
  const { t, brief } = useWords();
  const id = useId();
  const [trunks, agents] = [useRecords('trunk'), useRecords('agent')];
  const isKnown = mayBuild && rings !== null && trunks.state === 'ready' && agents.state === 'ready';
  const advice = isKnown
    ? adviceFor({ rings, trunks: trunks.items.length, agents: agents.items.length })
    : [];
  const nothing = !isCut && callers.length + withheld + voicemail + advice.length === 0;
  return (
    <section className="home-card" aria-labelledby={id}>
      <h2 id={id}>{t('home.needs')}</h2>
      {nothing && (
        <p className="home-well">
          <Icon name="check" />
          {t('home.needs.nothing')}
        </p>
      )}
      <ul className="home-needs">
        {callers.slice(0, SHOWN).map(({ id: call, caller, name, at, tries }) => (
          <li key={call}>
            <Icon name="phone" />
            <Link to={pathTo('calls', call)}>{t('home.needs.call', { caller: name || caller })}</Link>
            <small>
              {brief(at)}
              {tries > 1 && ` · ${t('home.needs.tries', { count: tries })}`}
            </small>
            <CallBack number={caller} name={name} small />
          </li>
        ))}
        {withheld > 0 && (
          <li>
            <Icon name="phone" />
            <Link to={`/calls${OPEN_CALLS}`}>{t('home.needs.withheld', { count: withheld })}</Link>
          </li>
        )}
        {voicemail > 0 && (
          <li>
            <Icon name="voicemail" />
            <Link to="/voicemail">{t('home.needs.voicemail', { count: voicemail })}</Link>
          </li>
        )}
        {advice.map((one) => (
          <li key={one}>
            <Icon name={ICONS[one]} />
            <Link to={PAGES[one]}>{t(`home.next.${one}`)}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
