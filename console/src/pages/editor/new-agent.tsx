// A new agent from within the menu editor: in an empty account a menu has no destination to choose.
import { useState } from 'react';
import { referenceText } from '../../../../src/kinds/reference.ts';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';

export function NewAgent({ onMade }: { onMade(reference: string): void }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" icon="add" onClick={() => setOpen(true)}>
        {t('editor.agent.new')}
      </Button>
      {open && <AgentDialog onMade={onMade} onClose={() => setOpen(false)} />}
    </>
  );
}

interface AgentDialogProps {
  onMade(reference: string): void;
  onClose(): void;
}

function AgentDialog({ onMade, onClose }: AgentDialogProps) {
  const { t, hinted } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [name, setName] = useState('');
  const make = () =>
    send(async () => {
      const { eid, Message } = await client.createAgent({ body: { name } });
      changed('agent');
      toast(Message);
      onMade(referenceText('extension', eid));
      onClose();
    });
  return (
    <FormDialog
      title={t('editor.agent.new')}
      action={t('editor.agent.make')}
      busy={busy}
      onSubmit={make}
      onClose={onClose}
    >
      {faults.general && <Notice tone="bad">{faults.general}</Notice>}
      <TextField
        {...hinted('editor.agent.name')}
        value={name}
        onChange={setName}
        maxLength={100}
        required
        fault={faults.at('/name')}
      />
    </FormDialog>
  );
}
