// Passkeys of the own account. The code for them is loaded when one is added.
import { useState } from 'react';
import type { BeginPasskeyInput, User } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { useFaults } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

interface PasskeysProps {
  readonly user: User;
  readonly onChange: () => void;
}

/** The browser has them in secure contexts alone. */
export const hasPasskeys = (): boolean => isSecureContext && 'PublicKeyCredential' in globalThis;

/** What shows that it is the user who adds one: the password, or without one a passkey that they have. */
async function proofOf(user: User, current: string): Promise<BeginPasskeyInput> {
  if (user.has_password) return { current: current === '' ? null : current };
  if (user.passkeys.length === 0) return {};
  const { options, state } = await client.beginPasskeySignIn();
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: JSON.parse(options) });
  return { state, response: JSON.stringify(response) };
}

export function Passkeys({ user, onChange }: PasskeysProps) {
  const { t, date } = useWords();
  const toast = useToast();
  const attempt = useAttempt();
  const [name, setName] = useState(t('account.passkeys.name.default'));
  const [current, setCurrent] = useState('');
  const [busy, setBusy] = useState(false);
  const faults = useFaults();
  const add = async (): Promise<void> => {
    setBusy(true);
    faults.clear();
    try {
      const { options, state } = await client.beginPasskey({ body: await proofOf(user, current) });
      setCurrent('');
      const { startRegistration } = await import('@simplewebauthn/browser');
      const response = await startRegistration({ optionsJSON: JSON.parse(options) });
      await client.createPasskey({ body: { name, state, response: JSON.stringify(response) } });
      toast(t('account.passkeys.added'));
      onChange();
    } catch (error) {
      faults.take(error);
      // Cancelled by the user, refused by the device or by the service: to the user it is the same.
      if (user.has_password || user.passkeys.length > 0) toast(t('account.passkeys.failed'), 'bad');
      else toast(t('account.passkeys.again'), 'bad');
    } finally {
      setBusy(false);
    }
  };
  const remove = async (id: string): Promise<void> => {
    await attempt(() => client.deletePasskey({ params: { id } }));
    onChange();
  };
  return (
    <section className="account-part" aria-label={t('account.passkeys')}>
      <h2>{t('account.passkeys')}</h2>
      <p>{t('account.passkeys.text')}</p>
      {user.passkeys.length > 0 && (
        <ul className="account-list">
          {user.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                {passkey.name}, {date(passkey.created_at)}
              </span>
              <Button
                aria-label={t('account.passkeys.delete', { name: passkey.name })}
                onClick={() => void remove(passkey.id)}
              >
                {t('users.delete')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {hasPasskeys() ? (
        <>
          <TextField label={t('account.passkeys.name')} value={name} onChange={setName} />
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
          <Button busy={busy} onClick={() => void add()}>
            {t('account.passkeys.add')}
          </Button>
        </>
      ) : (
        <Notice tone="info">{t('account.passkeys.insecure')}</Notice>
      )}
    </section>
  );
}
