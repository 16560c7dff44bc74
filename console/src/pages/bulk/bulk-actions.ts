// What can be done to many records of a kind at once: THE TABLE, a row for each kind and a member for each of its buttons.
import type * as Api from '../../../../client/operations.ts';
import type { SmsTemplate } from '../../../../src/domain/sms-template.ts';
import { client } from '../../data/client.ts';
import type { Kind } from '../../data/kinds.ts';
import type { Key } from '../../words/words.tsx';
import { bodyOf, draftOf } from '../hours/hours-draft.ts';
import { type NationalHoliday, withHolidays } from '../hours/national-holidays.ts';

export type BulkAction =
  | 'hours'
  | 'team'
  | 'join'
  | 'leave'
  | 'block'
  | 'unblock'
  | 'destination'
  | 'failover'
  | 'otherwise'
  | 'closed'
  | 'holidays'
  | 'greeting'
  | 'next'
  | 'failed'
  | 'noRule'
  | 'maxCalls'
  | 'callerId'
  | 'agentsMayCall'
  | 'description'
  | 'voice'
  | 'speed'
  | 'smsKind'
  | 'reason'
  | 'dialled'
  | 'priority'
  | 'show'
  | 'trunk'
  | 'on'
  | 'off'
  | 'delete';

export type BulkKind = Exclude<Kind, 'token'>;

/** How the value of an edit is chosen: a record, what a field of its own asks for, a whole number, or one of a few words. */
export type Asks =
  | 'timegroup'
  | 'team'
  | 'department'
  | 'trunk'
  | 'destination'
  | 'greeting'
  | 'holidays'
  | 'text'
  | 'number'
  | 'show'
  | 'voice'
  | { readonly min: number; readonly max: number }
  | { readonly choices: readonly (readonly [value: string, label: Key])[] };

export type Work = (id: string) => Promise<unknown>;

export interface BulkEdit {
  /** Null: it needs no value. */
  readonly asks: Asks | null;
  /** Otherwise an empty value means none. */
  readonly isRequired: boolean;
  /** The request for each record. `all` are the ids of all of them. */
  readonly work: (value: string, all: readonly string[]) => Work;
}

const plain = (work: Work): BulkEdit => ({ asks: null, isRequired: false, work: () => work });
const asking = (asks: Asks, work: BulkEdit['work']): BulkEdit => ({ asks, isRequired: true, work });
const orNone = (asks: Asks, work: (value: string | null) => Work): BulkEdit => ({
  asks,
  isRequired: false,
  work: (value) => work(value === '' ? null : value),
});

type Remove = (id: string, query: { readonly force: 'true' | 'false' }) => Promise<unknown>;
/** The value 'force': also what others lead to. */
const removing = (remove: Remove): BulkEdit => ({
  asks: null,
  isRequired: false,
  work: (value) => (id) => remove(id, { force: value === 'force' ? 'true' : 'false' }),
});

/** Agents join a department, or leave it, in one write: it holds the list. */
async function changeMembers(id: string, change: (agents: readonly string[]) => string[]): Promise<void> {
  const { agents, version } = await client.getDepartment({ params: { id } });
  const body = { agents: change(agents) };
  if (JSON.stringify(body.agents) === JSON.stringify(agents)) return;
  await client.patchDepartment({ params: { id }, body, ifMatch: `"${version}"` });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= work());
}

/** Beside the days that the group has already. */
async function addHolidays(id: string, holidays: readonly NationalHoliday[]): Promise<void> {
  const group = await client.getTimeGroup({ params: { id } });
  const before = draftOf(group);
  const exceptions = withHolidays(before.exceptions, holidays);
  if (exceptions.length === before.exceptions.length) return;
  const body = { exceptions: bodyOf({ ...before, exceptions }).exceptions };
  await client.patchTimeGroup({ params: { id }, body, ifMatch: `"${group.version}"` });
}

const SMS_KINDS = {
  choices: (['transactional', 'promotional'] as const satisfies readonly SmsTemplate['kind'][]).map(
    (kind) => [kind, `sms.kind.${kind}`] as const,
  ),
};

const YES_NO = {
  choices: [
    ['true', 'kit.yes'],
    ['false', 'kit.no'],
  ],
} as const;

/** Of agents, whether they were selected themselves or by their teams. */
const AGENT: { readonly [A in BulkAction]?: BulkEdit } = {
  hours: orNone(
    'timegroup',
    (timegroup_id) => (eid) => client.patchAgent({ params: { eid }, body: { timegroup_id } }),
  ),
  team: orNone(
    'team',
    (id) => (eid) =>
      client.patchAgent({ params: { eid }, body: { team_id: id === null ? null : Number(id) } }),
  ),
  join: asking('department', (id, all) =>
    once(() => changeMembers(id, (agents) => [...agents, ...all.filter((eid) => !agents.includes(eid))])),
  ),
  leave: asking('department', (id, all) =>
    once(() => changeMembers(id, (agents) => agents.filter((eid) => !all.includes(eid)))),
  ),
  block: plain((eid) => client.blockAgent({ params: { eid } })),
  unblock: plain((eid) => client.unblockAgent({ params: { eid } })),
};

const trunk =
  (body: Api.TrunkPatch): Work =>
  (id) =>
    client.patchTrunk({ params: { id }, body });
const rule =
  (body: Api.CallerIdRulePatch): Work =>
  (id) =>
    client.patchCallerIdRule({ params: { id }, body });
const sms =
  (body: Api.SmsTemplatePatch): Work =>
  (id) =>
    client.patchSmsTemplate({ params: { id }, body });
const recording =
  (body: Api.RecordingPatch): Work =>
  (id) =>
    client.patchRecording({ params: { id }, body });
const blocked =
  (body: Api.BlockedNumberPatch): Work =>
  (id) =>
    client.patchBlockedNumber({ params: { id }, body });

const collect =
  (body: Api.CollectPatch): Work =>
  (id) =>
    client.patchCollect({ params: { id }, body });
const request =
  (body: Api.RequestPatch): Work =>
  (id) =>
    client.patchRequest({ params: { id }, body });
const stream =
  (body: Api.StreamPatch): Work =>
  (id) =>
    client.patchStream({ params: { id }, body });

export const BULK_EDITS: { readonly [K in BulkKind]: { readonly [A in BulkAction]?: BulkEdit } } = {
  agent: { ...AGENT, delete: removing((eid, query) => client.deleteAgent({ params: { eid }, query })) },
  // A team is only a name: what is edited is its agents (run-bulk.ts).
  team: { ...AGENT, delete: removing((id, query) => client.deleteTeam({ params: { id }, query })) },
  number: {
    destination: asking(
      'destination',
      (destination) => (id) => client.patchNumber({ params: { id }, body: { destination } }),
    ),
    delete: removing((id, query) => client.deleteNumber({ params: { id }, query })),
  },
  department: {
    failover: orNone(
      'destination',
      (failover_destination) => (id) =>
        client.patchDepartment({ params: { id }, body: { failover_destination } }),
    ),
    delete: removing((id, query) => client.deleteDepartment({ params: { id }, query })),
  },
  ivr: {
    otherwise: asking(
      'destination',
      (to) => (id) =>
        client.patchIvr({ params: { id }, body: { invalid_destination: to, timeout_destination: to } }),
    ),
    delete: removing((id, query) => client.deleteIvr({ params: { id }, query })),
  },
  trunk: {
    on: plain(trunk({ enabled: true })),
    off: plain(trunk({ enabled: false })),
    maxCalls: asking({ min: 1, max: 10_000 }, (max_calls) => trunk({ max_calls })),
    callerId: orNone('number', (caller_id) => trunk({ caller_id })),
    agentsMayCall: asking(YES_NO, (yes) => trunk({ agents_may_call: yes === 'true' })),
    delete: removing((id, query) => client.deleteTrunk({ params: { id }, query })),
  },
  recording: {
    description: orNone('text', (description) => recording({ description: description ?? '' })),
    voice: asking('voice', (voice) => recording({ voice })),
    speed: asking({ min: 80, max: 450 }, (speed) => recording({ speed: Number(speed) })),
    delete: removing((id, query) => client.deleteRecording({ params: { id }, query })),
  },
  timegroup: {
    holidays: asking('holidays', (days) => (id) => addHolidays(id, JSON.parse(days) as NationalHoliday[])),
    closed: orNone(
      'destination',
      (closed_destination) => (id) => client.patchTimeGroup({ params: { id }, body: { closed_destination } }),
    ),
    delete: removing((id, query) => client.deleteTimeGroup({ params: { id }, query })),
  },
  announcement: {
    destination: asking(
      'destination',
      (destination) => (id) => client.patchAnnouncement({ params: { id }, body: { destination } }),
    ),
    delete: removing((id, query) => client.deleteAnnouncement({ params: { id }, query })),
  },
  voicemail: {
    greeting: orNone(
      'greeting',
      (greeting) => (id) => client.patchVoicemailBox({ params: { id }, body: { greeting } }),
    ),
    delete: removing((id, query) => client.deleteVoicemailBox({ params: { id }, query })),
  },
  room: {
    failover: orNone(
      'destination',
      (failover_destination) => (id) => client.patchRoom({ params: { id }, body: { failover_destination } }),
    ),
    delete: removing((id, query) => client.deleteRoom({ params: { id }, query })),
  },
  collect: {
    next: asking('destination', (next_destination) => collect({ next_destination })),
    failed: asking('destination', (failed_destination) => collect({ failed_destination })),
    delete: removing((id, query) => client.deleteCollect({ params: { id }, query })),
  },
  request: {
    next: asking('destination', (next_destination) => request({ next_destination })),
    failed: asking('destination', (failed_destination) => request({ failed_destination })),
    delete: removing((id, query) => client.deleteRequest({ params: { id }, query })),
  },
  stream: {
    next: asking('destination', (next_destination) => stream({ next_destination })),
    failed: asking('destination', (failed_destination) => stream({ failed_destination })),
    delete: removing((id, query) => client.deleteStream({ params: { id }, query })),
  },
  switch: {
    noRule: asking(
      'destination',
      (otherwise_destination) => (id) =>
        client.patchSwitch({ params: { id }, body: { otherwise_destination } }),
    ),
    delete: removing((id, query) => client.deleteSwitch({ params: { id }, query })),
  },
  message: {
    next: asking(
      'destination',
      (next_destination) => (id) => client.patchMessage({ params: { id }, body: { next_destination } }),
    ),
    delete: removing((id, query) => client.deleteMessage({ params: { id }, query })),
  },
  sip_address: {
    failover: orNone(
      'destination',
      (failover_destination) => (id) =>
        client.patchSipAddress({ params: { id }, body: { failover_destination } }),
    ),
    delete: removing((id, query) => client.deleteSipAddress({ params: { id }, query })),
  },
  sms_template: {
    on: plain(sms({ status: 'active' })),
    off: plain(sms({ status: 'inactive' })),
    smsKind: asking(SMS_KINDS, (kind) =>
      sms({ kind: kind === 'promotional' ? 'promotional' : 'transactional' }),
    ),
    delete: removing((id, query) => client.deleteSmsTemplate({ params: { id }, query })),
  },
  webhook: {
    on: plain((id) => client.patchWebhook({ params: { id }, body: { status: 'active' } })),
    off: plain((id) => client.patchWebhook({ params: { id }, body: { status: 'paused' } })),
    delete: removing((id, query) => client.deleteWebhook({ params: { id }, query })),
  },
  blocked_number: {
    reason: orNone('text', (reason) => blocked({ reason: reason ?? '' })),
    dialled: orNone('number', (dialled) => blocked({ dialled })),
    delete: removing((id, query) => client.deleteBlockedNumber({ params: { id }, query })),
  },
  caller_id_rule: {
    priority: asking({ min: 0, max: 1_000_000 }, (priority) => rule({ priority })),
    show: asking('show', (show) => rule({ show })),
    trunk: orNone('trunk', (id) => rule({ trunk: id === null ? null : `trunk||${id}` })),
    delete: removing((id, query) => client.deleteCallerIdRule({ params: { id }, query })),
  },
};

export const editOf = (kind: BulkKind, action: BulkAction): BulkEdit | undefined => BULK_EDITS[kind][action];
