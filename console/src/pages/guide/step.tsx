import { type ReactNode, useId } from 'react';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { STEPS, type Step, type StepState } from './progress.ts';

interface StepFrameProps {
  readonly step: Step;
  readonly state: StepState;
  /** The result, in one line. */
  readonly summary: string | null;
  readonly open: boolean;
  readonly onOpen: () => void;
  /** Null if it cannot be skipped. */
  readonly onSkip: (() => void) | null;
  readonly children: ReactNode;
}

export function StepFrame({ step, state, summary, open, onOpen, onSkip, children }: StepFrameProps) {
  const { t } = useWords();
  const id = useId();
  const number = STEPS.indexOf(step) + 1;
  const name = t(`guide.step.${step}`);
  return (
    <li className={open ? 'guide-step guide-step-open' : 'guide-step'}>
      <section aria-labelledby={id}>
        <header className="guide-head">
          <span className={`guide-number guide-number-${state}`} aria-hidden="true">
            {state === 'done' ? <Icon name="check" /> : number}
          </span>
          <div className="guide-name">
            <h2 id={id}>{name}</h2>
            {summary && <p>{summary}</p>}
          </div>
          {state === 'done' && <Badge tone="good">{t('guide.done')}</Badge>}
          {state === 'waiting' && <Badge tone="warn">{t(`guide.waiting.${step}`)}</Badge>}
          {state === 'skipped' && <Badge>{t('guide.skipped')}</Badge>}
          {!open && (
            <Button kind="quiet" aria-label={t('guide.showStep', { number, name })} onClick={onOpen}>
              {t('guide.show')}
            </Button>
          )}
        </header>
        {open && (
          <div className="guide-body">
            {children}
            {onSkip && (
              <Button kind="quiet" className="guide-skip" onClick={onSkip}>
                {t('guide.skip')}
              </Button>
            )}
          </div>
        )}
      </section>
    </li>
  );
}
