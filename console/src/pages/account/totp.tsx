// The authenticator app of the own account: turned on by a QR code and a first code, off by a code.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { TotpBegun, User } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copy.tsx';
import { Dialog, FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Loading, Notice } from '../../kit/states.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

const QrCode = lazy(async () => ({ default: (await import('../guide/qr-code.tsx')).QrCode }));

interface TotpProps {
  readonly user: User;
  readonly onChange: () => void;
}

export function Totp({ user, onChange }: TotpProps) {
  const { t } = useWords();
  const toast = useToast();
  const attempt = useAttempt();
  const [begun, setBegun] = useState<TotpBegun | null>(null);
  const [stopping, setStopping] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = async (): Promise<void> => {
    await attempt(async () => setBegun(await client.beginTotp()));
  };
  return (
    <section className="account-part" aria-label={t('account.totp')}>
      <h2>{t('account.totp')}</h2>
      <p>{user.totp ? t('account.totp.on', { count: user.recovery_codes }) : t('account.totp.off')}</p>
      {user.totp ? (
        <Button onClick={() => setStopping(true)}>{t('account.totp.stop')}</Button>
      ) : (
        <Button onClick={() => void begin()}>{t('account.totp.start')}</Button>
      )}
      {begun && (
        <AskCode
          title={t('account.totp')}
          action={t('account.totp.confirm')}
          onClose={() => setBegun(null)}
          onCode={async (code) => {
            const { recovery_codes } = await client.confirmTotp({ body: { code, state: begun.state } });
            setBegun(null);
            setCodes(recovery_codes);
          }}
        >
          <Scan begun={begun} />
        </AskCode>
      )}
      {stopping && (
        <AskCode
          title={t('account.totp.stop')}
          action={t('account.totp.stop')}
          onClose={() => setStopping(false)}
          onCode={async (code) => {
            await client.deleteTotp({ body: { code } });
            setStopping(false);
            toast(t('account.totp.stopped'));
            onChange();
          }}
        />
      )}
      <RecoveryCodes
        codes={codes}
        onClose={() => {
          setCodes(null);
          onChange();
        }}
      />
    </section>
  );
}

function Scan({ begun: { uri, secret } }: { readonly begun: TotpBegun }) {
  const { t } = useWords();
  return (
    <>
      <p>{t('account.totp.scan')}</p>
      <div className="account-code">
        <Suspense fallback={<Loading />}>
          <QrCode text={uri} label={t('account.totp.scan')} />
        </Suspense>
      </div>
      <p>
        {t('account.totp.secret')}: <Copyable text={secret} label={t('account.totp.secret')} />
      </p>
    </>
  );
}

interface AskCodeProps {
  readonly title: string;
  readonly action: string;
  readonly onClose: () => void;
  readonly onCode: (code: string) => Promise<void>;
  readonly children?: ReactNode;
}

function AskCode({ title, action, onClose, onCode, children }: AskCodeProps) {
  const { t, hinted } = useWords();
  const [code, setCode] = useState('');
  const { faults, busy, send } = useRequest();
  return (
    <FormDialog
      title={title}
      action={action}
      busy={busy}
      onSubmit={() => send(() => onCode(code.trim()))}
      onClose={onClose}
    >
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      {children}
      <TextField
        {...hinted('signIn.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        fault={faults.at('/code') && t('signIn.code.refused')}
      />
    </FormDialog>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useWords();
  const done = (
    <Button kind="primary" onClick={onClose}>
      {t('records.once.done')}
    </Button>
  );
  return (
    <Dialog title={t('account.totp.recovery')} open={codes !== null} onClose={onClose} footer={done}>
      <p>{t('account.totp.recovery.text')}</p>
      <ul className="account-codes">
        {codes?.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
