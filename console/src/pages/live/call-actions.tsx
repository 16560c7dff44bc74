import { client, DialtreeError } from '../../data/client.ts';
import { IconButton } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { callerText } from '../calls/caller-text.ts';
import type { LiveCall } from './live-calls.ts';

interface Props {
  readonly call: LiveCall;
  /** Opens a dialog outside the table: the row may disappear at any time. */
  readonly onOpen: (what: 'transfer' | 'listen') => void;
}

export function CallActions({ call, onOpen }: Props) {
  const words = useWords();
  const { t } = words;
  const confirm = useConfirm();
  const toast = useToast();
  const caller = callerText(call, words);
  const hangUp = async (): Promise<void> => {
    const sure = await confirm({
      title: t('live.hangup.title'),
      text: t('live.hangup.text', { caller }),
      action: t('live.hangup'),
      danger: true,
    });
    if (!sure) return;
    try {
      await client.hangUpCall({ body: { call_id: call.id } });
      toast(t('live.hangup.done'));
    } catch (error) {
      const gone = error instanceof DialtreeError && error.status === 404;
      toast(gone || !(error instanceof Error) ? t('live.gone') : error.message, 'bad');
    }
  };
  return (
    <div className="live-actions">
      {call.state === 'connected' && (
        <IconButton icon="listen" label={t('live.listen.of', { caller })} onClick={() => onOpen('listen')} />
      )}
      {call.state !== 'calling_agent' && (
        <IconButton
          icon="transfer"
          label={t('live.transfer.of', { caller })}
          onClick={() => onOpen('transfer')}
        />
      )}
      <IconButton
        icon="hangup"
        className="live-hangup"
        label={t('live.hangup.of', { caller })}
        onClick={() => void hangUp()}
      />
    </div>
  );
}
