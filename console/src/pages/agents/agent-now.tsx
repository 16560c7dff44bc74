// What the agent does at this moment, with the pause.
import { useEffect, useState } from 'react';
import type { AgentState } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Failure } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { useSipServer } from '../guide/telephony.ts';
import { Section } from '../records/record-page.tsx';

const EVERY_MS = 5_000;

export const STATE_TONES: Readonly<Record<AgentState['state'], Tone>> = {
  free: 'good',
  ringing: 'info',
  talking: 'warn',
  wrap_up: 'info',
  paused: 'warn',
  off_duty: 'neutral',
  blocked: 'bad',
  unreachable: 'neutral',
};

/** Without SIP no agent has a state. */
export function AgentNow({ eid }: { readonly eid: string }) {
  const { server } = useSipServer();
  return server && <Now eid={eid} />;
}

function Now({ eid }: { readonly eid: string }) {
  const { t, dateTime } = useWords();
  const attempt = useAttempt();
  const { value, error, again } = useAsk(
    (signal) => client.getAgentState({ params: { eid }, signal }),
    [eid],
  );
  const hasFailed = error !== null;
  useEffect(() => {
    if (hasFailed) return;
    const timer = setInterval(() => !document.hidden && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [again, hasFailed]);
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (await attempt(work)) again();
  };
  const params = { eid };
  const settings = useAsk((signal) => client.getSettings({ signal }), []);
  const reasons = settings.value?.pause_reasons ?? [];
  const [reason, setReason] = useState('');
  return (
    <Section
      title={t('agentState.now')}
      hint={t('agentState.pause.hint')}
      actions={
        value &&
        (value.paused ? (
          <Button icon="play" onClick={() => void change(() => client.resumeAgent({ params }))}>
            {t('agentState.resume')}
          </Button>
        ) : (
          <Button
            icon="pause"
            onClick={() => void change(() => client.pauseAgent({ params, body: { reason } }))}
          >
            {t('agentState.pause')}
          </Button>
        ))
      }
    >
      {error !== null && <Failure error={error} onAgain={again} />}
      {value && !value.paused && reasons.length > 0 && (
        <SelectField
          label={t('agentState.reason')}
          value={reason}
          onChange={setReason}
          options={['', ...reasons].map((each) => ({
            value: each,
            label: each === '' ? t('agentState.reason.none') : each,
          }))}
        />
      )}
      {value && (
        <p>
          <Badge tone={STATE_TONES[value.state]}>{t(`agentState.${value.state}`)}</Badge>{' '}
          {value.paused && (
            <span className="records-quiet">
              {t('agentState.since', { time: dateTime(value.paused.since) })} {value.paused.reason}
            </span>
          )}
        </p>
      )}
    </Section>
  );
}
