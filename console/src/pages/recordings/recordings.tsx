import type { Recording } from '../../../../client/operations.ts';
import { recordingAudioUrl } from '../../data/client.ts';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { RecordList } from '../records/record-list.tsx';
import { EditRecording } from './edit-recording.tsx';
import { NewRecording } from './new-recording.tsx';

export const Page = () => (
  <Pages list={<Recordings />} edit={(id) => (id === null ? <NewRecording /> : <EditRecording id={id} />)} />
);

function Recordings() {
  const { t, duration, date } = useWords();
  const source = ({ source: from }: Recording) => t(`recordings.source.${from ?? 'none'}`);
  return (
    <RecordList
      kind="recording"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'description', label: t('records.description'), value: ({ description }) => description },
        { key: 'source', label: t('recordings.source'), value: source },
        {
          key: 'length',
          label: t('recordings.length'),
          value: ({ duration_ms }) => duration_ms,
          render: ({ duration_ms }) => duration(duration_ms),
          number: true,
        },
        {
          key: 'changed',
          label: t('recordings.changed'),
          value: ({ updated_at }) => updated_at,
          render: ({ updated_at }) => date(updated_at),
        },
      ]}
      rowActions={(row) => <Player src={recordingAudioUrl(row.id, row.version)} label={row.name} />}
    />
  );
}
