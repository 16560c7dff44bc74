// Sending a sound file. What the service does not decode, such as M4A, is decoded here and sent as WAV.
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';
import type { AudioSamples } from './audio-file.ts';
import { SendingBar } from './sending-bar.tsx';
import { isSentAsItIs, MAX_FILE_BYTES, MAX_SECONDS } from './sound-kind.ts';

interface UploadTabProps {
  readonly part: number | null;
  readonly fault: string | undefined;
  onSend(file: File): void;
}

interface ReadFile {
  readonly file: File;
  /** The service does not decode it. */
  readonly isForeign: boolean;
  /** `undefined`: being decoded; null: the browser cannot decode it. */
  readonly samples: AudioSamples | null | undefined;
}

/** Null if it has none, it is too large, or it was not looked at yet. */
function useReadFile(file: File | null): ReadFile | null {
  const [read, setRead] = useState<ReadFile | null>(null);
  useEffect(() => {
    let current = true;
    const look = async (chosen: File): Promise<void> => {
      const isForeign = !(await isSentAsItIs(chosen));
      if (current) setRead({ file: chosen, isForeign, samples: undefined });
      // Pages where nobody chooses a file need no decoder.
      const samples = await import('./audio-file.ts').then(
        ({ samplesOf }) => samplesOf(chosen),
        () => null,
      );
      if (current) setRead({ file: chosen, isForeign, samples });
    };
    if (file && file.size <= MAX_FILE_BYTES) void look(file);
    return () => {
      current = false;
    };
  }, [file]);
  return read?.file === file ? read : null;
}

/** What is sent: the file itself where the service decodes it, or nothing here does. */
function sentFile({ file, isForeign, samples }: ReadFile): File {
  if (!isForeign || !samples) return file;
  return new File([samples.wav], `${file.name.replace(/\.[^.]*$/, '')}.wav`, { type: 'audio/wav' });
}

export function UploadTab({ part, fault, onSend }: UploadTabProps) {
  const { t, number, hinted } = useWords();
  const [file, setFile] = useState<File | null>(null);
  /** The server's fault is about the file that was sent: another file clears it. */
  const [sent, setSent] = useState<File | null>(null);
  const read = useReadFile(file);
  const tooLarge = file !== null && file.size > MAX_FILE_BYTES;
  const tooLong = (read?.samples?.seconds ?? 0) > MAX_SECONDS;
  const size = tooLarge
    ? t('editor.upload.large', { size: number(MAX_FILE_BYTES / 1024 / 1024) })
    : undefined;
  const length = tooLong ? t('editor.upload.long', { minutes: number(MAX_SECONDS / 60) }) : undefined;
  const isConverting = read?.isForeign === true && read.samples === undefined;
  return (
    <div className="editor-upload">
      <Field {...hinted('editor.upload.file')} fault={size ?? length ?? (sent === file ? fault : undefined)}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept="audio/*,.wav,.flac,.mp3,.m4a,.mp4,.mov,.3gp,.aac,.aiff,.caf,.ogg,.opus,.webm"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        )}
      </Field>
      {read?.samples && <Preview file={read.file} samples={read.samples} />}
      <p role="status" className="field-hint">
        {isConverting && t('editor.upload.converting')}
        {read?.isForeign && read.samples && t('editor.upload.converted')}
        {read?.samples === null && t(read.isForeign ? 'editor.upload.undecoded' : 'editor.upload.undrawn')}
      </p>
      <SendingBar part={part} />
      <div className="editor-row">
        <Button
          kind="primary"
          icon="upload"
          busy={part !== null || isConverting}
          disabled={read === null || tooLarge || tooLong}
          onClick={() => {
            if (!read) return;
            setSent(read.file);
            onSend(sentFile(read));
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
