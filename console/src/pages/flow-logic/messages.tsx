// Messages: places of a call that send a text and go on.
import type { Message } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';

export const Page = () => <Pages list={<Messages />} edit={(id) => <EditMessage id={id} />} />;

function Messages() {
  const { t } = useWords();
  const nameOf = useNames();
  return (
    <RecordList
      kind="message"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'to', label: t('messages.to'), value: ({ to }) => to },
        {
          key: 'next',
          label: t('flow-logic.next'),
          value: ({ next_destination: next }) => nameOf(next).name,
          render: ({ next_destination: next }) => <DestinationLink named={nameOf(next)} />,
        },
      ]}
    />
  );
}

const FRESH = { name: '', description: '', sms_template: '', to: '{caller}', next_destination: '' };

export function EditMessage({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const { items } = useRecords('sms_template');
  const form = useRecordForm<Message, typeof FRESH>({
    kind: 'message',
    id,
    fresh: FRESH,
    read: (one) => client.getMessage({ params: { id: one } }),
    draftOf: ({ name, description, sms_template, to, next_destination }) => ({
      name,
      description,
      sms_template,
      to,
      next_destination,
    }),
    nameOf: ({ name }) => name,
    create: (body, idempotencyKey) => client.createMessage({ body, idempotencyKey }),
    put: (one, body, ifMatch) => client.putMessage({ params: { id: one }, body, ifMatch }),
    remove: (one, force) => client.deleteMessage({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <Picker
          label={t('messages.template')}
          {...form.field('sms_template')}
          options={items.map((item) => ({ value: item.id, label: item.name }))}
          required
        />
        <TextField {...hinted('messages.to')} {...form.field('to')} />
        <DestinationPicker label={t('flow-logic.next')} {...form.field('next_destination')} required />
        <TextArea label={t('flow-logic.note')} {...form.field('description')} />
      </Section>
    </RecordPage>
  );
}
