import { useState } from 'react';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { useFaults } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import './editor.css';
import './make-recording.css';
import { RecordTab } from './record-tab.tsx';
import { uploadingClient } from './sending.ts';
import { type Speech, TextTab } from './text-tab.tsx';
import { UploadTab } from './upload-tab.tsx';
import { usePreview } from './use-preview.ts';

interface MakeRecordingProps {
  onMade(id: string): void;
  /** The id of the recording whose audio is replaced; its name stays. */
  readonly replace?: string;
  /** The text that it speaks now, to be changed. */
  readonly speech?: Speech | null;
}

const WAYS = ['record', 'upload', 'text'] as const;
type Way = (typeof WAYS)[number];

export function MakeRecording({ onMade, replace, speech = null }: MakeRecordingProps) {
  const { t, hinted } = useWords();
  const toast = useToast();
  const faults = useFaults();
  const { account } = useSession();
  const [way, setWay] = useState<Way>(speech ? 'text' : 'record');
  const preview = usePreview();
  const [name, setName] = useState('');
  /** The part that has been sent, from 0 to 1; null: no upload. */
  const [part, setPart] = useState<number | null>(null);

  const send = async (work: () => Promise<{ id: string; Message: string }>): Promise<void> => {
    setPart(0);
    faults.clear();
    try {
      const { id, Message } = await work();
      changed('recording');
      toast(Message);
      onMade(id);
    } catch (error) {
      faults.take(error);
    } finally {
      setPart(null);
    }
  };
  const sendFile = (file: Blob, fileName: string): Promise<void> =>
    send(async () => {
      const body = new FormData();
      if (replace === undefined && name.trim() !== '') body.set('name', name);
      body.set('file', file, fileName);
      const uploading = uploadingClient(account?.id ?? '', setPart);
      if (replace === undefined) return uploading.createRecording({ body });
      return { ...(await uploading.patchRecording({ params: { id: replace }, body })), id: replace };
    });
  const sendText = (given: Speech): Promise<void> =>
    send(async () => {
      const named = replace === undefined && name.trim() !== '' ? { name } : {};
      const body = { ...given, ...named };
      if (replace === undefined) return client.createRecording({ body });
      return { ...(await client.patchRecording({ params: { id: replace }, body })), id: replace };
    });

  const listen = async (given: Speech): Promise<string | null> => {
    setPart(0);
    faults.clear();
    const url = await preview(given).catch((error: unknown) => faults.take(error));
    setPart(null);
    return url ?? null;
  };
  const choose = (next: string): void => {
    faults.clear();
    setWay(WAYS.find((one) => one === next) ?? 'record');
  };
  return (
    <div className="editor-make">
      {replace === undefined && (
        <TextField
          {...hinted('editor.make.name')}
          value={name}
          onChange={setName}
          maxLength={100}
          fault={faults.at('/name')}
        />
      )}
      <Tabs
        label={t('editor.make.ways')}
        tabs={WAYS.map((id) => ({ id, label: t(`editor.make.${id}`) }))}
        selected={way}
        onSelect={choose}
      >
        {way === 'record' && (
          <RecordTab
            part={part}
            fault={faults.at('/file') ?? faults.general}
            onKeep={(wav) => void sendFile(wav, `${name.trim() || t('editor.make.record')}.wav`)}
          />
        )}
        {way === 'upload' && (
          <UploadTab
            part={part}
            fault={faults.at('/file') ?? faults.general}
            onSend={(file) => void sendFile(file, file.name)}
          />
        )}
        {way === 'text' && (
          <TextTab
            busy={part !== null}
            faults={faults}
            initial={speech}
            onListen={listen}
            onSend={(given) => void sendText(given)}
          />
        )}
      </Tabs>
    </div>
  );
}

/** What a recording speaks; null: it was not made from a text. */
export const speechOf = ({
  text,
  voice,
  speed,
}: {
  readonly text: string | null;
  readonly voice: string | null;
  readonly speed: number | null;
}): Speech | null => (text === null ? null : { text, voice: voice ?? 'en', speed });
