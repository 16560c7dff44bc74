// What callers hear at one place: a recording that is there, found by typing and listened to at once, or a new one.
import { useMemo, useState } from 'react';
import { referenceText, splitReference } from '../../../../src/domain/reference.ts';
import { useAsk } from '../../data/ask.ts';
import { client, recordingAudioUrl } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Picker } from '../../kit/picker.tsx';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';
import './editor.css';
import { MakeRecording } from './make-recording.tsx';

interface PromptFieldProps {
  readonly label: string;
  /** `recording||id`; empty: none. */
  readonly value: string;
  onChange(reference: string): void;
  readonly fault?: string | undefined;
  /** What is played where none is chosen; without it one has to be. */
  readonly otherwise?: string;
  readonly hideLabel?: boolean;
}

const POINTS = 120;

export function PromptField({
  label,
  value,
  onChange,
  fault,
  otherwise,
  hideLabel = false,
}: PromptFieldProps) {
  const { t, duration } = useWords();
  const { items } = useRecords('recording');
  const [making, setMaking] = useState(false);
  const { id } = splitReference(value);
  const known = items.find((recording) => recording.id === id);
  const options = useMemo(
    () => [
      ...(otherwise === undefined ? [] : [{ value: '', label: otherwise }]),
      ...items.map((recording) => ({
        value: referenceText('recording', recording.id),
        label: recording.name,
        note: duration(recording.duration_ms),
      })),
    ],
    [items, otherwise, duration],
  );
  const gone = (text: string) =>
    text.startsWith('recording||')
      ? [{ value: text, label: t('kit.missing', { name: splitReference(text).id }) }]
      : [];
  return (
    <div className="editor-prompt">
      <div className={hideLabel ? 'editor-prompt-choice' : 'editor-prompt-choice editor-prompt-labelled'}>
        <Picker
          label={label}
          hideLabel={hideLabel}
          value={value === '' ? '' : referenceText('recording', id)}
          onChange={onChange}
          options={options}
          also={gone}
          placeholder={t('editor.prompt.choose')}
          fault={fault}
        />
        <Button
          icon="recording"
          onClick={() => setMaking(true)}
          aria-label={t('editor.prompt.new.for', { place: label })}
        >
          {t('editor.prompt.new')}
        </Button>
      </div>
      {known && <Heard id={id} name={known.name} version={known.version} />}
      <Dialog
        title={t('editor.prompt.new.for', { place: label })}
        open={making}
        onClose={() => setMaking(false)}
      >
        <MakeRecording
          onMade={(made) => {
            setMaking(false);
            onChange(referenceText('recording', made));
          }}
        />
      </Dialog>
    </div>
  );
}

function Heard({
  id,
  name,
  version,
}: {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}) {
  const waveform = useAsk(
    () => client.getRecordingWaveform({ params: { id }, query: { points: POINTS } }),
    [id, version],
  );
  const src = recordingAudioUrl(id, version);
  return <Player src={src} label={name} {...(waveform.value ? { peaks: waveform.value.peaks } : {})} />;
}
