// The SIP settings with copy buttons, and as a QR code if the password is known.
import { lazy, Suspense } from 'react';
import { Copyable } from '../../kit/copy.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import './guide.css';
import { sipUri } from './sip-address.ts';
import { useSipServer } from './telephony.ts';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

interface SipSettingsProps {
  /** The agent's intercom number: the user name. */
  readonly intercom: string;
  /** Known only right after it was created. */
  readonly password?: string | undefined;
}

export function SipSettings({ intercom, password }: SipSettingsProps) {
  const { t } = useWords();
  const { server, off, error, again } = useSipServer();
  if (error) return <Failure error={error} onAgain={again} />;
  if (off) return <Notice tone="warn">{t('sip.off')}</Notice>;
  if (!server) return <Loading />;
  const rows = [
    { name: t('sip.server'), value: server.host },
    { name: t('sip.port'), value: String(server.port) },
    { name: t('sip.transport'), value: server.transport.toUpperCase() },
    { name: t('sip.user'), value: intercom },
    ...(password === undefined ? [] : [{ name: t('sip.password'), value: password }]),
  ];
  return (
    <div className="guide-sip">
      <div className="guide-sip-body">
        <dl className="guide-settings" aria-label={t('sip.settings')}>
          {rows.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Copyable text={value} label={name} />
              </dd>
            </div>
          ))}
        </dl>
        {password !== undefined && (
          <figure className="guide-qr-frame">
            <Suspense fallback={<Loading />}>
              <QrCode
                text={sipUri({ ...server, user: intercom }, password)}
                label={t('sip.qr.label', { user: intercom })}
              />
            </Suspense>
            <figcaption>{t('sip.qr.hint')}</figcaption>
          </figure>
        )}
      </div>
      {password === undefined ? (
        <p className="field-hint">{t('sip.password.unknown')}</p>
      ) : (
        <Notice tone="info">{t('sip.password.once')}</Notice>
      )}
      {server.note === 'loopback' && <Notice tone="warn">{t('sip.loopback', { host: server.host })}</Notice>}
      {server.note === 'everywhere' && <p className="field-hint">{t('sip.everywhere')}</p>}
    </div>
  );
}
