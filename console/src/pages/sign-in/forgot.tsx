import { type FormEvent, useState } from 'react';
import { client } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';

export function Forgot() {
  const { t, hinted } = useWords();
  const { emailResets } = useSession();
  const [email, setEmail] = useState('');
  const [named, setNamed] = useState('');
  const [sent, setSent] = useState(false);
  const { faults, busy, send } = useRequest();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send(async () => {
      const account = named.trim() === '' ? {} : { account: named.trim() };
      await client.requestReset({ body: { email: email.trim(), ...account } });
      setSent(true);
    });
  };
  return (
    <>
      <h1>{t('signIn.forgot.title')}</h1>
      {!emailResets && <Notice tone="info">{t('signIn.forgot.noMail')}</Notice>}
      {sent && <Notice tone="good">{t('signIn.forgot.sent')}</Notice>}
      {emailResets && !sent && (
        <form onSubmit={submit} noValidate>
          <p>{t('signIn.forgot.text')}</p>
          <TextField
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            fault={faults.at('/email') ?? faults.general}
          />
          <TextField
            {...hinted('signIn.account')}
            autoComplete="organization"
            value={named}
            onChange={setNamed}
            fault={faults.at('/account')}
          />
          <Button kind="primary" type="submit" busy={busy}>
            {t('signIn.forgot.send')}
          </Button>
        </form>
      )}
      <Link to="/sign-in">{t('signIn.forgot.back')}</Link>
    </>
  );
}
