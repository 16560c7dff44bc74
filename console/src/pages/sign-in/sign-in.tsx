// Sign-in with an access token, or by a one-time link printed on the server.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { DialtreeError } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { SelectField, TextField } from '../../kit/field.tsx';
import { Loading, Notice } from '../../kit/states.tsx';
import { go, Link, useRoute } from '../../router.tsx';
import { LANGUAGES, useWords } from '../../words/words.tsx';

export function SignIn() {
  const { t, language, setLanguage } = useWords();
  const { parts, path, query } = useRoute();
  const { account, lapsed } = useSession();
  const code = parts[0] === 'sign-in' ? (parts[1] ?? null) : null;
  const here = query.size === 0 ? path : `${path}?${query}`;
  useEffect(() => {
    const before = document.title;
    document.title = `${t('signIn.title')} · Dialtree`;
    return () => {
      document.title = before;
    };
  }, [t]);
  return (
    <main className="sign-in">
      <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="48" height="48" />
      <h1>{t('signIn.title')}</h1>
      {lapsed && <Notice tone="info">{t('signIn.lapsed')}</Notice>}
      {code === null ? <TokenForm next={parts[0] === 'sign-in' ? '/' : here} /> : <ByLink code={code} />}
      {account && <Link to="/">{t('signIn.back', { account: account.name })}</Link>}
      <SelectField label={t('shell.language')} value={language} options={LANGUAGES} onChange={setLanguage} />
    </main>
  );
}

function TokenForm({ next }: { readonly next: string }) {
  const { t, hinted } = useWords();
  const { signIn } = useSession();
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const { faults, busy, send } = useRequest();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setMissing(token.trim() === '');
    if (token.trim() === '') return;
    await send(async () => {
      await signIn({ token: token.trim() });
      go(next, { replace: true });
    });
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        {...hinted('signIn.token')}
        type="password"
        autoComplete="current-password"
        value={token}
        onChange={setToken}
        fault={missing ? t('signIn.token.missing') : (faults.at('/token') ?? faults.general)}
      />
      <Button kind="primary" type="submit" busy={busy}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}

function ByLink({ code }: { readonly code: string }) {
  const { t } = useWords();
  const { signIn } = useSession();
  const [failed, setFailed] = useState<unknown>(null);
  const tried = useRef(false);
  useEffect(() => {
    // The link works once: a second render must not use it again.
    if (tried.current) return;
    tried.current = true;
    signIn({ link: code }).then(() => go('/', { replace: true }), setFailed);
  }, [code, signIn]);
  if (failed === null) return <Loading />;
  const known = failed instanceof DialtreeError;
  return (
    <>
      <Notice tone="bad">{known ? t('signIn.link.used') : t('kit.failed.offline')}</Notice>
      <TokenForm next="/" />
    </>
  );
}
