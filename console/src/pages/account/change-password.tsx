import { type FormEvent, useState } from 'react';
import type { User } from '../../../../client/operations.ts';
import { MIN_PASSWORD } from '../../../../src/domain/user.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

interface ChangePasswordProps {
  readonly user: User;
  readonly onChange: () => void;
}

export function ChangePassword({ user, onChange }: ChangePasswordProps) {
  const { t, hinted } = useWords();
  const toast = useToast();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [short, setShort] = useState(false);
  const { faults, busy, send } = useRequest();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setShort(password.length < MIN_PASSWORD);
    if (password.length < MIN_PASSWORD) return;
    void send(async () => {
      await client.putOwnPassword({ body: { current: current === '' ? null : current, password } });
      setCurrent('');
      setPassword('');
      toast(t('account.password.changed'));
      onChange();
    });
  };
  return (
    <form className="account-part" onSubmit={save} noValidate aria-label={t('account.password')}>
      <h2>{t('account.password')}</h2>
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      <input type="email" autoComplete="username" value={user.email} readOnly hidden />
      {user.has_password && (
        <TextField
          label={t('account.password.current')}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          fault={faults.at('/current') && t('account.password.wrong')}
        />
      )}
      <TextField
        {...hinted('password.new')}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        fault={short ? t('password.short') : faults.at('/password')}
      />
      <Button type="submit" busy={busy}>
        {t('account.password.change')}
      </Button>
    </form>
  );
}
