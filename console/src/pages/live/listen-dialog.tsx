import { useMemo, useState } from 'react';
import { client } from '../../data/client.ts';
import { useMay } from '../../data/may.ts';
import { CheckField, SelectField } from '../../kit/field.tsx';
import { usePeopleOptions } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { openDock } from '../../phone-dock/dock-store.ts';
import { useWords } from '../../words/words.tsx';
import { CallDialog, type OneCallProps } from './call-dialog.tsx';

const STORED = 'dialtree.listen.agent';
const MODES = ['monitor', 'whisper', 'barge'] as const;

export function ListenDialog({ call, caller, onClose }: OneCallProps) {
  const { t, hinted } = useWords();
  const people = usePeopleOptions();
  // Supervisors listen with the same phone each time.
  const [agent, setAgent] = useState(() => localStorage.getItem(STORED) ?? '');
  const mayPhone = useMay()('createPhoneSession');
  const [isHere, setHere] = useState(mayPhone);
  const [mode, setMode] = useState<(typeof MODES)[number]>('monitor');
  const options = useMemo(() => people.filter(({ value }) => value !== call.agent), [people, call.agent]);
  // The one of the last time may be gone, or in the call.
  const chosen = options.some(({ value }) => value === agent) ? agent : '';
  return (
    <CallDialog
      title={t('live.listen.title', { caller })}
      action={t(isHere ? 'dock.listen.action' : 'live.listen.action')}
      done={t(isHere ? 'dock.connecting' : 'live.listen.done')}
      icon="listen"
      disabled={chosen === ''}
      send={async () => {
        localStorage.setItem(STORED, chosen);
        const { id: callId, caller: number } = call;
        if (isHere) openDock({ kind: 'listen', callId, agent: chosen, mode, caller: number, name: caller });
        else await client.listenIn({ body: { call_id: callId, agent: chosen, mode } });
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
          {mayPhone && <CheckField {...hinted('dock.listen.here')} value={isHere} onChange={setHere} />}
        </>
      )}
    </CallDialog>
  );
}
