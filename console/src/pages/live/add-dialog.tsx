import { useState } from 'react';
import { client } from '../../data/client.ts';
import { TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { CallDialog, type OneCallProps } from './call-dialog.tsx';

/** A third party joins the conversation. */
export function AddDialog({ call, caller, onClose }: OneCallProps) {
  const { t, hinted } = useWords();
  const [number, setNumber] = useState('');
  return (
    <CallDialog
      title={t('live.add.title', { caller })}
      action={t('live.add.action')}
      done={t('live.add.done')}
      icon="add"
      disabled={number === ''}
      send={() => client.addParty({ body: { call_id: call.id, number } })}
      onClose={onClose}
    >
      {(faultAt) => (
        <TextField
          {...hinted('live.add.number')}
          value={number}
          onChange={setNumber}
          fault={faultAt('/number')}
          autoFocus
        />
      )}
    </CallDialog>
  );
}
