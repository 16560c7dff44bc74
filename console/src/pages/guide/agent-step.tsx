import { type FormEvent, useState } from 'react';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { referenceOfAgent, usePeople } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { Notice } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { useOnce } from './once.ts';
import { PhoneWatch } from './phone-watch.tsx';
import type { GuideAgent } from './progress.ts';
import { SipSettings } from './sip-settings.tsx';

interface AgentStepProps {
  readonly agents: readonly GuideAgent[];
  readonly agent: GuideAgent | null;
  /** The agent's password, if it was created on this visit. */
  readonly password: string | undefined;
  readonly onAgent: (eid: string, password?: string) => void;
  readonly onContinue: () => void;
}

export function AgentStep({ agents, agent, password, onAgent, onContinue }: AgentStepProps) {
  const { t } = useWords();
  const [adding, setAdding] = useState(false);
  const personOf = usePeople();
  if (!agent || adding)
    return (
      <NewAgent
        onCancel={agent ? () => setAdding(false) : null}
        onCreated={(eid, made) => {
          setAdding(false);
          onAgent(eid, made);
        }}
      />
    );
  return (
    <>
      {agents.length > 1 && (
        <Picker
          label={t('guide.agent.choose')}
          value={agent.eid}
          options={agents.map((each) => ({
            value: each.eid,
            label: each.name,
            ...personOf(referenceOfAgent(each)),
          }))}
          onChange={(eid) => onAgent(eid)}
        />
      )}
      <h3>{t('guide.agent.settings', { name: agent.name })}</h3>
      <SipSettings intercom={agent.intercom} password={password} />
      {password === undefined && <Renew agent={agent} onPassword={(made) => onAgent(agent.eid, made)} />}
      <PhoneWatch key={agent.eid} eid={agent.eid} name={agent.name} />
      <div className="form-actions">
        <Button kind="primary" onClick={onContinue}>
          {t('guide.continue')}
        </Button>
        <Button onClick={() => setAdding(true)}>{t('guide.agent.other')}</Button>
      </div>
    </>
  );
}

interface NewAgentProps {
  readonly onCreated: (eid: string, password: string | undefined) => void;
  readonly onCancel: (() => void) | null;
}

function NewAgent({ onCreated, onCancel }: NewAgentProps) {
  const { t, hinted } = useWords();
  const { faults, busy, send } = useRequest();
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  const idempotencyKey = useOnce(name.trim());
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() === '') return;
    await send(async () => {
      const { eid, sip_password: password } = await client.createAgent({
        body: { name: name.trim() },
        idempotencyKey,
      });
      changed('agent');
      onCreated(eid, password);
    });
  };
  return (
    <form className="form" onSubmit={(event) => void create(event)} noValidate>
      <p>{t('guide.agent.intro')}</p>
      <TextField
        {...hinted('guide.agent.name')}
        value={name}
        onChange={setName}
        maxLength={100}
        fault={missing ? t('guide.agent.name.missing') : faults.at('/name')}
      />
      {faults.general && <Notice tone="bad">{faults.general}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" busy={busy}>
          {t('guide.agent.create')}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('kit.cancel')}</Button>}
      </div>
    </form>
  );
}

function Renew({
  agent,
  onPassword,
}: {
  readonly agent: GuideAgent;
  readonly onPassword: (made: string) => void;
}) {
  const { t } = useWords();
  const confirm = useConfirm();
  const attempt = useAttempt();
  const renew = async (): Promise<void> => {
    const sure = await confirm({
      title: t('sip.password.renew.title'),
      text: t('sip.password.renew.text', { name: agent.name }),
      action: t('sip.password.renew'),
    });
    if (!sure) return;
    await attempt(async () => {
      const { sip_password: made } = await client.renewSipPassword({ params: { eid: agent.eid } });
      if (made !== undefined) onPassword(made);
    });
  };
  return (
    <div>
      <Button icon="key" onClick={() => void renew()}>
        {t('sip.password.renew')}
      </Button>
    </div>
  );
}
