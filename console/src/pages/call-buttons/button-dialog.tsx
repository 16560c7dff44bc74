// A call button is made, or changed: its key stays.
import { useState } from 'react';
import { CallablePicker } from '../../kit/callable-picker.tsx';
import { FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextArea, TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { type CallButton, changeButtons } from './saved-buttons.ts';
import { newKey, originsIn } from './script-tag.ts';

interface ButtonDialogProps {
  /** Null for a new one. */
  readonly button: CallButton | null;
  readonly onClose: () => void;
  readonly onSaved: (button: CallButton) => void;
}

export function ButtonDialog({ button, onClose, onSaved }: ButtonDialogProps) {
  const { t, hinted } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [name, setName] = useState(button?.name ?? '');
  const [to, setTo] = useState(button?.to ?? '');
  const [origins, setOrigins] = useState(button?.origins.join('\n') ?? '');
  // In the list that was sent: faults name it by its place.
  const [place, setPlace] = useState(0);
  const [isGone, setGone] = useState(false);
  const faultAt = (member: string) => faults.at(`/call_buttons/${place}/${member}`);
  const save = () =>
    send(async () => {
      const key = button?.key ?? newKey(name);
      const saved: CallButton = { key, name: name.trim(), to, origins: originsIn(origins) };
      let isFound = true;
      await changeButtons((now) => {
        const at = button ? now.findIndex((each) => each.key === key) : now.length;
        // Not made again: who revoked it meanwhile wanted it gone.
        isFound = at >= 0;
        setPlace(at);
        return isFound ? now.toSpliced(at, 1, saved) : [...now];
      });
      if (!isFound) return setGone(true);
      toast(t('kit.saved'));
      onSaved(saved);
    });
  return (
    <FormDialog
      title={t(button ? 'callButtons.edit.title' : 'callButtons.new')}
      action={t(button ? 'kit.save' : 'records.create')}
      busy={busy}
      onSubmit={save}
      onClose={onClose}
    >
      {isGone && <Notice tone="bad">{t('callButtons.gone')}</Notice>}
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      <TextField
        label={t('records.name')}
        hint={t('callButtons.name.hint')}
        value={name}
        onChange={setName}
        fault={faultAt('name')}
      />
      <CallablePicker {...hinted('callButtons.to')} value={to} onChange={setTo} fault={faultAt('to')} />
      <TextArea
        {...hinted('callButtons.origins')}
        placeholder="https://www.example.com"
        value={origins}
        onChange={setOrigins}
        fault={faultAt('origins')}
      />
    </FormDialog>
  );
}
