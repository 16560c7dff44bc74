import { client, DialtreeError } from '../../data/client.ts';
import type { LiveCall } from '../../data/live-state.ts';
import { useMay } from '../../data/may.ts';
import { IconButton } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { callerText } from '../calls/caller-text.ts';

interface Props {
  readonly call: LiveCall;
  /** Opens a dialog outside the table: the row may disappear at any time. */
  readonly onOpen: (what: 'transfer' | 'listen' | 'add') => void;
}

export function CallActions({ call, onOpen }: Props) {
  const words = useWords();
  const { t } = words;
  const confirm = useConfirm();
  const toast = useToast();
  const may = useMay();
  const caller = callerText(call, words);
  const hangUp = async (): Promise<void> => {
    const sure = await confirm({
      title: t('live.hangup.title'),
      text: t('live.hangup.text', { caller }),
      action: t('live.hangup'),
      danger: true,
    });
    if (!sure) return;
    await act(() => client.hangUpCall({ body: { call_id: call.id } }), t('live.hangup.done'));
  };
  const act = async (send: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await send();
      toast(done);
    } catch (error) {
      const gone = error instanceof DialtreeError && error.status === 404;
      toast(gone || !(error instanceof Error) ? t('live.gone') : sentenceOf(error, t), 'bad');
    }
  };
  const body = { call_id: call.id };
  // An agent's phone, or the number of a call that the API placed, rings: there is no call to transfer yet.
  const isBeingPlaced = call.state === 'calling_agent' || (call.state === 'ringing' && call.node === null);
  const isConsulting = call.consultation !== null || call.consults_for !== null;
  // Who may hang up may do all of it (domain/roles.ts).
  if (!may('hangUpCall')) return null;
  return (
    <div className="live-actions">
      {call.state === 'connected' && (
        <IconButton icon="add" label={t('live.add.of', { caller })} onClick={() => onOpen('add')} />
      )}
      {(call.state === 'connected' || call.state === 'bot') && (
        <IconButton icon="listen" label={t('live.listen.of', { caller })} onClick={() => onOpen('listen')} />
      )}
      {isConsulting && (
        <>
          <IconButton
            icon="check"
            label={t('live.consult.complete.of', { caller })}
            onClick={() => void act(() => client.completeTransfer({ body }), t('live.transfer.done'))}
          />
          <IconButton
            icon="undo"
            label={t('live.consult.cancel.of', { caller })}
            onClick={() => void act(() => client.cancelTransfer({ body }), t('live.consult.cancelled'))}
          />
        </>
      )}
      {!isBeingPlaced && !isConsulting && (
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
