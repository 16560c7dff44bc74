import type { StampedAgent } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { ProvisionPhone } from './provision-phone.tsx';

interface AgentActionsProps {
  readonly agent: StampedAgent;
  /** While changes are unsaved: the action reloads the form. */
  readonly disabled: boolean;
  readonly onChange: () => void;
  readonly showPassword: (name: string, intercom: string, password: string | undefined) => void;
}

export function AgentActions({ agent, disabled, onChange, showPassword }: AgentActionsProps) {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const { name, eid, intercom } = agent;
  const params = { eid };
  const attempt = useAttempt();
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (!(await attempt(work))) return;
    changed('agent');
    onChange();
  };
  const block = async (): Promise<void> => {
    const question = { title: t('agents.block.title', { name }), text: t('agents.block.text') };
    if (!(await confirm({ ...question, action: t('agents.block'), danger: true }))) return;
    await change(async () => {
      await client.blockAgent({ params });
      toast(t('agents.isBlocked', { name }));
    });
  };
  const unblock = () =>
    change(async () => {
      await client.unblockAgent({ params });
      toast(t('agents.isUnblocked', { name }));
    });
  const renew = async (): Promise<void> => {
    const question = { title: t('agents.password.title', { name }), text: t('agents.password.text') };
    if (!(await confirm({ ...question, action: t('agents.password.new'), danger: true }))) return;
    await change(async () =>
      showPassword(name, intercom, (await client.renewSipPassword({ params })).sip_password),
    );
  };
  return (
    <>
      <ProvisionPhone name={name} eid={eid} />
      <Button icon="key" disabled={disabled} onClick={() => void renew()}>
        {t('agents.password.new')}
      </Button>
      {agent.custom_status === 1 ? (
        <Button icon="check" disabled={disabled} onClick={() => void unblock()}>
          {t('agents.unblock')}
        </Button>
      ) : (
        <Button icon="stop" disabled={disabled} onClick={() => void block()}>
          {t('agents.block')}
        </Button>
      )}
    </>
  );
}
