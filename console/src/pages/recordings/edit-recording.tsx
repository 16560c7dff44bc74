import { useState } from 'react';
import type { Recording, RecordingWithWarnings } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client, recordingAudioUrl } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { Player } from '../../kit/player.tsx';
import { Failure } from '../../kit/states.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { MakeRecording, speechOf } from '../editor/make-recording.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingPlayer } from '../records/recording-player.tsx';
import { Warnings } from '../records/warnings.tsx';

interface Draft {
  readonly name: string;
  readonly description: string;
}

export function EditRecording({ id }: { readonly id: string }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<RecordingWithWarnings, Draft>({
    kind: 'recording',
    id,
    fresh: { name: '', description: '' },
    read: (one) => client.getRecording({ params: { id: one } }),
    draftOf: ({ name, description }) => ({ name, description }),
    nameOf: ({ name }) => name,
    create: (body) => client.createRecording({ body }),
    put: (one, body, ifMatch) => client.putRecording({ params: { id: one }, body, ifMatch }),
    remove: (one, force) => client.deleteRecording({ params: { id: one }, query: forced(force) }),
  });
  const { record } = form;
  const again = (): void => {
    changed('recording');
    void form.load();
  };
  return (
    <RecordPage
      form={form}
      more={
        record && (
          <div className="records-more">
            <Replace disabled={form.dirty} recording={record} onDone={again} />
            <Versions disabled={form.dirty} recording={record} onDone={again} />
          </div>
        )
      }
    >
      <Warnings warnings={record?.warnings} />
      {record && <Audio recording={record} />}
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextArea {...hinted('records.description')} {...form.field('description')} />
      </Section>
    </RecordPage>
  );
}

function Audio({ recording }: { readonly recording: Recording }) {
  const { t } = useWords();
  const { text, url } = recording;
  return (
    <Section title={t('records.hear')}>
      <RecordingPlayer recording={recording} points={300} />
      {text !== null && <p className="records-block">{text}</p>}
      {url !== null && <p className="field-hint">{t('recordings.from', { url })}</p>}
    </Section>
  );
}

interface PartProps {
  /** While the form has unsaved changes: onDone() reloads it. */
  readonly disabled: boolean;
  readonly recording: RecordingWithWarnings;
  readonly onDone: () => void;
}

function Replace({ disabled, recording, onDone }: PartProps) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const done = (): void => {
    setOpen(false);
    onDone();
  };
  return (
    <Section title={t('recordings.replace')} hint={t('recordings.replace.hint')}>
      {open ? (
        <MakeRecording replace={recording.id} speech={speechOf(recording)} onMade={done} />
      ) : (
        <div>
          <Button icon="recording" disabled={disabled} onClick={() => setOpen(true)}>
            {t('recordings.replace')}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Versions({ disabled, recording, onDone }: PartProps) {
  const { t, dateTime, duration } = useWords();
  const toast = useToast();
  const attempt = useAttempt();
  const { id, version: current } = recording;
  const { value, error, again } = useAsk(
    (signal) => client.listRecordingVersions({ params: { id }, query: { limit: 50 }, signal }),
    [id, current],
  );
  const restore = (version: number) =>
    attempt(async () => {
      await client.restoreRecording({ params: { id, version: String(version) }, ifMatch: `"${current}"` });
      toast(t('recordings.restored', { version }));
      onDone();
    });
  return (
    <Section title={t('recordings.versions')}>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value && value.data.length <= 1 && <p className="records-quiet">{t('recordings.versions.none')}</p>}
      <ul className="records-list">
        {value?.data.map((one) => (
          <li key={one.version} className="records-item">
            <div className="records-item-main">
              {t('recordings.version', { version: one.version })}{' '}
              {one.version === current && <Badge tone="good">{t('recordings.version.now')}</Badge>}
              <div className="records-quiet">
                {one.name} · {dateTime(one.updated_at)} · {duration(one.duration_ms)}
              </div>
              <Player
                src={recordingAudioUrl(id, one.version)}
                label={t('recordings.version', { version: one.version })}
              />
            </div>
            {one.version !== current && (
              <Button
                icon="history"
                disabled={disabled}
                aria-label={t('recordings.restore.this', { version: one.version })}
                onClick={() => void restore(one.version)}
              >
                {t('recordings.restore')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
