// A card for each queue: how it is now and how the day was, coloured by the thresholds of the account.
import { memo, type ReactNode } from 'react';
import type { Level, WallboardThresholds } from '../../../../src/domain/wallboard.ts';
import { useServerNow } from '../../data/live.ts';
import { AtLeast } from '../../kit/missing-nodes.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { BOARD_STATES, levelsOf, type QueueCard } from './figures.ts';

interface Props {
  readonly cards: readonly QueueCard[];
  readonly limits: WallboardThresholds;
  /** The service level's seconds in the figures that are shown. */
  readonly serviceLevelSeconds: number;
  /** A node does not answer: what waits there is missing. */
  readonly isPartial: boolean;
}

export const QueueCards = memo(function QueueCards({ cards, ...rest }: Props) {
  return (
    <ul className="board-cards">
      {cards.map((card) => (
        <Card key={card.id} card={card} {...rest} />
      ))}
    </ul>
  );
});

const RANK: Readonly<Record<Level, number>> = { normal: 0, warning: 1, critical: 2 };

function Card({
  card,
  limits,
  serviceLevelSeconds,
  isPartial,
}: { readonly card: QueueCard } & Omit<Props, 'cards'>) {
  const { t, duration, percent } = useWords();
  const now = useServerNow();
  const { waiting, longestSince, day, abandonedPercent, states } = card;
  const levels = levelsOf(card, limits, now);
  const worst = [levels.waiting, levels.wait].reduce((one, other) => (RANK[other] > RANK[one] ? other : one));
  const waited = longestSince === null ? null : Math.max(0, now - new Date(longestSince).getTime());
  return (
    <li className={`board-card board-${worst}`} data-department={card.id}>
      <h3>
        <Link to={pathTo('departments', card.id)}>{card.name}</Link>
      </h3>
      <dl>
        <Figure label={t('board.waiting')} level={levels.waiting} large>
          <AtLeast isPartial={isPartial}>{waiting}</AtLeast>
        </Figure>
        <Figure label={t('board.longest')} level={levels.wait} large>
          {waited === null ? '–' : <AtLeast isPartial={isPartial}>{duration(waited)}</AtLeast>}
        </Figure>
        <Figure
          label={t('board.serviceLevel', { seconds: serviceLevelSeconds })}
          level={levels.serviceLevel}
          low
        >
          {percent(day?.service_level ?? null)}
        </Figure>
        <Figure label={t('board.abandoned')} level={levels.abandoned}>
          {abandonedPercent === null
            ? (day?.abandoned ?? '–')
            : `${day?.abandoned} (${percent(abandonedPercent / 100)})`}
        </Figure>
        <Figure label={t('board.answered')} level="normal">
          {day?.answered ?? '–'}
        </Figure>
      </dl>
      <ul className="board-states" aria-label={t('board.agentsOf', { name: card.name })}>
        {BOARD_STATES.filter((state) => states.has(state)).map((state) => (
          <li key={state} className={`board-state board-state-${state}`}>
            <strong>{states.get(state)}</strong> {t(`agentState.${state}`)}
          </li>
        ))}
        {states.size === 0 && <li className="board-state board-state-none">{t('board.noAgents')}</li>}
      </ul>
    </li>
  );
}

interface FigureProps {
  readonly label: string;
  readonly level: Level;
  readonly large?: boolean;
  /** Whether less is worse. */
  readonly low?: boolean;
  readonly children: ReactNode;
}

/** The level stands there in words, too, for those who do not see colours. */
function Figure({ label, level, large = false, low = false, children }: FigureProps) {
  const { t } = useWords();
  return (
    <div className={`board-figure ${large ? 'board-figure-large' : ''} board-is-${level}`}>
      <dt>{label}</dt>
      <dd>
        {children}
        {level !== 'normal' && (
          <span className="board-mark">
            {t(low && level === 'warning' ? 'board.level.low' : `board.level.${level}`)}
          </span>
        )}
      </dd>
    </div>
  );
}
