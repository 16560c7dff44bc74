import type { VoicemailBox } from '../../../../client/operations.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { client } from '../../data/client.ts';
import { useNamesOf } from '../../data/names.ts';
import { NumberField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, orNull, useRecordForm } from '../records/record-form.ts';
import { RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';
import { Messages } from './messages.tsx';

export const Page = () => <Pages list={<Boxes />} edit={(id) => <EditBox id={id} />} />;

function Boxes() {
  const { t } = useWords();
  const recordings = useNamesOf('recording');
  const greeting = (reference: string | null) =>
    reference === null ? t('voicemail.greeting.builtIn') : recordings(splitReference(reference).id);
  return (
    <RecordList
      kind="voicemail"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'greeting', label: t('voicemail.greeting'), value: (box) => greeting(box.greeting) },
        { key: 'email', label: t('voicemail.email'), value: ({ email }) => email },
      ]}
    />
  );
}

interface Draft {
  readonly name: string;
  readonly greeting: string;
  readonly max_seconds: number | null;
  readonly silence_seconds: number | null;
  readonly email: string;
}

const bodyOf = ({ greeting, email, ...rest }: Draft) => ({
  ...rest,
  greeting: orNull(greeting),
  email: orNull(email),
});

export function EditBox({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<VoicemailBox, Draft>({
    kind: 'voicemail',
    id,
    fresh: { name: '', greeting: '', max_seconds: 120, silence_seconds: 5, email: '' },
    read: (one) => client.getVoicemailBox({ params: { id: one } }),
    draftOf: ({ name, greeting, max_seconds, silence_seconds, email }) => ({
      name,
      greeting: greeting ?? '',
      max_seconds,
      silence_seconds,
      email: email ?? '',
    }),
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createVoicemailBox({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) =>
      client.putVoicemailBox({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteVoicemailBox({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form} more={id !== null && <Messages box={id} />}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <RecordingField
          {...hinted('voicemail.greeting')}
          instead={t('voicemail.greeting.builtIn')}
          {...form.field('greeting')}
        />
        <div className="records-columns">
          <NumberField {...hinted('voicemail.max')} {...form.field('max_seconds')} min={1} max={600} />
          <NumberField {...hinted('voicemail.silence')} {...form.field('silence_seconds')} min={1} max={30} />
        </div>
        <TextField {...hinted('voicemail.email')} {...form.field('email')} type="email" />
      </Section>
    </RecordPage>
  );
}
