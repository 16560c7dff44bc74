import { useMemo, useState } from 'react';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { SelectField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { CallDialog, type OneCallProps } from './call-dialog.tsx';

const MODES = ['monitor', 'whisper', 'barge'] as const;

export function ListenDialog({ call, caller, onClose }: OneCallProps) {
  const { t, hinted } = useWords();
  const { items } = useRecords('agent');
  const [agent, setAgent] = useState('');
  const [mode, setMode] = useState<(typeof MODES)[number]>('monitor');
  const options = useMemo(
    () =>
      items
        .filter(({ eid }) => eid !== call.agent)
        .map(({ eid, name, intercom }) => ({ value: eid, label: name, note: intercom })),
    [items, call.agent],
  );
  return (
    <CallDialog
      title={t('live.listen.title', { caller })}
      action={t('live.listen.action')}
      done={t('live.listen.done')}
      icon="listen"
      disabled={agent === ''}
      send={() => client.listenIn({ body: { call_id: call.id, agent, mode } })}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <Picker
            {...hinted('live.listen.agent')}
            value={agent}
            onChange={setAgent}
            options={options}
            fault={faultAt('/agent')}
            autoFocus
          />
          <SelectField
            label={t('live.listen.mode')}
            value={mode}
            onChange={setMode}
            fault={faultAt('/mode')}
            options={MODES.map((value) => ({ value, label: t(`live.listen.${value}`) }))}
          />
        </>
      )}
    </CallDialog>
  );
}
