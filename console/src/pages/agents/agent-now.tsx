// What the agent does at this moment, with the pause.
import { useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useAgentStates } from '../../data/live.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/field.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { useSipServer } from '../guide/telephony.ts';
import { Section } from '../records/record-page.tsx';
import { AgentBadge } from './agent-badge.tsx';

/** Without SIP no agent has a state. */
export function AgentNow({ eid }: { readonly eid: string }) {
  const { server } = useSipServer();
  return server && <Now eid={eid} />;
}

function Now({ eid }: { readonly eid: string }) {
  const { t, dateTime } = useWords();
  const attempt = useAttempt();
  const value = useAgentStates()?.get(eid);
  const change = (work: () => Promise<unknown>) => attempt(work);
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
          <AgentBadge agent={value} />{' '}
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
