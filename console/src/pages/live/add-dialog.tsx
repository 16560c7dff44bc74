import { useState } from 'react';
import { client } from '../../data/client.ts';
import { dialableIn } from '../../kit/destination-picker.tsx';
import { intercomOf, usePeopleOptions } from '../../kit/people.ts';
import { type Option, Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { CallDialog, type OneCallProps } from './call-dialog.tsx';

/** A third party joins the conversation. */
export function AddDialog({ call, caller, onClose }: OneCallProps) {
  const { t, hinted } = useWords();
  const [number, setNumber] = useState('');
  const people = usePeopleOptions(intercomOf);
  const dialled = (text: string): readonly Option[] => {
    const typed = dialableIn(text);
    return typed === null || people.some(({ value }) => value === typed)
      ? []
      : [{ value: typed, label: t('kit.dial', { number: typed }) }];
  };
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
        <Picker
          {...hinted('live.add.number')}
          value={number}
          onChange={setNumber}
          options={people}
          also={dialled}
          fault={faultAt('/number')}
          autoFocus
        />
      )}
    </CallDialog>
  );
}
