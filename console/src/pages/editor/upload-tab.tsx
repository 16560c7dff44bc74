import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';
import { type AudioSamples, MAX_FILE_BYTES, samplesOf } from './audio-file.ts';
import { SendingBar } from './sending-bar.tsx';

interface UploadTabProps {
  readonly part: number | null;
  readonly fault: string | undefined;
  onSend(file: File): void;
}

/** `undefined`: not read yet; null: the browser cannot decode it. */
function useSamples(file: File | null): AudioSamples | null | undefined {
  const [read, setRead] = useState<{ file: File; samples: AudioSamples | null } | null>(null);
  useEffect(() => {
    let current = true;
    if (file && file.size <= MAX_FILE_BYTES)
      void samplesOf(file).then((samples) => current && setRead({ file, samples }));
    return () => {
      current = false;
    };
  }, [file]);
  return read?.file === file ? read?.samples : undefined;
}

export function UploadTab({ part, fault, onSend }: UploadTabProps) {
  const { t, number, hinted } = useWords();
  const [file, setFile] = useState<File | null>(null);
  /** The server's fault is about the file that was sent: another file clears it. */
  const [sent, setSent] = useState<File | null>(null);
  const samples = useSamples(file);
  const tooLarge = file !== null && file.size > MAX_FILE_BYTES;
  const large = tooLarge
    ? t('editor.upload.large', { size: number(MAX_FILE_BYTES / 1024 / 1024) })
    : undefined;
  return (
    <div className="editor-upload">
      <Field {...hinted('editor.upload.file')} fault={large ?? (sent === file ? fault : undefined)}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept="audio/*,.wav,.flac,.mp3,.m4a,.mp4,.aac,.ogg,.opus,.webm"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        )}
      </Field>
      {file && samples && <Preview file={file} samples={samples} />}
      {file && samples === null && <p className="field-hint">{t('editor.upload.undrawn')}</p>}
      <SendingBar part={part} />
      <div className="editor-row">
        <Button
          kind="primary"
          icon="upload"
          busy={part !== null}
          disabled={file === null || tooLarge}
          onClick={() => {
            if (!file) return;
            setSent(file);
            onSend(file);
          }}
        >
          {t('editor.upload.send')}
        </Button>
      </div>
    </div>
  );
}

function Preview({ file, samples }: { readonly file: File; readonly samples: AudioSamples }) {
  const address = useMemo(() => URL.createObjectURL(samples.wav), [samples]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return <Player src={address} label={file.name} peaks={samples.peaks} />;
}
