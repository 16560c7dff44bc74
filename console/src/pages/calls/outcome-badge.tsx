import type { CallSummary } from '../../../../client/operations.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';

const TONES: Readonly<Record<NonNullable<CallSummary['outcome']>, Tone>> = {
  answered: 'good',
  voicemail: 'info',
  missed: 'bad',
  abandoned: 'warn',
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
