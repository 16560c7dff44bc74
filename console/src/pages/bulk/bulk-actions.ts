// What can be done to many records of a kind at once: THE TABLE, a row for each kind and a member for each of its buttons.
import type { Input } from '../../../../client/client.ts';
import { type OperationOn, operationOn, pathKey, RECORD_KINDS } from '../../../../src/kinds/lists.ts';
import type { SmsTemplate } from '../../../../src/kinds/sms-template.ts';
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
  /** Null if it needs no value. */
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

type PatchOf<K extends BulkKind> =
  Input<OperationOn<'patch', K>> extends { readonly body?: infer Body } ? NonNullable<Body> : never;

/** What is changed of a record of this kind. */
const patch =
  <K extends BulkKind>(kind: K, body: PatchOf<K>): Work =>
  (id) =>
    client[operationOn('patch', kind)]({ params: { [pathKey(kind)]: id }, body } as never);

/** The value 'force': also what others lead to. */
const removing = (kind: BulkKind): BulkEdit => ({
  asks: null,
  isRequired: false,
  work: (value) => (id) =>
    client[operationOn('delete', kind)]({
      params: { [pathKey(kind)]: id },
      query: { force: value === 'force' ? 'true' : 'false' },
    } as never),
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

/** The actions for agents, whether they were selected themselves or by their teams. */
const AGENT: { readonly [A in BulkAction]?: BulkEdit } = {
  hours: orNone('timegroup', (timegroup_id) => patch('agent', { timegroup_id })),
  team: orNone('team', (id) => patch('agent', { team_id: id === null ? null : Number(id) })),
  join: asking('department', (id, all) =>
    once(() => changeMembers(id, (agents) => [...agents, ...all.filter((eid) => !agents.includes(eid))])),
  ),
  leave: asking('department', (id, all) =>
    once(() => changeMembers(id, (agents) => agents.filter((eid) => !all.includes(eid)))),
  ),
  block: plain((eid) => client.blockAgent({ params: { eid } })),
  unblock: plain((eid) => client.unblockAgent({ params: { eid } })),
};

/** A kind without a row has no button but that of deletion. */
const EDITS: { readonly [K in BulkKind]?: { readonly [A in BulkAction]?: BulkEdit } } = {
  agent: AGENT,
  // A team is only a name: what is edited is its agents (run-bulk.ts).
  team: AGENT,
  number: {
    destination: asking('destination', (destination) => patch('number', { destination })),
  },
  department: {
    failover: orNone('destination', (failover_destination) => patch('department', { failover_destination })),
  },
  ivr: {
    otherwise: asking('destination', (to) =>
      patch('ivr', { invalid_destination: to, timeout_destination: to }),
    ),
  },
  trunk: {
    on: plain(patch('trunk', { enabled: true })),
    off: plain(patch('trunk', { enabled: false })),
    maxCalls: asking({ min: 1, max: 10_000 }, (max_calls) => patch('trunk', { max_calls })),
    callerId: orNone('number', (caller_id) => patch('trunk', { caller_id })),
    agentsMayCall: asking(YES_NO, (yes) => patch('trunk', { agents_may_call: yes === 'true' })),
  },
  recording: {
    description: orNone('text', (description) => patch('recording', { description: description ?? '' })),
    voice: asking('voice', (voice) => patch('recording', { voice })),
    speed: asking({ min: 80, max: 450 }, (speed) => patch('recording', { speed: Number(speed) })),
  },
  timegroup: {
    holidays: asking('holidays', (days) => (id) => addHolidays(id, JSON.parse(days) as NationalHoliday[])),
    closed: orNone('destination', (closed_destination) => patch('timegroup', { closed_destination })),
  },
  announcement: {
    destination: asking('destination', (destination) => patch('announcement', { destination })),
  },
  voicemail: {
    greeting: orNone('greeting', (greeting) => patch('voicemail', { greeting })),
  },
  room: {
    failover: orNone('destination', (failover_destination) => patch('room', { failover_destination })),
  },
  collect: {
    next: asking('destination', (next_destination) => patch('collect', { next_destination })),
    failed: asking('destination', (failed_destination) => patch('collect', { failed_destination })),
  },
  request: {
    next: asking('destination', (next_destination) => patch('request', { next_destination })),
    failed: asking('destination', (failed_destination) => patch('request', { failed_destination })),
  },
  stream: {
    next: asking('destination', (next_destination) => patch('stream', { next_destination })),
    failed: asking('destination', (failed_destination) => patch('stream', { failed_destination })),
  },
  switch: {
    noRule: asking('destination', (otherwise_destination) => patch('switch', { otherwise_destination })),
  },
  message: {
    next: asking('destination', (next_destination) => patch('message', { next_destination })),
  },
  sip_address: {
    failover: orNone('destination', (failover_destination) => patch('sip_address', { failover_destination })),
  },
  sms_template: {
    on: plain(patch('sms_template', { status: 'active' })),
    off: plain(patch('sms_template', { status: 'inactive' })),
    smsKind: asking(SMS_KINDS, (kind) =>
      patch('sms_template', { kind: kind === 'promotional' ? 'promotional' : 'transactional' }),
    ),
  },
  webhook: {
    on: plain(patch('webhook', { status: 'active' })),
    off: plain(patch('webhook', { status: 'paused' })),
  },
  blocked_number: {
    reason: orNone('text', (reason) => patch('blocked_number', { reason: reason ?? '' })),
    dialled: orNone('number', (dialled) => patch('blocked_number', { dialled })),
  },
  caller_id_rule: {
    priority: asking({ min: 0, max: 1_000_000 }, (priority) => patch('caller_id_rule', { priority })),
    show: asking('show', (show) => patch('caller_id_rule', { show })),
    trunk: orNone('trunk', (id) => patch('caller_id_rule', { trunk: id === null ? null : `trunk||${id}` })),
  },
  contact: {
    priority: asking({ min: 0, max: 100 }, (priority) => patch('contact', { priority })),
  },
};

/** Records of every kind can be deleted. */
export const BULK_EDITS = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, { ...EDITS[kind], delete: removing(kind) }]),
) as { readonly [K in BulkKind]: { readonly [A in BulkAction]?: BulkEdit } };

export const editOf = (kind: BulkKind, action: BulkAction): BulkEdit | undefined => BULK_EDITS[kind][action];
