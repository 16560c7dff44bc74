import { useEffect } from 'react';
import type { Queue } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Failure } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { STATE_TONES } from '../agents/agent-now.tsx';
import { Section } from '../records/record-page.tsx';

const EVERY_MS = 5_000;

/** Callers who are to be called back, with a way to cancel each. */
function Waiting({
  callbacks,
  again,
}: {
  readonly callbacks: Queue['callbacks'];
  readonly again: () => void;
}) {
  const { t, dateTime } = useWords();
  const attempt = useAttempt();
  const cancel = async (id: string): Promise<void> => {
    if (await attempt(() => client.cancelCallback({ params: { id } }))) again();
  };
  return (
    <>
      <h3>{t('departments.now.callbacks')}</h3>
      <ul className="records-list">
        {callbacks.map(({ id, number, state, attempts, next_attempt_at: next }) => (
          <li key={id} className="records-item">
            <span className="records-item-main">{number}</span>
            <span className="records-quiet">
              {t('departments.now.callback.attempts', { count: attempts })}
            </span>
            {next !== null && <span className="records-quiet">{dateTime(next)}</span>}
            {state === 'calling' ? (
              <Badge tone="info">{t('departments.now.callback.calling')}</Badge>
            ) : (
              <Button onClick={() => void cancel(id)}>{t('departments.now.callback.cancel')}</Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

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
                {value.estimated_wait_ms !== null &&
                  ` ${t('departments.now.next', { wait: duration(value.estimated_wait_ms) })}`}
              </p>
            )}
            <ol className="records-list">
              {value.waiting.map((caller) => (
                <li key={caller.call} className="records-item">
                  <span className="records-item-main">
                    {caller.position}. {caller.caller ?? t('departments.now.withheld')}
                  </span>
                  <span className="records-quiet">{duration(caller.waited_ms)}</span>
                  {caller.estimated_wait_ms !== null && (
                    <span className="records-quiet">
                      {t('departments.now.estimate', { wait: duration(caller.estimated_wait_ms) })}
                    </span>
                  )}
                  {caller.callback !== null && <Badge>{t('departments.now.callback')}</Badge>}
                  {caller.ringing && <Badge tone="info">{t('departments.now.ringing')}</Badge>}
                </li>
              ))}
            </ol>
            {value.callbacks.length > 0 && <Waiting callbacks={value.callbacks} again={again} />}
            <ul className="records-list">
              {value.agents.map(({ eid, name, agent_state: state }) => (
                <li key={eid} className="records-item">
                  <span className="records-item-main">{name ?? eid}</span>
                  {state && <Badge tone={STATE_TONES[state]}>{t(`agentState.${state}`)}</Badge>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
    </div>
  );
}
