import type { Department } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { NumberField, SelectField, SwitchField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { type DraftOf, forced, orNull, type RecordForm, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';
import { MembersField } from './members-field.tsx';
import { RightNow } from './right-now.tsx';

const STRATEGIES = ['simultaneous', 'in_order', 'random', 'round_robin', 'longest_idle'] as const;
const FIRST = ['agent', 'caller'] as const;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'];

const NO_AGENTS: readonly string[] = [];
const NO_LEVELS: Readonly<Record<string, number>> = {};
const FRESH = {
  name: '',
  description: '',
  agents: NO_AGENTS,
  agent_levels: NO_LEVELS,
  priority: 0,
  strategy: 'simultaneous',
  ring_seconds: null,
  ring_together: 1,
  failover_destination: '',
  full_destination: '',
  timeout_destination: '',
  after_call_destination: '',
  queue: false,
  music_on_hold: '',
  announce_position: 0,
  announce_wait: false,
  announce_recording: '',
  announce_recording_seconds: 60,
  max_wait_seconds: 600,
  max_waiting: 0,
  wrapup_seconds: 0,
  join_when_empty: false,
  exit_key: '',
  callback_key: '',
  callback_offer_seconds: 0,
  callback_recording: '',
  callback_first: 'agent',
  callback_attempts: 3,
  callback_pause_seconds: 300,
  callback_hours: '',
  callbacks_per_hour: 30,
};
type Draft = DraftOf<typeof FRESH>;

function draftOf(department: Department): Draft {
  const { id: _, version: __, created_at: ___, updated_at: ____, ...rest } = department;
  return {
    ...rest,
    failover_destination: rest.failover_destination ?? '',
    full_destination: rest.full_destination ?? '',
    timeout_destination: rest.timeout_destination ?? '',
    after_call_destination: rest.after_call_destination ?? '',
    music_on_hold: rest.music_on_hold ?? '',
    announce_recording: rest.announce_recording ?? '',
    exit_key: rest.exit_key ?? '',
    callback_key: rest.callback_key ?? '',
    callback_recording: rest.callback_recording ?? '',
    callback_hours: rest.callback_hours ?? '',
  };
}

const bodyOf = ({ agents, strategy, ...draft }: Draft) => ({
  ...draft,
  agents: [...agents],
  strategy: STRATEGIES.find((each) => each === strategy) ?? null,
  failover_destination: orNull(draft.failover_destination),
  full_destination: orNull(draft.full_destination),
  timeout_destination: orNull(draft.timeout_destination),
  after_call_destination: orNull(draft.after_call_destination),
  music_on_hold: orNull(draft.music_on_hold),
  announce_recording: orNull(draft.announce_recording),
  exit_key: orNull(draft.exit_key),
  callback_key: orNull(draft.callback_key),
  callback_recording: orNull(draft.callback_recording),
  callback_first: FIRST.find((each) => each === draft.callback_first) ?? null,
  callback_hours: orNull(draft.callback_hours),
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
    <RecordPage
      form={form}
      more={form.record && <RightNow id={form.record.id} version={form.record.version} />}
    >
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
      <MembersField {...form.field('agents')} levels={form.field('agent_levels')} />
      <SelectField
        label={t('departments.strategy')}
        hint={t(`departments.strategy.${chosen}.text`)}
        {...form.field('strategy')}
        options={STRATEGIES.map((value) => ({ value, label: t(`departments.strategy.${value}`) }))}
      />
      {chosen !== 'simultaneous' && (
        <NumberField {...hinted('departments.together')} {...form.field('ring_together')} min={1} max={20} />
      )}
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
      <RecordingField
        {...hinted('departments.music')}
        instead={t('departments.music.account')}
        {...form.field('music_on_hold')}
      />
      <DestinationPicker
        {...hinted('flow-logic.afterCall')}
        {...form.field('after_call_destination')}
        allowEmpty
      />
      <SwitchField {...hinted('departments.queue')} {...form.field('queue')} />
      {form.draft.queue && (
        <>
          <div className="records-columns">
            <NumberField {...hinted('departments.maxWait')} {...form.field('max_wait_seconds')} min={0} />
            <NumberField {...hinted('departments.maxWaiting')} {...form.field('max_waiting')} min={0} />
            <NumberField {...hinted('departments.announce')} {...form.field('announce_position')} min={0} />
            <NumberField {...hinted('departments.wrapup')} {...form.field('wrapup_seconds')} min={0} />
            <NumberField {...hinted('departments.priority')} {...form.field('priority')} min={0} max={100} />
          </div>
          <Announcements form={form} />
          <DestinationPicker {...hinted('departments.full')} {...form.field('full_destination')} allowEmpty />
          <DestinationPicker
            {...hinted('departments.timeout')}
            {...form.field('timeout_destination')}
            allowEmpty
          />
          <SelectField
            {...hinted('departments.exitKey')}
            {...form.field('exit_key')}
            options={[
              { value: '', label: t('departments.exitKey.none') },
              ...KEYS.map((key) => ({ value: key, label: key })),
            ]}
          />
          <SwitchField {...hinted('departments.joinEmpty')} {...form.field('join_when_empty')} />
          <CallingBack form={form} />
        </>
      )}
    </Section>
  );
}

function Announcements({ form }: { readonly form: Form }) {
  const { t, hinted } = useWords();
  const { announce_position: position, announce_recording: recording } = form.draft;
  return (
    <>
      {position !== null && position > 0 && (
        <SwitchField {...hinted('departments.announceWait')} {...form.field('announce_wait')} />
      )}
      <RecordingField
        {...hinted('departments.message')}
        instead={t('departments.message.none')}
        {...form.field('announce_recording')}
      />
      {recording !== '' && (
        <NumberField
          {...hinted('departments.messageEvery')}
          {...form.field('announce_recording_seconds')}
          min={10}
        />
      )}
    </>
  );
}

function CallingBack({ form }: { readonly form: Form }) {
  const { t, hinted } = useWords();
  const { items: groups } = useRecords('timegroup');
  return (
    <>
      <SelectField
        {...hinted('departments.callbackKey')}
        {...form.field('callback_key')}
        options={[
          { value: '', label: t('departments.callbackKey.none') },
          ...KEYS.map((key) => ({ value: key, label: key })),
        ]}
      />
      {form.draft.callback_key !== '' && (
        <>
          <SelectField
            {...hinted('departments.callbackFirst')}
            {...form.field('callback_first')}
            options={FIRST.map((value) => ({ value, label: t(`departments.callbackFirst.${value}`) }))}
          />
          <div className="records-columns">
            <NumberField
              {...hinted('departments.callbackOffer')}
              {...form.field('callback_offer_seconds')}
              min={0}
            />
            <NumberField
              {...hinted('departments.callbackAttempts')}
              {...form.field('callback_attempts')}
              min={1}
              max={10}
            />
            <NumberField
              {...hinted('departments.callbackPause')}
              {...form.field('callback_pause_seconds')}
              min={30}
            />
            <NumberField
              {...hinted('departments.callbackLimit')}
              {...form.field('callbacks_per_hour')}
              min={1}
            />
          </div>
          <RecordingField
            {...hinted('departments.callbackRecording')}
            instead={t('departments.callbackRecording.none')}
            {...form.field('callback_recording')}
          />
          <SelectField
            {...hinted('departments.callbackHours')}
            {...form.field('callback_hours')}
            options={[
              { value: '', label: t('departments.callbackHours.none') },
              ...groups.map(({ id, name }) => ({ value: `timegroup||${id}`, label: name })),
            ]}
          />
        </>
      )}
    </>
  );
}
