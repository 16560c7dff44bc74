import { useEffect } from 'react';
import type { Queue } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Failure } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';

const EVERY_MS = 5_000;
const TONES: Readonly<Record<Queue['agents'][number]['state'], Tone>> = {
  free: 'good',
  busy: 'warn',
  resting: 'info',
  away: 'neutral',
};

export function RightNow({ id }: { readonly id: string }) {
  const { t, duration } = useWords();
  const { value, error, again } = useAsk(
    (signal) => client.getDepartmentQueue({ params: { id }, signal }),
    [id],
  );
  const hasFailed = error !== null;
  useEffect(() => {
    // Shown once, with a button to retry: not announced again every few seconds.
    if (hasFailed) return;
    // Not while the page is hidden.
    const timer = setInterval(() => !document.hidden && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [again, hasFailed]);
  return (
    <div className="records-more">
      <Section
        title={t('departments.now')}
        actions={<Button onClick={again}>{t('departments.now.again')}</Button>}
      >
        {error !== null && <Failure error={error} onAgain={again} />}
        {value && (
          <>
            {value.queue && (
              <p>
                {value.waiting.length === 0
                  ? t('departments.now.nobody')
                  : t('departments.now.waiting', { count: value.waiting.length })}
              </p>
            )}
            <ol className="records-list">
              {value.waiting.map((caller) => (
                <li key={caller.call} className="records-item">
                  <span className="records-item-main">
                    {caller.position}. {caller.caller ?? t('departments.now.withheld')}
                  </span>
                  <span className="records-quiet">{duration(caller.waited_ms)}</span>
                  {caller.ringing && <Badge tone="info">{t('departments.now.ringing')}</Badge>}
                </li>
              ))}
            </ol>
            <ul className="records-list">
              {value.agents.map(({ eid, name, state }) => (
                <li key={eid} className="records-item">
                  <span className="records-item-main">{name ?? eid}</span>
                  <Badge tone={TONES[state]}>{t(`departments.state.${state}`)}</Badge>
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
    </div>
  );
}
