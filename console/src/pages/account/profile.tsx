import { type FormEvent, useState } from 'react';
import type { User } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

interface ProfileProps {
  readonly user: User;
  readonly onChange: () => void;
}

export function Profile({ user, onChange }: ProfileProps) {
  const { t } = useWords();
  const toast = useToast();
  const { look } = useSession();
  const [name, setName] = useState(user.name);
  const { faults, busy, send } = useRequest();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void send(async () => {
      await client.putOwnName({ body: { name } });
      toast(t('users.saved'));
      await look();
      onChange();
    });
  };
  return (
    <form className="account-part" onSubmit={save} noValidate aria-label={t('account.profile')}>
      <h2>{t('account.profile')}</h2>
      <p>
        {user.email} · {t(`users.role.${user.role}`)}
      </p>
      <TextField
        label={t('users.name')}
        autoComplete="name"
        value={name}
        onChange={setName}
        fault={faults.at('/name') ?? faults.general}
      />
      <Button type="submit" busy={busy}>
        {t('kit.save')}
      </Button>
    </form>
  );
}
