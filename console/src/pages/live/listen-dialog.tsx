import { useMemo, useState } from 'react';
import { client } from '../../data/client.ts';
import { SelectField } from '../../kit/field.tsx';
import { usePeopleOptions } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { CallDialog, type OneCallProps } from './call-dialog.tsx';

const STORED = 'dialtree.listen.agent';
const MODES = ['monitor', 'whisper', 'barge'] as const;

export function ListenDialog({ call, caller, onClose }: OneCallProps) {
  const { t, hinted } = useWords();
  const people = usePeopleOptions();
  // Supervisors listen with the same phone each time.
  const [agent, setAgent] = useState(() => localStorage.getItem(STORED) ?? '');
  const [mode, setMode] = useState<(typeof MODES)[number]>('monitor');
  const options = useMemo(() => people.filter(({ value }) => value !== call.agent), [people, call.agent]);
  // The one of the last time may be gone, or in the call.
  const chosen = options.some(({ value }) => value === agent) ? agent : '';
  return (
    <CallDialog
      title={t('live.listen.title', { caller })}
      action={t('live.listen.action')}
      done={t('live.listen.done')}
      icon="listen"
      disabled={chosen === ''}
      send={async () => {
        await client.listenIn({ body: { call_id: call.id, agent: chosen, mode } });
        localStorage.setItem(STORED, chosen);
      }}
      onClose={onClose}
    >
      {(faultAt) => (
        <>
          <Picker
            {...hinted('live.listen.agent')}
            value={chosen}
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
