// The first start: whoever opened its link becomes the owner of the account.
import { type FormEvent, useState } from 'react';
import { MIN_PASSWORD } from '../../../../src/domain/user.ts';
import { client } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { go } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';

export function MakeOwner() {
  const { t, hinted } = useWords();
  const { look } = useSession();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [short, setShort] = useState(false);
  const { faults, busy, send } = useRequest();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setShort(password.length < MIN_PASSWORD);
    if (password.length < MIN_PASSWORD) return;
    void send(async () => {
      await client.createOwner({ body: { name, email, password } });
      await look();
      go('/', { replace: true });
    });
  };
  return (
    <>
      <h1>{t('owner.title')}</h1>
      <p>{t('owner.text')}</p>
      <form onSubmit={submit} noValidate>
        {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
        <TextField
          label={t('owner.name')}
          autoComplete="name"
          value={name}
          onChange={setName}
          fault={faults.at('/name')}
        />
        <TextField
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          fault={faults.at('/email')}
        />
        <TextField
          {...hinted('password.new')}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          fault={short ? t('password.short') : faults.at('/password')}
        />
        <Button kind="primary" type="submit" busy={busy}>
          {t('owner.submit')}
        </Button>
        <Button kind="quiet" onClick={() => go('/', { replace: true })}>
          {t('owner.later')}
        </Button>
      </form>
    </>
  );
}
