import { useState } from 'react';
import type { Voicemail } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { apiUrl, client } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { Player } from '../../kit/player.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { CallBack } from '../../phone-dock/call-this.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';

const STEP = 50;
const MOST = 500;

export function Messages({ box }: { readonly box: string }) {
  const { t } = useWords();
  const [limit, setLimit] = useState(STEP);
  const { value, error, again } = useAsk(
    (signal) => client.listVoicemails({ query: { box, limit }, signal }),
    [box, limit],
  );
  return (
    <div className="records-more">
      <Section title={t('voicemail.messages')}>
        {error !== null && <Failure error={error} onAgain={again} />}
        {value === null && error === null && <Loading />}
        {value?.data.length === 0 && <p className="records-quiet">{t('voicemail.messages.none')}</p>}
        <ul className="records-list">
          {value?.data.map((message) => (
            <Message key={message.id} message={message} onChange={again} />
          ))}
        </ul>
        {value?.next_cursor && limit < MOST && (
          <Button onClick={() => setLimit(limit + STEP)}>{t('records.more')}</Button>
        )}
      </Section>
    </div>
  );
}

function Message({ message, onChange }: { readonly message: Voicemail; readonly onChange: () => void }) {
  const { t, dateTime, duration } = useWords();
  const confirm = useConfirm();
  const attempt = useAttempt();
  const params = { id: message.id };
  const caller = message.caller_name || message.caller || t('voicemail.withheld');
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (await attempt(work)) onChange();
  };
  const remove = async (): Promise<void> => {
    const text = t('voicemail.delete.text', { caller });
    if (!(await confirm({ title: t('voicemail.delete.title'), text, action: t('kit.delete'), danger: true })))
      return;
    await change(() => client.deleteVoicemail({ params }));
  };
  const mark = () =>
    change(() =>
      message.heard ? client.markVoicemailUnheard({ params }) : client.markVoicemailHeard({ params }),
    );
  return (
    <li className="records-item">
      <div className="records-item-main">
        <strong>{caller}</strong> {!message.heard && <Badge tone="info">{t('voicemail.unheard')}</Badge>}
        <div className="records-quiet">
          {message.caller_name !== '' && `${message.caller ?? ''} · `}
          {dateTime(message.started_at)} · {duration(message.duration_ms)}
        </div>
        <Player
          src={apiUrl(message.audio)}
          label={t('voicemail.message', { caller, time: dateTime(message.started_at) })}
        />
      </div>
      <div className="records-item-actions">
        <CallBack number={message.caller} name={message.caller_name} small />
        <Button kind="quiet" onClick={() => void mark()}>
          {t(message.heard ? 'voicemail.markUnheard' : 'voicemail.markHeard')}
        </Button>
        <IconButton icon="trash" label={t('kit.delete')} onClick={() => void remove()} />
      </div>
    </li>
  );
}
