import { useState } from 'react';
import type { User } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { FormDialog, useConfirm } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { Notice } from '../../kit/states.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import type { MadeLink } from './made-link.ts';
import { type UserDraft, UserFields } from './user-fields.tsx';

interface EditUserProps {
  readonly user: User;
  readonly onClose: () => void;
  readonly onLink: (link: MadeLink) => void;
}

export function EditUser({ user, onClose, onLink }: EditUserProps) {
  const { t } = useWords();
  const toast = useToast();
  const { id, name, email, role, agent } = user;
  const [draft, setDraft] = useState<UserDraft>({ name, email, role, agent: agent ?? '' });
  const { faults, busy, send } = useRequest();
  const save = () =>
    send(async () => {
      const body = { ...draft, agent: draft.agent === '' ? null : draft.agent };
      await client.patchUser({ params: { id }, body });
      toast(t('users.saved'));
      onClose();
    });
  return (
    <FormDialog
      title={t('users.edit.this', { name })}
      action={t('kit.save')}
      busy={busy}
      onSubmit={save}
      onClose={onClose}
    >
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      <UserFields draft={draft} onChange={setDraft} faults={faults} />
      {draft.role !== role && <Notice tone="info">{t('users.role.change')}</Notice>}
      <Deeds user={user} onClose={onClose} onLink={onLink} />
    </FormDialog>
  );
}

/** What is done with a user beside the fields. */
function Deeds({ user, onClose, onLink }: EditUserProps) {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const isSelf = useSession().account?.user?.id === user.id;
  const { id, name, state } = user;
  const params = { id };
  const link = async (): Promise<void> => {
    await attempt(async () => onLink({ name, ...(await client.createUserLink({ params })) }));
  };
  const signOut = async (): Promise<void> => {
    await attempt(async () => {
      const { browsers } = await client.endUserSessions({ params });
      toast(t('users.signedOut', { count: browsers }));
    });
  };
  const enable = async (disabled: boolean): Promise<void> => {
    if (await attempt(() => client.patchUser({ params, body: { disabled } }))) onClose();
  };
  const resetFactor = async (): Promise<void> => {
    const question = { title: t('users.factor.reset'), text: t('users.factor.reset.text', { name }) };
    if (!(await confirm({ ...question, action: t('users.factor.reset'), danger: true }))) return;
    if (!(await attempt(() => client.resetSecondFactor({ params })))) return;
    toast(t('users.factor.removed'));
    onClose();
  };
  const remove = async (): Promise<void> => {
    const question = { title: t('users.delete.title', { name }), text: t('users.delete.text') };
    if (!(await confirm({ ...question, action: t('users.delete'), danger: true }))) return;
    if (!(await attempt(() => client.deleteUser({ params })))) return;
    toast(t('users.deleted'));
    onClose();
  };
  return (
    <div className="page-actions">
      {state !== 'disabled' && <Button onClick={() => void link()}>{t('users.link.new')}</Button>}
      <Button onClick={() => void signOut()}>{t('users.signOut')}</Button>
      {(user.totp || user.passkeys.length > 0) && (
        <Button onClick={() => void resetFactor()}>{t('users.factor.reset')}</Button>
      )}
      {!isSelf && (
        <Button onClick={() => void enable(state !== 'disabled')}>
          {t(state === 'disabled' ? 'users.enable' : 'users.disable')}
        </Button>
      )}
      {!isSelf && (
        <Button kind="danger" onClick={() => void remove()}>
          {t('users.delete')}
        </Button>
      )}
    </div>
  );
}
