// Step 3: a number that leads to the menu, and the first call.
import { type FormEvent, useState } from 'react';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copy.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { CallWatch } from './call-watch.tsx';
import { useOnce } from './once.ts';
import type { GuideAgent, GuideMenu, GuideNumber } from './progress.ts';
import { callUri } from './sip-address.ts';
import { useSipServer } from './telephony.ts';

interface NumberStepProps {
  readonly agent: GuideAgent | null;
  readonly menu: GuideMenu | null;
  readonly number: GuideNumber | null;
  readonly proposed: string;
  readonly onNumber: (id: string) => void;
}

export function NumberStep({ agent, menu, number, proposed, onNumber }: NumberStepProps) {
  const { t } = useWords();
  if (!menu) return <p>{t('guide.number.needMenu')}</p>;
  if (!number) return <NewNumber menu={menu} proposed={proposed} onNumber={onNumber} />;
  return <CallIt number={number.number} agent={agent?.name ?? ''} />;
}

interface NewNumberProps {
  readonly menu: GuideMenu;
  readonly proposed: string;
  readonly onNumber: (id: string) => void;
}

function NewNumber({ menu, proposed, onNumber }: NewNumberProps) {
  const { t } = useWords();
  const { faults, busy, send } = useRequest();
  const [number, setNumber] = useState(proposed);
  const idempotencyKey = useOnce(`${number} ${menu.id}`);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await send(async () => {
      const { id } = await client.createNumber({
        body: { number, destination: `ivr||${menu.id}` },
        idempotencyKey,
      });
      changed('number');
      onNumber(id);
    });
  };
  const general = faults.general ?? faults.at('/destination');
  return (
    <form className="form" onSubmit={(event) => void create(event)} noValidate>
      <p>{t('guide.number.intro')}</p>
      <TextField
        label={t('guide.number.number')}
        inputMode="tel"
        value={number}
        onChange={setNumber}
        fault={faults.at('/number')}
      />
      {general && <Notice tone="bad">{general}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" busy={busy}>
          {t('guide.number.create')}
        </Button>
      </div>
    </form>
  );
}

function CallIt({ number, agent }: { readonly number: string; readonly agent: string }) {
  const { t } = useWords();
  const { server, off } = useSipServer();
  if (off) return <Notice tone="warn">{t('guide.off.text')}</Notice>;
  // The command calls port 5060 of its own machine by itself.
  const elsewhere = server && server.port !== 5060 ? ` --server ${server.host}:${server.port}` : '';
  const ways = [
    { name: t('guide.call.phone'), text: number },
    ...(server ? [{ name: t('guide.call.softphone'), text: callUri(number, server.host, server.port) }] : []),
    { name: t('guide.call.terminal'), text: `node bin/dialtree.js call ${number}${elsewhere}` },
  ];
  return (
    <>
      <h3>{t('guide.call.title')}</h3>
      <dl className="guide-settings">
        {ways.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Copyable text={text} label={name} />
            </dd>
          </div>
        ))}
      </dl>
      {server && <CallWatch number={number} agent={agent} />}
    </>
  );
}
