// E-mail address and password; the code of the authenticator app is asked for where the user has one.
import { type FormEvent, useState } from 'react';
import { DialtreeError } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { go, Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { refusalOf } from './refusal.ts';

export function PasswordForm({ next }: { readonly next: string }) {
  const { t, hinted } = useWords();
  const { signIn } = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** Null if not asked for. */
  const [named, setNamed] = useState<string | null>(null);
  /** Null if not asked for. */
  const [code, setCode] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setRefusal(null);
    setBusy(true);
    try {
      const more = code === null || code.trim() === '' ? {} : { code: code.trim() };
      const account = named === null || named.trim() === '' ? {} : { account: named.trim() };
      await signIn({ email: email.trim(), password, ...more, ...account });
      go(next, { replace: true });
    } catch (error) {
      if (error instanceof DialtreeError && error.code === 'code_needed') setCode('');
      else {
        setNamed((before) => before ?? '');
        setRefusal(refusalOf(error, t, code === null ? 'signIn.refused' : 'signIn.code.refused'));
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
      <TextField
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
      />
      <TextField
        label={t('signIn.password')}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      {named !== null && (
        <TextField
          {...hinted('signIn.account')}
          autoComplete="organization"
          value={named}
          onChange={setNamed}
        />
      )}
      {code !== null && (
        <TextField
          {...hinted('signIn.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={setCode}
        />
      )}
      <Button kind="primary" type="submit" busy={busy}>
        {t('signIn.submit')}
      </Button>
      <Link to="/forgot">{t('signIn.forgot')}</Link>
    </form>
  );
}
