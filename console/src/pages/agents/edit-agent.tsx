import { useMemo } from 'react';
import type { StampedAgent } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useNamesOf } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { Badge } from '../../kit/badge.tsx';
import { useCreateInPlace } from '../../kit/create-in-place.tsx';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { SwitchField, TextField } from '../../kit/field.tsx';
import { type Option, Picker } from '../../kit/picker.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { SipSettings } from '../guide/sip-settings.tsx';
import { type DraftOf, forced, orNull, type RecordForm, useRecordForm } from '../records/record-form.ts';
import { RecordPage, Section } from '../records/record-page.tsx';
import type { Secret } from '../records/shown-once.tsx';
import { AgentActions } from './agent-actions.tsx';
import { AgentNow } from './agent-now.tsx';
import { AgentPhones } from './agent-phones.tsx';

const FRESH = {
  name: '',
  eid: '',
  intercom: '',
  follow_me_number: '',
  team_id: '',
  timegroup_id: '',
  failover_destination: '',
  click: false,
  sip_sha256: false,
  record_calls: false,
  do_not_disturb: false,
  call_waiting: '',
  forward_always: '',
  forward_busy: '',
  forward_no_answer: '',
  after_call_destination: '',
};
type AgentDraft = DraftOf<typeof FRESH>;

const TEAM = ['team'] as const;
const HOURS = ['timegroup'] as const;

const draftOf = (agent: StampedAgent): AgentDraft => ({
  name: agent.name,
  eid: agent.eid,
  intercom: agent.intercom,
  follow_me_number: agent.follow_me_number,
  team_id: agent.team_id === null ? '' : String(agent.team_id),
  timegroup_id: agent.timegroup_id ?? '',
  failover_destination: agent.failover_destination ?? '',
  click: agent.product_clicktocall === 1,
  sip_sha256: agent.sip_sha256,
  record_calls: agent.record_calls,
  do_not_disturb: agent.do_not_disturb,
  call_waiting: agent.call_waiting === null ? '' : String(agent.call_waiting),
  forward_always: agent.forward_always ?? '',
  forward_busy: agent.forward_busy ?? '',
  forward_no_answer: agent.forward_no_answer ?? '',
  after_call_destination: agent.after_call_destination ?? '',
});

const bodyOf = ({ click, follow_me_number, team_id, ...draft }: AgentDraft) => ({
  name: draft.name,
  eid: orNull(draft.eid),
  intercom: orNull(draft.intercom),
  // Spaces and separators are not part of the number.
  follow_me_number: orNull(follow_me_number.replaceAll(/[\s()/.-]/g, '')),
  team_id: team_id === '' ? null : Number(team_id),
  timegroup_id: orNull(draft.timegroup_id),
  failover_destination: orNull(draft.failover_destination),
  product_clicktocall: click ? (1 as const) : (0 as const),
  sip_sha256: draft.sip_sha256,
  record_calls: draft.record_calls,
  do_not_disturb: draft.do_not_disturb,
  call_waiting: draft.call_waiting === '' ? null : draft.call_waiting === 'true',
  forward_always: orNull(draft.forward_always),
  forward_busy: orNull(draft.forward_busy),
  forward_no_answer: orNull(draft.forward_no_answer),
  after_call_destination: orNull(draft.after_call_destination),
});

interface EditAgentProps {
  readonly id: string | null;
  readonly onSecret: (secret: Secret) => void;
}

export function EditAgent({ id, onSecret }: EditAgentProps) {
  const { t } = useWords();
  const showPassword = (name: string, intercom: string, password: string | undefined): void => {
    if (password === undefined) return;
    const more = <SipSettings intercom={intercom} password={password} />;
    onSecret({ title: t('agents.password.of', { name }), label: t('agents.password'), text: password, more });
  };
  const form = useRecordForm<StampedAgent, AgentDraft>({
    kind: 'agent',
    id,
    fresh: FRESH,
    read: (eid) => client.getAgent({ params: { eid } }),
    draftOf,
    nameOf: ({ name }) => name,
    async create(draft, idempotencyKey) {
      const made = await client.createAgent({ body: bodyOf(draft), idempotencyKey });
      showPassword(draft.name, made.intercom, made.sip_password);
      return { id: made.eid };
    },
    async put(eid, draft, ifMatch) {
      // References use the agent's id, so it cannot be changed.
      const answer = await client.putAgent({ params: { eid }, body: { ...bodyOf(draft), eid }, ifMatch });
      showPassword(draft.name, draft.intercom, answer.sip_password);
    },
    remove: (eid, force) => client.deleteAgent({ params: { eid }, query: forced(force) }),
    copied: () => ({ eid: '', intercom: '' }),
    createsSecret: true,
    also: ['department'],
    pointerOf: ({ code, message }) =>
      code === 'key_taken' ? (message.includes('the intercom') ? '/intercom' : '/eid') : null,
  });
  const { record } = form;
  return (
    <RecordPage
      form={form}
      actions={
        record && (
          <AgentActions
            agent={record}
            disabled={form.dirty}
            onChange={() => void form.load()}
            showPassword={showPassword}
          />
        )
      }
      more={record && <AgentFacts agent={record} />}
    >
      <Fields form={form} />
    </RecordPage>
  );
}

/** What the agent still has may be deleted: it is shown by its name, and not offered. */
const deletedOf =
  (value: string, nameOf: (id: string) => string) =>
  (text: string): readonly Option[] =>
    text !== '' && text === value ? [{ value, label: nameOf(value) }] : [];

function Fields({ form }: { readonly form: RecordForm<StampedAgent, AgentDraft> }) {
  const { t, hinted } = useWords();
  const { items: teams } = useRecords('team');
  const { items: hours } = useRecords('timegroup');
  const teamOptions = useMemo(
    () => teams.map(({ id, name }) => ({ value: String(id), label: name })),
    [teams],
  );
  const hourOptions = useMemo(
    () => [
      { value: '', label: t('agents.hours.always') },
      ...hours.map(({ id, name, timezone }) => ({ value: id, label: name, note: timezone })),
    ],
    [hours, t],
  );
  const waitingOptions = useMemo(
    () => [
      { value: '', label: t('agents.callWaiting.account') },
      { value: 'true', label: t('agents.callWaiting.on') },
      { value: 'false', label: t('agents.callWaiting.off') },
    ],
    [t],
  );
  const teamName = useNamesOf('team');
  const hoursName = useNamesOf('timegroup');
  const team = form.field('team_id');
  const newTeam = useCreateInPlace(TEAM, ({ id }) => team.onChange(id));
  const hoursOf = form.field('timegroup_id');
  const newHours = useCreateInPlace(HOURS, ({ id }) => hoursOf.onChange(id));
  const renumbered = form.record !== null && form.draft.intercom.trim() !== form.record.intercom;
  return (
    <>
      <Section title={t('agents.who')}>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <div className="records-columns">
          <TextField
            label={t('agents.eid')}
            hint={form.isNew && t('agents.eid.hint')}
            {...form.field('eid')}
            readOnly={!form.isNew}
          />
          <TextField
            label={t('agents.intercom')}
            hint={t(renumbered ? 'agents.intercom.change' : 'agents.intercom.hint')}
            {...form.field('intercom')}
            inputMode="numeric"
          />
        </div>
        <Picker
          label={t('agents.team')}
          {...team}
          options={teamOptions}
          also={deletedOf(team.value, teamName)}
          creates={newTeam.creates}
          allowEmpty
        />
        {newTeam.dialog}
      </Section>
      <Section title={t('agents.calls')}>
        <TextField {...hinted('agents.followMe')} {...form.field('follow_me_number')} inputMode="tel" />
        <Picker
          {...hinted('agents.hours')}
          {...hoursOf}
          options={hourOptions}
          also={deletedOf(hoursOf.value, hoursName)}
          creates={newHours.creates}
        />
        {newHours.dialog}
        <DestinationPicker
          {...hinted('agents.failover')}
          {...form.field('failover_destination')}
          allowEmpty
        />
        <Picker {...hinted('agents.callWaiting')} {...form.field('call_waiting')} options={waitingOptions} />
        <SwitchField {...hinted('agents.doNotDisturb')} {...form.field('do_not_disturb')} />
        <DestinationPicker
          {...hinted('agents.forward.always')}
          {...form.field('forward_always')}
          allowEmpty
        />
        <DestinationPicker {...hinted('agents.forward.busy')} {...form.field('forward_busy')} allowEmpty />
        <DestinationPicker
          {...hinted('agents.forward.noAnswer')}
          {...form.field('forward_no_answer')}
          allowEmpty
        />
        <DestinationPicker
          {...hinted('flow-logic.afterCall')}
          {...form.field('after_call_destination')}
          allowEmpty
        />
        <SwitchField {...hinted('agents.record')} {...form.field('record_calls')} />
        <SwitchField {...hinted('agents.clickToCall')} {...form.field('click', '/product_clicktocall')} />
        <SwitchField {...hinted('agents.sha256')} {...form.field('sip_sha256')} />
      </Section>
    </>
  );
}

function AgentFacts({ agent }: { readonly agent: StampedAgent }) {
  const { t, number } = useWords();
  return (
    <div className="records-more">
      <AgentNow eid={agent.eid} />
      <AgentPhones agent={agent} />
      <Section title={t('agents.reach')}>
        <dl className="records-facts">
          <dt>{t('agents.departments')}</dt>
          <dd>
            {agent.departments.length === 0 && t('agents.departments.none')}
            <span className="records-choices">
              {agent.departments.map(({ id, name }) => (
                <Link key={id} to={pathTo('departments', id)}>
                  {name}
                </Link>
              ))}
            </span>
          </dd>
          <dt>{t('agents.answered')}</dt>
          <dd>{number(agent.calls_answered)}</dd>
          <dt>{t('records.status')}</dt>
          <dd>
            <Badge tone={agent.custom_status === 1 ? 'bad' : 'good'}>
              {t(agent.custom_status === 1 ? 'agents.blocked' : 'agents.active')}
            </Badge>
          </dd>
        </dl>
      </Section>
    </div>
  );
}
