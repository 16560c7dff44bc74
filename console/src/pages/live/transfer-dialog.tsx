import { useState } from 'react';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useFaults } from '../../kit/faults.ts';
import { SelectField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import type { LiveCall } from './live-calls.ts';

export interface CallDialogProps {
  readonly call: LiveCall;
  /** In words. */
  readonly caller: string;
  readonly onClose: () => void;
}

export function TransferDialog({ call, caller, onClose }: CallDialogProps) {
  const { t } = useWords();
  const toast = useToast();
  const faults = useFaults();
  const [destination, setDestination] = useState('');
  const [party, setParty] = useState<'caller' | 'called'>('caller');
  const [busy, setBusy] = useState(false);
  const transfer = async (): Promise<void> => {
    faults.clear();
    setBusy(true);
    try {
      await client.transferCall({ body: { id: call.id, destination, party } });
      toast(t('live.transfer.done'));
      onClose();
    } catch (error) {
      faults.take(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t('live.transfer.title', { caller })}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button
            kind="primary"
            icon="transfer"
            busy={busy}
            disabled={destination === ''}
            onClick={() => void transfer()}
          >
            {t('live.transfer.action')}
          </Button>
        </>
      }
    >
      <div className="form">
        {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
        <DestinationPicker
          label={t('live.transfer.to')}
          value={destination}
          onChange={setDestination}
          fault={faults.at('/destination')}
          autoFocus
        />
        {call.state === 'connected' && (
          <SelectField
            label={t('live.transfer.who')}
            value={party}
            onChange={(value) => setParty(value === 'called' ? 'called' : 'caller')}
            fault={faults.at('/party')}
            options={[
              { value: 'caller', label: t('live.transfer.caller') },
              { value: 'called', label: t('live.transfer.called') },
            ]}
          />
        )}
      </div>
    </Dialog>
  );
}
