// An address by which one phone configures itself: for desk phones as text, for Linphone as the QR code that it scans. Zoiper scans
// codes that its maker draws: a link leads there.
import { lazy, Suspense, useState } from 'react';
import type { Operations } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/field.tsx';
import { Loading, Notice } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import '../guide/guide.css';

const QrCode = lazy(async () => ({ default: (await import('../guide/qr-code.tsx')).QrCode }));

type Provisioning = Operations['createProvisioning']['answer'];

/** As it is typed into each phone, and what the makers call the field. */
const PHONES = [
  { name: 'Yealink', path: 'yealink' },
  { name: 'Snom', path: 'snom' },
  { name: 'Grandstream', path: 'grandstream' },
  { name: 'Linphone', path: 'linphone' },
] as const;

export function ProvisionPhone({ name, eid }: { readonly name: string; readonly eid: string }) {
  const { t } = useWords();
  const attempt = useAttempt();
  const [made, setMade] = useState<Provisioning | null>(null);
  const make = () =>
    attempt(async () => setMade(await client.createProvisioning({ params: { eid }, body: {} })));
  const close = (): void => setMade(null);
  const urlOf = (path: string): string => `${location.origin}${path}`;
  return (
    <>
      <Button icon="phone" onClick={() => void make()}>
        {t('agents.provision')}
      </Button>
      <Dialog
        title={t('agents.provision.of', { name })}
        open={made !== null}
        onClose={close}
        footer={
          <Button kind="primary" onClick={close}>
            {t('records.once.done')}
          </Button>
        }
      >
        <p>{t('agents.provision.text')}</p>
        {made && (
          <>
            <figure className="guide-qr-frame">
              <Suspense fallback={<Loading />}>
                <QrCode text={urlOf(made.paths.linphone)} label={t('agents.provision.qr.label', { name })} />
              </Suspense>
              <figcaption>{t('agents.provision.qr')}</figcaption>
            </figure>
            <dl className="records-facts">
              {PHONES.map((phone) => (
                <div key={phone.path}>
                  <dt>{phone.name}</dt>
                  <dd>
                    <Copyable text={urlOf(made.paths[phone.path])} label={phone.name} />
                  </dd>
                </div>
              ))}
            </dl>
            <ZoiperLink code={made.code} />
            {location.protocol !== 'https:' && <Notice tone="warn">{t('agents.provision.http')}</Notice>}
          </>
        )}
      </Dialog>
    </>
  );
}

/** In this browser: the operator's page at Zoiper, which is the same for all agents. */
const STORED = 'dialtree.zoiper';

function ZoiperLink({ code }: { readonly code: string }) {
  const { t } = useWords();
  const [provider, setProvider] = useState(() => localStorage.getItem(STORED) ?? '');
  const change = (next: string): void => {
    localStorage.setItem(STORED, next.trim());
    setProvider(next.trim());
  };
  const query = new URLSearchParams({ provider_id: provider, t: code });
  return (
    <>
      <TextField
        label={t('agents.provision.zoiper')}
        hint={t('agents.provision.zoiper.hint', { url: `${location.origin}/provisioning/zoiper/` })}
        value={provider}
        onChange={change}
        maxLength={64}
      />
      {provider !== '' && (
        <p>
          <a href={`https://oem.zoiper.com/qr.php?${query}`} target="_blank" rel="noreferrer">
            {t('agents.provision.zoiper.open')}
          </a>
        </p>
      )}
    </>
  );
}
