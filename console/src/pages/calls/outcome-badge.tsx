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

export function OutcomeBadge({ outcome }: Pick<CallSummary, 'outcome'>) {
  const { t } = useWords();
  return outcome === null ? (
    <Badge>{t('calls.outcome.unknown')}</Badge>
  ) : (
    <Badge tone={TONES[outcome]}>{t(`calls.outcome.${outcome}`)}</Badge>
  );
}
