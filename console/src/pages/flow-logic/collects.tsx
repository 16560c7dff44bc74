// Collects: places of a call that ask for digits.

import type { Collect } from '../../../../client/operations.ts';
import { collectRecord } from '../../../../src/kinds/collect.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { CheckField, NumberField, SelectField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { type DraftOf, forced, orNull, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';

export const Page = () => <Pages list={<Collects />} edit={(id) => <EditCollect id={id} />} />;

function Collects() {
  const { t } = useWords();
  const nameOf = useNames();
  return (
    <RecordList
      kind="collect"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'save_as', label: t('collects.saveAs'), value: ({ save_as }) => save_as },
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
  recording: '',
  text: '',
  min_digits: collectRecord.fields.min_digits.absent(),
  max_digits: 6,
  finish_key: '#' as '#' | '*' | '',
  timeout: collectRecord.fields.timeout.absent(),
  allowed: '',
  attempts: collectRecord.fields.attempts.absent(),
  invalid_recording: '',
  timeout_recording: '',
  confirm: false as boolean,
  save_as: '',
  sensitive: false as boolean,
  next_destination: '',
  failed_destination: '',
};
type Draft = DraftOf<typeof FRESH>;

const draftOf = (collect: Collect): Draft => ({
  ...FRESH,
  ...Object.fromEntries(Object.entries(collect).filter(([name]) => name in FRESH)),
  allowed: collect.allowed.join(', '),
  recording: collect.recording ?? '',
  text: collect.text ?? '',
  invalid_recording: collect.invalid_recording ?? '',
  timeout_recording: collect.timeout_recording ?? '',
});

const bodyOf = (draft: Draft) => ({
  ...draft,
  allowed: draft.allowed.split(/[\s,]+/).filter(Boolean),
  max_digits: draft.max_digits ?? 0,
  recording: orNull(draft.recording),
  text: orNull(draft.text),
  invalid_recording: orNull(draft.invalid_recording),
  timeout_recording: orNull(draft.timeout_recording),
});

export function EditCollect({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<Collect, Draft>({
    kind: 'collect',
    id,
    fresh: FRESH,
    read: (one) => client.getCollect({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createCollect({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putCollect({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteCollect({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <RecordingField
          {...hinted('collects.recording')}
          instead={t('records.text.alone')}
          {...form.field('recording')}
        />
        <TextArea {...hinted('records.text')} {...form.field('text')} />
        <NumberField label={t('collects.min')} {...form.field('min_digits')} min={1} max={32} />
        <NumberField label={t('collects.max')} {...form.field('max_digits')} min={1} max={32} required />
        <SelectField
          label={t('collects.finish')}
          {...form.field('finish_key')}
          options={[
            { value: '#', label: '#' },
            { value: '*', label: '*' },
            { value: '', label: t('collects.finish.none') },
          ]}
        />
        <NumberField label={t('collects.timeout')} {...form.field('timeout')} min={0} max={600} />
        <NumberField label={t('collects.attempts')} {...form.field('attempts')} min={1} max={20} />
        <TextField {...hinted('collects.allowed')} {...form.field('allowed')} />
        <TextField {...hinted('collects.saveAs')} {...form.field('save_as')} required />
        <CheckField {...hinted('collects.confirm')} {...form.field('confirm')} />
        <CheckField {...hinted('collects.sensitive')} {...form.field('sensitive')} />
        <RecordingField
          label={t('collects.invalid')}
          instead={t('collects.again')}
          {...form.field('invalid_recording')}
        />
        <RecordingField
          label={t('collects.late')}
          instead={t('collects.again')}
          {...form.field('timeout_recording')}
        />
        <DestinationPicker label={t('flow-logic.next')} {...form.field('next_destination')} required />
        <DestinationPicker {...hinted('collects.failed')} {...form.field('failed_destination')} required />
        <TextArea label={t('flow-logic.note')} {...form.field('description')} />
      </Section>
    </RecordPage>
  );
}
