// Signing in without a password: by a passkey, or by the OpenID Connect provider of the service.
import { useEffect, useRef, useState } from 'react';
import { client, DialtreeError, finishOidc } from '../../data/client.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { Loading, Notice } from '../../kit/states.tsx';
import { go, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';

const hasPasskeys = (): boolean => isSecureContext && 'PublicKeyCredential' in globalThis;
const REFUSALS = ['refused', 'unverified', 'several', 'failed'] as const;

export function OtherWays({ next }: { readonly next: string }) {
  const { t } = useWords();
  const { look, oidc } = useSession();
  const { query } = useRoute();
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const refusal = REFUSALS.find((each) => each === query.get('oidc'));
  const byPasskey = async (): Promise<void> => {
    setFailed(null);
    setBusy(true);
    try {
      const { options, state } = await client.beginPasskeySignIn();
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const response = await startAuthentication({ optionsJSON: JSON.parse(options) });
      await client.signInByPasskey({ body: { state, response: JSON.stringify(response) } });
      await look();
      go(next, { replace: true });
    } catch (error) {
      // Whoever cancelled knows it.
      const isCancelled = error instanceof Error && error.name === 'NotAllowedError';
      if (!isCancelled)
        setFailed(t(error instanceof DialtreeError ? 'signIn.passkey.failed' : 'kit.failed.offline'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {query.get('oidc') === 'finished' && <FinishOidc />}
      {failed !== null && <Notice tone="bad">{failed}</Notice>}
      {refusal && <Notice tone="bad">{t(`signIn.oidc.${refusal}`)}</Notice>}
      {hasPasskeys() && (
        <Button icon="key" busy={busy} onClick={() => void byPasskey()}>
          {t('signIn.byPasskey')}
        </Button>
      )}
      {oidc !== null && (
        <a className="button button-plain" href="/v1/session/oidc">
          {t('signIn.byOidc', { provider: oidc })}
        </a>
      )}
    </>
  );
}

/** Back from the provider: the page itself asks for the session, so that it replaces the one that the browser has. */
function FinishOidc() {
  const { t } = useWords();
  const { look } = useSession();
  const [failed, setFailed] = useState(false);
  const tried = useRef(false);
  useEffect(() => {
    // It works once: a second render must not ask again.
    if (tried.current) return;
    tried.current = true;
    const finish = async (): Promise<void> => {
      if (!(await finishOidc())) return setFailed(true);
      await look();
      go('/', { replace: true });
    };
    finish().catch(() => setFailed(true));
  }, [look]);
  return failed ? <Notice tone="bad">{t('signIn.oidc.failed')}</Notice> : <Loading />;
}
