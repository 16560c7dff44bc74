// Streams: places of a call that connect the caller with a voice bot.
import type { Stream as FlowStream } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { NumberField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { type DraftOf, forced, orNull, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';
import { RowsField } from './rows-field.tsx';

export const Page = () => <Pages list={<Streams />} edit={(id) => <EditStream id={id} />} />;

function Streams() {
  const { t } = useWords();
  const nameOf = useNames();
  return (
    <RecordList
      kind="stream"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'url', label: t('streams.url'), value: ({ url }) => url },
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

const FRESH = {
  name: '',
  description: '',
  url: 'wss://',
  parameters: [] as readonly { readonly name: string; readonly value: string }[],
  secret: '',
  disclosure_recording: '',
  max_seconds: 1800 as number,
  destinations: [] as readonly { readonly destination: string }[],
  next_destination: '',
  failed_destination: '',
};
type Draft = DraftOf<typeof FRESH>;

const draftOf = (stream: FlowStream): Draft => ({
  name: stream.name,
  description: stream.description,
  url: stream.url,
  parameters: Object.entries(stream.parameters).map(([name, value]) => ({ name, value: String(value) })),
  secret: '',
  disclosure_recording: stream.disclosure_recording ?? '',
  max_seconds: stream.max_seconds,
  destinations: stream.destinations.map((destination) => ({ destination })),
  next_destination: stream.next_destination,
  failed_destination: stream.failed_destination,
});

/** An empty secret is not sent: what is stored stays. */
const bodyOf = ({ parameters, secret, destinations, ...draft }: Draft) => ({
  ...draft,
  parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
  destinations: destinations.map(({ destination }) => destination),
  disclosure_recording: orNull(draft.disclosure_recording),
  ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
});

export function EditStream({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<FlowStream, Draft>({
    kind: 'stream',
    id,
    fresh: FRESH,
    read: (one) => client.getStream({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createStream({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putStream({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteStream({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextField {...hinted('streams.url')} {...form.field('url')} required />
        <RecordingField
          label={t('streams.disclosure')}
          instead={t('streams.disclosure.none')}
          {...form.field('disclosure_recording')}
        />
        <RowsField
          {...hinted('streams.parameters')}
          {...form.field('parameters')}
          fresh={{ name: '', value: '' }}
          max={50}
          row={({ name, value }, change) => (
            <>
              <TextField
                label={t('streams.parameter')}
                value={name}
                onChange={(text) => change({ name: text })}
                fault={undefined}
              />
              <TextField
                label={t('flow-logic.value')}
                value={value}
                onChange={(text) => change({ value: text })}
                fault={form.faultAt(`/parameters/${name}`)}
              />
            </>
          )}
        />
        <TextField {...hinted('streams.secret')} {...form.field('secret')} autoComplete="off" />
        <NumberField {...hinted('streams.seconds')} {...form.field('max_seconds')} min={1} max={14_400} />
        <RowsField
          {...hinted('streams.destinations')}
          {...form.field('destinations')}
          fresh={{ destination: '' }}
          max={50}
          row={({ destination }, change, index) => (
            <DestinationPicker
              label={t('streams.destination')}
              value={destination}
              onChange={(to) => change({ destination: to })}
              fault={form.faultAt(`/destinations/${index}`)}
            />
          )}
        />
        <DestinationPicker {...hinted('streams.next')} {...form.field('next_destination')} required />
        <DestinationPicker {...hinted('streams.failed')} {...form.field('failed_destination')} required />
        <TextArea label={t('flow-logic.note')} {...form.field('description')} />
      </Section>
    </RecordPage>
  );
}
