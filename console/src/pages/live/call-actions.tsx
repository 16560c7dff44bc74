// What can be done to a call that runs: hang up, send it elsewhere, listen to it.
import { useState } from 'react';
import { client, DialtreeError } from '../../data/client.ts';
import { IconButton } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { callerText } from '../calls/caller-text.ts';
import { ListenDialog } from './listen-dialog.tsx';
import type { LiveCall } from './live-calls.ts';
import { TransferDialog } from './transfer-dialog.tsx';

export function CallActions({ call }: { readonly call: LiveCall }) {
  const words = useWords();
  const { t } = words;
  const confirm = useConfirm();
  const toast = useToast();
  const [open, setOpen] = useState<'transfer' | 'listen' | null>(null);
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
      await client.hangUpCall({ body: { id: call.id } });
      toast(t('live.hangup.done'));
    } catch (error) {
      const gone = error instanceof DialtreeError && error.status === 404;
      toast(gone || !(error instanceof Error) ? t('live.gone') : error.message, 'bad');
    }
  };
  return (
    <div className="live-actions">
      {call.state === 'connected' && (
        <IconButton icon="listen" label={t('live.listen.of', { caller })} onClick={() => setOpen('listen')} />
      )}
      {call.state !== 'calling_agent' && (
        <IconButton
          icon="transfer"
          label={t('live.transfer.of', { caller })}
          onClick={() => setOpen('transfer')}
        />
      )}
      <IconButton
        icon="hangup"
        className="live-hangup"
        label={t('live.hangup.of', { caller })}
        onClick={() => void hangUp()}
      />
      {open === 'transfer' && <TransferDialog call={call} caller={caller} onClose={() => setOpen(null)} />}
      {open === 'listen' && <ListenDialog call={call} caller={caller} onClose={() => setOpen(null)} />}
    </div>
  );
}
