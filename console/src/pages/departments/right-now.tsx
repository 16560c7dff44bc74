import { useMemo } from 'react';
import type { Queue } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useLive } from '../../data/live.ts';
import { STATE_TONES } from '../../kit/agent-tones.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Failure } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';

/** Differs when who waits, or what an agent does, has changed. */
function useQueueMark(id: string): string {
  const { calls, agents } = useLive();
  return useMemo(() => {
    const waiting = [...calls.values()].filter(({ node }) => node === `department||${id}`);
    return JSON.stringify([
      waiting.map((call) => [call.id, call.state]),
      [...agents.values()].map(({ eid, state, signed_out }) => [eid, state, signed_out.includes(id)]),
    ]);
  }, [calls, agents, id]);
}

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

/** `version`: of the department, whose queue may be new. */
export function RightNow({ id, version }: { readonly id: string; readonly version: number }) {
  const { t, duration } = useWords();
  const { agents } = useLive();
  const { value, error, again } = useAsk(
    (signal) => client.getDepartmentQueue({ params: { id }, signal }),
    [id, version, useQueueMark(id)],
  );
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
              {value.agents.map(({ eid, name, agent_state }) => {
                const state = agents.get(eid)?.state ?? agent_state ?? 'unknown';
                return (
                  <li key={eid} className="records-item">
                    <span className="records-item-main">{name ?? eid}</span>
                    <Badge tone={STATE_TONES[state]}>{t(`agentState.${state}`)}</Badge>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </Section>
    </div>
  );
}
