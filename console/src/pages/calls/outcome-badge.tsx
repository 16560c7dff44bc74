import type { CallSummary } from '../../../../client/operations.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';

const TONES: Readonly<Record<NonNullable<CallSummary['outcome']>, Tone>> = {
  answered: 'good',
  transferred: 'good',
  missed: 'bad',
  unreachable: 'bad',
  abandoned: 'warn',
  voicemail: 'info',
  blocked: 'neutral',
  refused: 'neutral',
  interrupted: 'warn',
  completed: 'neutral',
  failed: 'bad',
};

/** The same word may mean something else in an old record: such a record is marked. */
export function OutcomeBadge({ outcome, schema }: Pick<CallSummary, 'outcome' | 'schema'>) {
  const { t } = useWords();
  return (
    <span className="calls-outcome">
      {outcome === null ? (
        <Badge>{t('calls.outcome.unknown')}</Badge>
      ) : (
        <Badge tone={TONES[outcome]}>{t(`calls.outcome.${outcome}`)}</Badge>
      )}
      {schema === 1 && <small title={t('call.old.text')}>{t('call.old')}</small>}
    </span>
  );
}
