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
  const [how, setHow] = useState<'now' | 'consult'>('now');
  const consult = how === 'consult';
  return (
    <CallDialog
      title={t('live.transfer.title', { caller })}
      action={t(consult ? 'live.consult.action' : 'live.transfer.action')}
      done={t(consult ? 'live.consult.done' : 'live.transfer.done')}
      icon="transfer"
      disabled={destination === ''}
      send={() => client.transferCall({ body: { call_id: call.id, destination, party, consult } })}
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
            <>
              <SelectField
                label={t('live.transfer.how')}
                value={how}
                onChange={setHow}
                fault={faultAt('/consult')}
                options={[
                  { value: 'now', label: t('live.transfer.now') },
                  { value: 'consult', label: t('live.transfer.consult') },
                ]}
              />
              <SelectField
                label={t('live.transfer.who')}
                value={party}
                onChange={setParty}
                fault={faultAt('/party')}
                options={[
                  { value: 'caller', label: t(consult ? 'live.consult.caller' : 'live.transfer.caller') },
                  { value: 'called', label: t(consult ? 'live.consult.called' : 'live.transfer.called') },
                ]}
              />
            </>
          )}
        </>
      )}
    </CallDialog>
  );
}
