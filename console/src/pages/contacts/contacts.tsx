// Contacts: whose names calls from their numbers show.
import type { Contact } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { NumberField, TextArea, TextField } from '../../kit/field.tsx';
import { useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { type DraftOf, forced, orNull, useRecordForm } from '../records/record-form.ts';
import { LinkButton, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { ImportContacts } from './import-contacts.tsx';

export function Page() {
  const { parts } = useRoute();
  if (parts[1] === 'import') return <ImportContacts />;
  return <Pages list={<Contacts />} edit={(id) => <EditContact id={id} />} />;
}

function Contacts() {
  const { t } = useWords();
  return (
    <RecordList
      kind="contact"
      actions={<LinkButton to="/contacts/import" icon="upload" label={t('contacts.import')} />}
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'company', label: t('contacts.company'), value: ({ company }) => company },
        { key: 'numbers', label: t('contacts.numbers'), value: ({ numbers }) => numbers.join(', ') },
        { key: 'email', label: t('contacts.email'), value: ({ email }) => email ?? '' },
        { key: 'priority', label: t('contacts.priority'), value: ({ priority }) => priority, number: true },
      ]}
    />
  );
}

const FRESH = { name: '', company: '', numbers: '', email: '', notes: '', priority: 0 };

type Draft = DraftOf<typeof FRESH>;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

const bodyOf = ({ name, company, numbers, email, notes, priority }: Draft) => ({
  name,
  company,
  numbers: linesOf(numbers),
  email: orNull(email),
  notes,
  priority,
});

function EditContact({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<Contact, Draft>({
    kind: 'contact',
    id,
    fresh: FRESH,
    read: (one) => client.getContact({ params: { id: one } }),
    draftOf: ({ name, company, numbers, email, notes, priority }) => ({
      name,
      company,
      numbers: numbers.join('\n'),
      email: email ?? '',
      notes,
      priority,
    }),
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createContact({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putContact({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteContact({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <div className="records-columns">
          <TextField label={t('records.name')} {...form.field('name')} required />
          <TextField label={t('contacts.company')} {...form.field('company')} />
        </div>
        <TextArea {...hinted('contacts.numbers')} {...form.field('numbers')} required />
        <TextField label={t('contacts.email')} {...form.field('email')} type="email" />
        <NumberField {...hinted('contacts.priority')} {...form.field('priority')} min={0} max={100} />
        <TextArea label={t('contacts.notes')} {...form.field('notes')} />
      </Section>
    </RecordPage>
  );
}
