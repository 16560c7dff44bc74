import type { Ref } from '../../../../src/flow/node.ts';
import { Button } from '../../kit/button.tsx';
import { useWords } from '../../words/words.tsx';
import { assumed, type Present } from './present.ts';
import type { Reach } from './reach.ts';
import type { Settings } from './settings.ts';

interface AssumptionsProps {
  readonly reach: Reach;
  readonly settings: Settings;
  /** The states of this moment; null: not known, since no telephones are connected here. */
  readonly present: Present | null;
  readonly nameOf: (reference: Ref) => { readonly name: string };
  readonly onChange: (settings: Settings) => void;
}

const EVERYONE: Present = { agents: {}, signedOut: {} };

/** Names of one group; more are counted. */
const MOST_NAMED = 4;

/** What a simulated call takes for granted: the hour, and what each phone does. */
export function Assumptions({ reach, settings, present, nameOf, onChange }: AssumptionsProps) {
  const { t, dateTime } = useWords();
  const now = present?.agents ?? null;
  const isPresent =
    now !== null &&
    JSON.stringify(settings.signedOut) === JSON.stringify(present?.signedOut) &&
    Object.entries(settings.agents).every(([ref, word]) => now[ref] === word);
  const moment = settings.at === '' ? Date.now() : new Date(settings.at).getTime();
  const { answering, others, offDuty, signedOut } = assumed(reach, settings, moment);
  const named = (names: readonly string[]): string =>
    names.length <= MOST_NAMED
      ? names.join(', ')
      : t('simulator.assumes.more', {
          names: names.slice(0, MOST_NAMED).join(', '),
          count: names.length - MOST_NAMED,
        });
  const outNow = Object.keys(present?.signedOut ?? {}).some((department) => reach.refs.has(department));
  const hasPresent =
    now !== null && (outNow || reach.phones.some(({ ref }) => (now[ref] ?? 'answer') !== 'answer'));
  const asNow = isPresent && (others.length > 0 || signedOut.length > 0);
  return (
    <div className="simulator-assumes">
      <p>
        <strong>{t('simulator.assumes')}</strong> {dateTime(new Date(moment).toISOString())}.{' '}
        {answering > 0 && t('simulator.assumes.answer', { count: answering })}
        {others.map(([word, names]) => (
          <span key={word}>
            {' '}
            {t('simulator.assumes.does', { does: t(`simulator.does.${word}`), names: named(names) })}
          </span>
        ))}
        {offDuty.length > 0 && ` ${t('simulator.assumes.offDuty', { names: named(offDuty) })}`}
        {signedOut.map(([department, names]) => (
          <span key={department}>
            {' '}
            {t('simulator.assumes.signedOut', { names: named(names), department: nameOf(department).name })}
          </span>
        ))}
      </p>
      {hasPresent && (
        <Button onClick={() => onChange({ ...settings, ...(asNow ? EVERYONE : present) })}>
          {t(asNow ? 'simulator.assumes.everyone' : 'simulator.assumes.present')}
        </Button>
      )}
    </div>
  );
}
