// Sign-in by e-mail address and password, with an access token, or by a one-time link printed on the server.
import { useEffect, useRef, useState } from 'react';
import { DialtreeError } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Loading, Notice } from '../../kit/states.tsx';
import { go, Link, useRoute } from '../../router.tsx';
import { LANGUAGES, useWords } from '../../words/words.tsx';
import { Forgot } from './forgot.tsx';
import { Join } from './join.tsx';
import { MakeOwner } from './make-owner.tsx';
import { OtherWays } from './other-ways.tsx';
import { PasswordForm } from './password-form.tsx';
import { TokenForm } from './token-form.tsx';

/** Pages of people who are not signed in. */
export const OUTSIDE: readonly string[] = ['sign-in', 'join', 'forgot', 'owner'];

export function SignIn() {
  const { t, language, setLanguage } = useWords();
  const { parts } = useRoute();
  const { account } = useSession();
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
      <Chosen place={parts[0] ?? ''} code={parts[1] ?? null} />
      {account && parts[0] !== 'owner' && <Link to="/">{t('signIn.back', { account: account.name })}</Link>}
      <SelectField label={t('shell.language')} value={language} options={LANGUAGES} onChange={setLanguage} />
    </main>
  );
}

function Chosen({ place, code }: { readonly place: string; readonly code: string | null }) {
  const { account } = useSession();
  if (place === 'join' && code !== null) return <Join code={code} />;
  if (place === 'forgot') return <Forgot />;
  if (place === 'owner' && account?.owner_missing) return <MakeOwner />;
  return <Ways code={place === 'sign-in' ? code : null} />;
}

function Ways({ code }: { readonly code: string | null }) {
  const { t } = useWords();
  const { parts, path, query } = useRoute();
  const { lapsed } = useSession();
  const [byToken, setByToken] = useState(false);
  const here = query.size === 0 ? path : `${path}?${query}`;
  const next = OUTSIDE.includes(parts[0] ?? '') ? '/' : here;
  return (
    <>
      <h1>{t('signIn.title')}</h1>
      {lapsed && <Notice tone="info">{t('signIn.lapsed')}</Notice>}
      {code !== null && <ByLink code={code} />}
      {byToken ? <TokenForm next={next} /> : <PasswordForm next={next} />}
      <OtherWays next={next} />
      <Button kind="quiet" onClick={() => setByToken(!byToken)}>
        {t(byToken ? 'signIn.byPassword' : 'signIn.byToken')}
      </Button>
    </>
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
    signIn({ link: code }).then(
      (account) => go(account?.owner_missing ? '/owner' : '/', { replace: true }),
      setFailed,
    );
  }, [code, signIn]);
  if (failed === null) return <Loading />;
  const known = failed instanceof DialtreeError;
  return <Notice tone="bad">{known ? t('signIn.link.used') : t('kit.failed.offline')}</Notice>;
}
