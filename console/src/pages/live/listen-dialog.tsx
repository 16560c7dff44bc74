import { useMemo, useState } from 'react';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useFaults } from '../../kit/faults.ts';
import { SelectField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import type { CallDialogProps } from './transfer-dialog.tsx';

const MODES = ['monitor', 'whisper', 'barge'] as const;

export function ListenDialog({ call, caller, onClose }: CallDialogProps) {
  const { t } = useWords();
  const toast = useToast();
  const faults = useFaults();
  const { items } = useRecords('agent');
  const [agent, setAgent] = useState('');
  const [mode, setMode] = useState<(typeof MODES)[number]>('monitor');
  const [busy, setBusy] = useState(false);
  const options = useMemo(
    () =>
      items
        .filter(({ eid }) => eid !== call.agent)
        .map(({ eid, name, intercom }) => ({ value: eid, label: name, note: intercom })),
    [items, call.agent],
  );
  const listen = async (): Promise<void> => {
    faults.clear();
    setBusy(true);
    try {
      await client.listenIn({ body: { id: call.id, agent, mode } });
      toast(t('live.listen.done'));
      onClose();
    } catch (error) {
      faults.take(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t('live.listen.title', { caller })}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button
            kind="primary"
            icon="listen"
            busy={busy}
            disabled={agent === ''}
            onClick={() => void listen()}
          >
            {t('live.listen.action')}
          </Button>
        </>
      }
    >
      <div className="form">
        {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
        <Picker
          label={t('live.listen.agent')}
          hint={t('live.listen.agent.hint')}
          value={agent}
          onChange={setAgent}
          options={options}
          fault={faults.at('/agent')}
          autoFocus
        />
        <SelectField
          label={t('live.listen.mode')}
          value={mode}
          onChange={(value) => setMode(MODES.find((each) => each === value) ?? 'monitor')}
          fault={faults.at('/mode')}
          options={MODES.map((value) => ({ value, label: t(`live.listen.${value}`) }))}
        />
      </div>
    </Dialog>
  );
}
