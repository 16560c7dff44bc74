// Requests: places of a call that ask a system of the company.
import type { Request as FlowRequest } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { NumberField, SelectField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { type DraftOf, forced, orNull, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';
import { RowsField } from './rows-field.tsx';

export const Page = () => <Pages list={<Requests />} edit={(id) => <EditRequest id={id} />} />;

function Requests() {
  const { t } = useWords();
  const nameOf = useNames();
  return (
    <RecordList
      kind="request"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'url', label: t('requests.url'), value: ({ url }) => url },
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

interface Pair {
  readonly name: string;
  readonly value: string;
}
interface Saved {
  readonly variable: string;
  readonly pointer: string;
}
interface Choice {
  readonly answer: string;
  readonly destination: string;
}

const FRESH = {
  name: '',
  description: '',
  url: 'https://',
  method: 'POST' as 'GET' | 'POST',
  body: [] as readonly Pair[],
  secret: '',
  timeout_ms: 5000 as number,
  save: [] as readonly Saved[],
  choices: [] as readonly Choice[],
  wait_recording: '',
  next_destination: '',
  failed_destination: '',
};
type Draft = DraftOf<typeof FRESH>;

const draftOf = (request: FlowRequest): Draft => ({
  name: request.name,
  description: request.description,
  url: request.url,
  method: request.method,
  body: Object.entries(request.body).map(([name, value]) => ({ name, value: String(value) })),
  secret: '',
  timeout_ms: request.timeout_ms,
  save: request.save,
  choices: request.choices,
  wait_recording: request.wait_recording ?? '',
  next_destination: request.next_destination,
  failed_destination: request.failed_destination,
});

/** An empty secret is not sent: what is stored stays. */
const bodyOf = ({ body, secret, save, choices, ...draft }: Draft) => ({
  ...draft,
  body: Object.fromEntries(body.map(({ name, value }) => [name, value])),
  save: [...save],
  choices: [...choices],
  wait_recording: orNull(draft.wait_recording),
  ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
});

export function EditRequest({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<FlowRequest, Draft>({
    kind: 'request',
    id,
    fresh: FRESH,
    read: (one) => client.getRequest({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createRequest({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putRequest({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteRequest({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextField {...hinted('requests.url')} {...form.field('url')} required />
        <SelectField
          label={t('requests.method')}
          {...form.field('method')}
          options={[
            { value: 'POST', label: 'POST' },
            { value: 'GET', label: 'GET' },
          ]}
        />
        <RowsField
          {...hinted('requests.body')}
          {...form.field('body')}
          fresh={{ name: '', value: '' }}
          max={50}
          row={({ name, value }, change) => (
            <>
              <TextField
                label={t('requests.member')}
                value={name}
                onChange={(text) => change({ name: text })}
                fault={undefined}
              />
              <TextField
                label={t('flow-logic.value')}
                value={value}
                onChange={(text) => change({ value: text })}
                fault={form.faultAt(`/body/${name}`)}
              />
            </>
          )}
        />
        <TextField {...hinted('requests.secret')} {...form.field('secret')} autoComplete="off" />
        <NumberField label={t('requests.timeout')} {...form.field('timeout_ms')} min={100} max={10_000} />
        <RowsField
          {...hinted('requests.save')}
          {...form.field('save')}
          fresh={{ variable: '', pointer: '/' }}
          max={50}
          row={({ variable, pointer }, change, index) => (
            <>
              <TextField
                label={t('flow-logic.variable')}
                value={variable}
                onChange={(text) => change({ variable: text })}
                fault={form.faultAt(`/save/${index}/variable`)}
              />
              <TextField
                label={t('requests.pointer')}
                value={pointer}
                onChange={(text) => change({ pointer: text })}
                fault={form.faultAt(`/save/${index}/pointer`)}
              />
            </>
          )}
        />
        <RowsField
          {...hinted('requests.choices')}
          {...form.field('choices')}
          fresh={{ answer: '', destination: '' }}
          max={50}
          row={({ answer, destination }, change, index) => (
            <>
              <TextField
                label={t('requests.answer')}
                value={answer}
                onChange={(text) => change({ answer: text })}
                fault={form.faultAt(`/choices/${index}/answer`)}
              />
              <DestinationPicker
                label={t('flow-logic.next')}
                value={destination}
                onChange={(to) => change({ destination: to })}
                fault={form.faultAt(`/choices/${index}/destination`)}
              />
            </>
          )}
        />
        <RecordingField
          label={t('requests.wait')}
          instead={t('requests.wait.tone')}
          {...form.field('wait_recording')}
        />
        <DestinationPicker label={t('flow-logic.next')} {...form.field('next_destination')} required />
        <DestinationPicker {...hinted('requests.failed')} {...form.field('failed_destination')} required />
        <TextArea label={t('flow-logic.note')} {...form.field('description')} />
      </Section>
    </RecordPage>
  );
}
