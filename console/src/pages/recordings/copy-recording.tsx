// A copy of a recording, with its sound.
import { useRef, useState } from 'react';
import type { Recording } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { useFaults } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { RecordingPlayer } from '../records/recording-player.tsx';

interface CopyRecordingProps {
  readonly id: string;
  readonly onMade: (id: string) => void;
}

export function CopyRecording({ id, onMade }: CopyRecordingProps) {
  const { value, error, again } = useAsk(() => client.getRecording({ params: { id } }), [id]);
  if (error) return <Failure error={error} onAgain={again} />;
  return value ? <CopyForm original={value} onMade={onMade} /> : <Loading />;
}

interface CopyFormProps {
  readonly original: Recording;
  readonly onMade: CopyRecordingProps['onMade'];
}

function CopyForm({ original, onMade }: CopyFormProps) {
  const { t, hinted } = useWords();
  const toast = useToast();
  const faults = useFaults();
  const [name, setName] = useState(() => t('records.copyName', { name: original.name }));
  const [busy, setBusy] = useState(false);
  // A second attempt after a lost answer makes no second copy; another name is another request.
  const idempotencyKey = useRef(crypto.randomUUID());
  const rename = (next: string): void => {
    idempotencyKey.current = crypto.randomUUID();
    setName(next);
  };
  const refusal = faults.general ?? faults.at('/copy_of');
  const save = async (): Promise<void> => {
    setBusy(true);
    faults.clear();
    const { id, description } = original;
    try {
      const body = { name, description, copy_of: `recording||${id}` };
      const made = await client.createRecording({ body, idempotencyKey: idempotencyKey.current });
      changed('recording');
      toast(t('recordings.copied', { name: name.trim() }));
      onMade(made.id);
    } catch (cause) {
      faults.take(cause);
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      className="records-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {refusal !== undefined && <Notice tone="bad">{refusal}</Notice>}
      <p className="field-hint">{t('recordings.copy.hint', { name: original.name })}</p>
      <RecordingPlayer recording={original} points={300} />
      <TextField
        {...hinted('editor.make.name')}
        value={name}
        onChange={rename}
        maxLength={100}
        fault={faults.at('/name')}
        required
      />
      <div className="form-actions">
        <Button kind="primary" type="submit" icon="copy" busy={busy}>
          {t('records.copy')}
        </Button>
      </div>
    </form>
  );
}
