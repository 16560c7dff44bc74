// Follows the calls to a number and shows the first one's progress.
import { useEffect, useState } from 'react';
import { follow } from '../../data/client.ts';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { afterEvent, type CallStage, isAnswered, NO_CALL } from './first-call.ts';

interface CallWatchProps {
  readonly number: string;
  /** The agent's name. */
  readonly agent: string;
}

export function CallWatch({ number, agent }: CallWatchProps) {
  const { t } = useWords();
  const [call, setCall] = useState(NO_CALL);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    void follow('/v1/live_calls/events', {
      signal: stop.signal,
      // Also while hidden: the softphone may be in another tab.
      unseen: true,
      onState: (state) => setLost(state !== 'open'),
      onEvent: ({ event, data }) => setCall((now) => afterEvent(now, event, data, number)),
    });
    return () => stop.abort();
  }, [number]);
  const words = ({ stage, what }: CallStage): string => {
    if (stage === 'received') return t('guide.call.received', { caller: what || t('guide.call.stranger') });
    if (stage === 'key') return t('guide.call.key', { keys: what });
    if (stage === 'ringing') return t('guide.call.ringing', { agent });
    return t(`guide.call.${stage}`);
  };
  const answered = isAnswered(call);
  return (
    <div role="status" className={answered ? 'guide-watch guide-watch-good' : 'guide-watch'}>
      <Icon name={answered ? 'check' : lost ? 'warn' : 'phone'} />
      {call.stages.length === 0 ? (
        <span>{lost ? t('guide.call.lost') : t('guide.call.waiting')}</span>
      ) : (
        <ol className="guide-stages">
          {call.stages.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: stages are only ever added at the end
            <li key={index}>{words(line)}</li>
          ))}
        </ol>
      )}
    </div>
  );
}
