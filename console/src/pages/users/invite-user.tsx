import { useState } from 'react';
import { client } from '../../data/client.ts';
import { FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import type { MadeLink } from './made-link.ts';
import { type UserDraft, UserFields } from './user-fields.tsx';

interface InviteUserProps {
  readonly onClose: () => void;
  readonly onMade: (link: MadeLink) => void;
}

export function InviteUser({ onClose, onMade }: InviteUserProps) {
  const { t } = useWords();
  const [draft, setDraft] = useState<UserDraft>({ name: '', email: '', role: 'viewer', agent: '' });
  const { faults, busy, send } = useRequest();
  const invite = () =>
    send(async () => {
      const body = { ...draft, agent: draft.agent === '' ? null : draft.agent };
      const { path, mailed } = await client.createUser({ body });
      onMade({ name: draft.name, path, mailed });
    });
  return (
    <FormDialog
      title={t('users.new')}
      action={t('users.invite.send')}
      busy={busy}
      onSubmit={invite}
      onClose={onClose}
    >
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      <UserFields draft={draft} onChange={setDraft} faults={faults} />
    </FormDialog>
  );
}
