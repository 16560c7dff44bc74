import { useEffect } from 'react';
import type { RoomParticipants } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Failure } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';

const EVERY_MS = 3_000;

type Participant = RoomParticipants['participants'][number];

/** Who is in the room right now. */
export function Participants({ id }: { readonly id: string }) {
  const { t } = useWords();
  const attempt = useAttempt();
  const params = { id };
  const { value, error, again } = useAsk(
    (signal) => client.getRoomParticipants({ params: { id }, signal }),
    [id],
  );
  const hasFailed = error !== null;
  useEffect(() => {
    // Shown once, with a button to retry: not announced again every few seconds.
    if (hasFailed) return;
    const timer = setInterval(() => !document.hidden && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [again, hasFailed]);
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (await attempt(work)) again();
  };
  const lock = () =>
    change(() => (value?.locked ? client.unlockRoom({ params }) : client.lockRoom({ params })));
  const isEmpty = !value || value.participants.length === 0;
  return (
    <div className="records-more">
      <Section
        title={t('rooms.now')}
        actions={
          !isEmpty && (
            <Button onClick={() => void lock()}>{t(value.locked ? 'rooms.unlock' : 'rooms.lock')}</Button>
          )
        }
      >
        {error !== null && <Failure error={error} onAgain={again} />}
        {value && isEmpty && <p className="records-quiet">{t('rooms.now.nobody')}</p>}
        {value?.locked && <Badge tone="warn">{t('rooms.locked')}</Badge>}
        {value?.recording && <Badge tone="info">{t('rooms.recording')}</Badge>}
        <ol className="records-list">
          {value?.participants.map((participant) => (
            <One
              key={participant.call_id}
              participant={participant}
              onMute={() => {
                const about = { params, body: { call_id: participant.call_id } };
                return change(() =>
                  participant.muted ? client.unmuteParticipant(about) : client.muteParticipant(about),
                );
              }}
              onRemove={() =>
                change(() => client.removeParticipant({ params, body: { call_id: participant.call_id } }))
              }
            />
          ))}
        </ol>
      </Section>
    </div>
  );
}

interface OneProps {
  readonly participant: Participant;
  readonly onMute: () => Promise<void>;
  readonly onRemove: () => Promise<void>;
}

function One({ participant, onMute, onRemove }: OneProps) {
  const { t, dateTime } = useWords();
  const { caller, caller_name: name, host, muted, waiting, joined_at: since } = participant;
  return (
    <li className="records-item">
      <div className="records-item-main">
        <strong>{name || caller || t('departments.now.withheld')}</strong>{' '}
        {host && <Badge tone="good">{t('rooms.host')}</Badge>}{' '}
        {muted && <Badge tone="warn">{t('rooms.muted')}</Badge>}{' '}
        {waiting && <Badge tone="neutral">{t('rooms.waiting')}</Badge>}
        <div className="records-quiet">
          {name !== '' && `${caller ?? ''} · `}
          {dateTime(since)}
        </div>
      </div>
      <div className="records-item-actions">
        <Button kind="quiet" onClick={() => void onMute()}>
          {t(muted ? 'rooms.unmute' : 'rooms.mute')}
        </Button>
        <Button kind="quiet" onClick={() => void onRemove()}>
          {t('rooms.remove')}
        </Button>
      </div>
    </li>
  );
}
