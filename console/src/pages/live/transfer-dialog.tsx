import { useState } from 'react';
import { client } from '../../data/client.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { SelectField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { CallDialog, type OneCallProps } from './call-dialog.tsx';

export function TransferDialog({ call, caller, onClose }: OneCallProps) {
  const { t } = useWords();
  const [destination, setDestination] = useState('');
  const [party, setParty] = useState<'caller' | 'called'>('caller');
  return (
    <CallDialog
      title={t('live.transfer.title', { caller })}
      action={t('live.transfer.action')}
      done={t('live.transfer.done')}
      icon="transfer"
      disabled={destination === ''}
      send={() => client.transferCall({ body: { call_id: call.id, destination, party } })}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <DestinationPicker
            label={t('live.transfer.to')}
            value={destination}
            onChange={setDestination}
            fault={faultAt('/destination')}
            autoFocus
          />
          {call.state === 'connected' && (
            <SelectField
              label={t('live.transfer.who')}
              value={party}
              onChange={setParty}
              fault={faultAt('/party')}
              options={[
                { value: 'caller', label: t('live.transfer.caller') },
                { value: 'called', label: t('live.transfer.called') },
              ]}
            />
          )}
        </>
      )}
    </CallDialog>
  );
}
