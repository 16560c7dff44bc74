// What the agent does, as departments see it: free, paused, in wrap-up; with the pause.
import { useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/field.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { AgentBadge } from '../agents/agent-badge.tsx';
import type { OwnState } from './use-desk.ts';

export function OwnStatus({ eid, own }: { readonly eid: string; readonly own: OwnState }) {
  const { t } = useWords();
  const attempt = useAttempt();
  const settings = useAsk((signal) => client.getSettings({ signal }), []);
  const reasons = settings.value?.pause_reasons ?? [];
  const [reason, setReason] = useState('');
  const { state, look } = own;
  if (!state) return null;
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (await attempt(work)) look();
  };
  const params = { eid };
  return (
    <section className="desk-status" aria-label={t('desk.status')}>
      <span className="desk-state">
        <strong>{state.name}</strong>
        <AgentBadge agent={state} />
        {state.paused && <span className="records-quiet">{state.paused.reason}</span>}
      </span>
      {state.state === 'wrap_up' && (
        <Button
          kind="primary"
          icon="check"
          onClick={() => void change(() => client.endAgentWrapUp({ params }))}
        >
          {t('desk.endWrapUp')}
        </Button>
      )}
      {state.paused ? (
        <Button kind="primary" icon="play" onClick={() => void change(() => client.resumeAgent({ params }))}>
          {t('agentState.resume')}
        </Button>
      ) : (
        <span className="desk-pause">
          {reasons.length > 0 && (
            <SelectField
              label={t('agentState.reason')}
              hideLabel
              value={reason}
              onChange={setReason}
              options={['', ...reasons].map((each) => ({
                value: each,
                label: each === '' ? t('agentState.reason.none') : each,
              }))}
            />
          )}
          <Button
            icon="pause"
            onClick={() => void change(() => client.pauseAgent({ params, body: { reason } }))}
          >
            {t('agentState.pause')}
          </Button>
        </span>
      )}
    </section>
  );
}
