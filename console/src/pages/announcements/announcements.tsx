// Announcements: a recording played to its end, then the call goes on.
import type { Announcement } from '../../../../client/operations.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { client } from '../../data/client.ts';
import { useNames, useNamesOf } from '../../data/names.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, orNull, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';

export const Page = () => <Pages list={<Announcements />} edit={(id) => <EditAnnouncement id={id} />} />;

function Announcements() {
  const { t } = useWords();
  const nameOf = useNames();
  const recordings = useNamesOf('recording');
  const sound = (reference: string | null) =>
    reference === null ? '' : recordings(splitReference(reference).id);
  return (
    <RecordList
      kind="announcement"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        {
          key: 'recording',
          label: t('records.recording'),
          value: ({ recording, text }) => text ?? sound(recording),
        },
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
  readonly text: string;
  readonly destination: string;
}

const bodyOf = (draft: Draft) => ({
  ...draft,
  recording: orNull(draft.recording),
  text: orNull(draft.text),
});

export function EditAnnouncement({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<Announcement, Draft>({
    kind: 'announcement',
    id,
    fresh: { name: '', recording: '', text: '', destination: '' },
    read: (one) => client.getAnnouncement({ params: { id: one } }),
    draftOf: ({ name, recording, text, destination }) => ({
      name,
      recording: recording ?? '',
      text: text ?? '',
      destination,
    }),
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createAnnouncement({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) =>
      client.putAnnouncement({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteAnnouncement({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <RecordingField
          label={t('records.recording')}
          instead={t('records.text.alone')}
          {...form.field('recording')}
        />
        <TextArea {...hinted('records.text')} {...form.field('text')} />
        <DestinationPicker {...hinted('announcements.then')} {...form.field('destination')} required />
      </Section>
    </RecordPage>
  );
}
