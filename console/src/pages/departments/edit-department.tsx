import type { Department } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { NumberField, SelectField, SwitchField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { type DraftOf, forced, orNull, type RecordForm, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';
import { MembersField } from './members-field.tsx';
import { RightNow } from './right-now.tsx';

const STRATEGIES = ['simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'] as const;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'];

const NO_AGENTS: readonly string[] = [];
const FRESH = {
  name: '',
  description: '',
  agents: NO_AGENTS,
  strategy: 'simultaneous',
  ring_seconds: null,
  failover_destination: '',
  queue: false,
  music_on_hold: '',
  announce_position: 0,
  max_wait_seconds: 600,
  max_waiting: 0,
  wrapup_seconds: 0,
  join_when_empty: false,
  exit_key: '',
};
type Draft = DraftOf<typeof FRESH>;

function draftOf(department: Department): Draft {
  const { id: _, version: __, created_at: ___, updated_at: ____, ...rest } = department;
  return {
    ...rest,
    failover_destination: rest.failover_destination ?? '',
    music_on_hold: rest.music_on_hold ?? '',
    exit_key: rest.exit_key ?? '',
  };
}

const bodyOf = ({ agents, strategy, ...draft }: Draft) => ({
  ...draft,
  agents: [...agents],
  strategy: STRATEGIES.find((each) => each === strategy) ?? null,
  failover_destination: orNull(draft.failover_destination),
  music_on_hold: orNull(draft.music_on_hold),
  exit_key: orNull(draft.exit_key),
});

type Form = RecordForm<Department, Draft>;

export function EditDepartment({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form: Form = useRecordForm<Department, Draft>({
    kind: 'department',
    id,
    fresh: FRESH,
    read: (one) => client.getDepartment({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createDepartment({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putDepartment({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteDepartment({ params: { id: one }, query: forced(force) }),
    also: ['agent'],
  });
  return (
    <RecordPage form={form} more={form.record && <RightNow id={form.record.id} />}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <TextArea {...hinted('records.description')} {...form.field('description')} rows={2} />
      </Section>
      <Ringing form={form} />
      <Queue form={form} />
    </RecordPage>
  );
}

function Ringing({ form }: { readonly form: Form }) {
  const { t, hinted } = useWords();
  const chosen = STRATEGIES.find((each) => each === form.draft.strategy) ?? 'simultaneous';
  return (
    <Section title={t('departments.agents')} hint={t('departments.agents.hint')}>
      <MembersField {...form.field('agents')} />
      <SelectField
        label={t('departments.strategy')}
        hint={t(`departments.strategy.${chosen}.text`)}
        {...form.field('strategy')}
        options={STRATEGIES.map((value) => ({ value, label: t(`departments.strategy.${value}`) }))}
      />
      <NumberField {...hinted('departments.ring')} {...form.field('ring_seconds')} min={1} max={300} />
      <DestinationPicker
        {...hinted('departments.failover')}
        {...form.field('failover_destination')}
        allowEmpty
      />
    </Section>
  );
}

function Queue({ form }: { readonly form: Form }) {
  const { t, hinted } = useWords();
  return (
    <Section title={t('departments.line')}>
      <SwitchField {...hinted('departments.queue')} {...form.field('queue')} />
      {form.draft.queue && (
        <>
          <RecordingField
            label={t('departments.music')}
            instead={t('departments.music.builtIn')}
            {...form.field('music_on_hold')}
          />
          <div className="records-columns">
            <NumberField {...hinted('departments.maxWait')} {...form.field('max_wait_seconds')} min={0} />
            <NumberField {...hinted('departments.maxWaiting')} {...form.field('max_waiting')} min={0} />
            <NumberField {...hinted('departments.announce')} {...form.field('announce_position')} min={0} />
            <NumberField {...hinted('departments.wrapup')} {...form.field('wrapup_seconds')} min={0} />
          </div>
          <SelectField
            {...hinted('departments.exitKey')}
            {...form.field('exit_key')}
            options={[
              { value: '', label: t('departments.exitKey.none') },
              ...KEYS.map((key) => ({ value: key, label: key })),
            ]}
          />
          <SwitchField {...hinted('departments.joinEmpty')} {...form.field('join_when_empty')} />
        </>
      )}
    </Section>
  );
}
