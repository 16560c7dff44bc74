// Announcements: a recording played to its end, then the call goes on.
import type { Announcement } from '../../../../client/operations.ts';
import { splitReference } from '../../../../src/domain/reference.ts';
import { client } from '../../data/client.ts';
import { useNames, useNamesOf } from '../../data/names.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';

export const Page = () => <Pages list={<Announcements />} edit={(id) => <EditAnnouncement id={id} />} />;

function Announcements() {
  const { t } = useWords();
  const nameOf = useNames();
  const recordings = useNamesOf('recording');
  const sound = (reference: string) => recordings(splitReference(reference).id);
  return (
    <RecordList
      kind="announcement"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'recording', label: t('records.recording'), value: ({ recording }) => sound(recording) },
        {
          key: 'destination',
          label: t('announcements.then'),
          value: ({ destination }) => nameOf(destination).name,
          render: ({ destination }) => <DestinationLink named={nameOf(destination)} />,
        },
      ]}
    />
  );
}

interface Draft {
  readonly name: string;
  readonly recording: string;
  readonly destination: string;
}

export function EditAnnouncement({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<Announcement, Draft>({
    kind: 'announcement',
    id,
    fresh: { name: '', recording: '', destination: '' },
    read: (one) => client.getAnnouncement({ params: { id: one } }),
    draftOf: ({ name, recording, destination }) => ({ name, recording, destination }),
    nameOf: ({ name }) => name,
    create: (body, idempotencyKey) => client.createAnnouncement({ body, idempotencyKey }),
    put: (one, body, ifMatch) => client.putAnnouncement({ params: { id: one }, body, ifMatch }),
    remove: (one, force) => client.deleteAnnouncement({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <RecordingField label={t('records.recording')} {...form.field('recording')} required />
        <DestinationPicker {...hinted('announcements.then')} {...form.field('destination')} required />
      </Section>
    </RecordPage>
  );
}
