import { useId, useState } from 'react';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';

interface TransferDialogProps {
  readonly caller: string;
  /** At once, without a word. */
  readonly onTransfer: (number: string) => void;
  /** After a word: the caller waits. */
  readonly onConsult: (number: string, name: string) => void;
  readonly onClose: () => void;
}

export function TransferDialog({ caller, onTransfer, onConsult, onClose }: TransferDialogProps) {
  const { t, hinted } = useWords();
  const list = useId();
  const agents = useRecords('agent').items;
  const [typed, setTyped] = useState('');
  const number = typed.trim();
  const isMissing = number === '';
  const name = agents.find(({ intercom }) => intercom === number)?.name ?? '';
  return (
    <Dialog
      title={t('desk.transfer.title', { caller })}
      open
      onClose={onClose}
      footer={
        <>
          <Button
            disabled={isMissing}
            onClick={() => {
              onConsult(number, name);
              onClose();
            }}
          >
            {t('desk.transfer.ask')}
          </Button>
          <Button
            kind="primary"
            icon="transfer"
            disabled={isMissing}
            onClick={() => {
              onTransfer(number);
              onClose();
            }}
          >
            {t('desk.transfer.now')}
          </Button>
        </>
      }
    >
      <TextField
        {...hinted('desk.transfer.to')}
        value={typed}
        onChange={setTyped}
        list={list}
        inputMode="tel"
        autoComplete="off"
        autoFocus
      />
      <datalist id={list}>
        {agents.map(({ eid, intercom, name: shown }) => (
          <option key={eid} value={intercom}>
            {shown}
          </option>
        ))}
      </datalist>
    </Dialog>
  );
}
