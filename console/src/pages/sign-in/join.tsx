// Where an invitation or a reset link leads: a password is chosen, and the browser is signed in.
import { type FormEvent, useState } from 'react';
import type { UserLink } from '../../../../client/operations.ts';
import { MIN_PASSWORD } from '../../../../src/domain/user.ts';
import { useAsk } from '../../data/ask.ts';
import { client, DialtreeError, oidcAddressFor } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { go, Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';

export function Join({ code }: { readonly code: string }) {
  const { t } = useWords();
  const { value, error, again } = useAsk((signal) => client.readUserLink({ body: { code }, signal }), [code]);
  const isSpent = error instanceof DialtreeError && error.code === 'link_invalid';
  if (value) return <ChoosePassword code={code} link={value} />;
  return (
    <>
      <h1>{t('signIn.title')}</h1>
      {error === null && <Loading />}
      {isSpent && <Notice tone="bad">{t('join.spent')}</Notice>}
      {error !== null && !isSpent && <Failure error={error} onAgain={again} />}
      <Link to="/sign-in">{t('signIn.forgot.back')}</Link>
    </>
  );
}

function ChoosePassword({ code, link }: { readonly code: string; readonly link: UserLink }) {
  const { t, hinted } = useWords();
  const { look, oidc } = useSession();
  const [password, setPassword] = useState('');
  const [short, setShort] = useState(false);
  const [done, setDone] = useState(false);
  const [going, setGoing] = useState(false);
  const [failed, setFailed] = useState(false);
  const { faults, busy, send } = useRequest();
  const { use, name, email, account } = link;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setShort(password.length < MIN_PASSWORD);
    if (password.length < MIN_PASSWORD) return;
    void send(async () => {
      const answer = await client.acceptUserLink({ body: { code, password } });
      if ('account' in answer) {
        await look();
        go('/', { replace: true });
      } else setDone(true);
    });
  };
  const byProvider = async (): Promise<void> => {
    setGoing(true);
    const url = await oidcAddressFor(code).catch(() => null);
    if (url !== null) location.href = url;
    setFailed(url === null);
    setGoing(url !== null);
  };
  if (done)
    return (
      <>
        <h1>{t('join.title.reset')}</h1>
        <Notice tone="good">{t('join.done')}</Notice>
        <Link to="/sign-in">{t('signIn.forgot.back')}</Link>
      </>
    );
  return (
    <>
      <h1>{t(`join.title.${use}`, { name })}</h1>
      <p>{t(`join.text.${use}`, { account, email })}</p>
      <form onSubmit={submit} noValidate>
        {/* Password managers store the password under this name. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          {...hinted('password.new')}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          fault={short ? t('password.short') : (faults.at('/password') ?? faults.general)}
        />
        <Button kind="primary" type="submit" busy={busy}>
          {t('join.submit')}
        </Button>
      </form>
      {oidc !== null && (
        <Button busy={going} onClick={() => void byProvider()}>
          {t('signIn.byOidc', { provider: oidc })}
        </Button>
      )}
      {failed && <Notice tone="bad">{t('signIn.oidc.failed')}</Notice>}
    </>
  );
}
