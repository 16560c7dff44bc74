// What is stored of a record in a file, its references being ids already.

import { isSealedKind, type SealedKind, secretMember } from '../domain/sealed.ts';
import type { Agent, SipDigests } from '../kinds/agent.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { KINDS, RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
import type { Webhook } from '../kinds/webhook.ts';
import type { AccountRecords } from './export-file.ts';
import type { Exported } from './fields.ts';
import type { Matches } from './match.ts';

export interface NewSecrets {
  newDigests(eid: string, intercom: string): SipDigests;
  newWebhookSecret(name: string): string;
  seal(kind: SealedKind, id: string, secret: string): string;
  /** Null if it was sealed with another key. */
  open(kind: SealedKind, id: string, sealed: string): string | null;
}

interface Around {
  /** The id of the record. */
  readonly id: string;
  readonly target: AccountRecords;
  readonly matches: Matches;
  readonly context: NewSecrets;
  warn(pointer: string, message: string): void;
}

type ToData<K extends RecordKind> = (
  record: Exported[K],
  stored: StoredRecord<RecordData[K]> | null,
  around: Around,
) => RecordData[K];

const FIRST: readonly RecordKind[] = ['trunk', 'recording', 'team'];
const LAST: readonly RecordKind[] = [
  'announcement',
  'timegroup',
  'agent',
  'department',
  'ivr',
  'blocked_number',
  'caller_id_rule',
  'number',
];
/** What may be refused first, then what is pointed to, numbers last. */
export const WRITING_ORDER: readonly RecordKind[] = [
  ...FIRST,
  ...RECORD_KINDS.filter((kind) => !FIRST.includes(kind) && !LAST.includes(kind)),
  ...LAST,
];

/** Kinds of which more is stored than a file has, or in another form; of others it is the same, and a secret is sealed. */
const OWN_FORM: { readonly [K in RecordKind]?: ToData<K> } = {
  // What is known of a sound beyond the file stays as long as the sound does.
  recording: ({ id: _, ...recording }, stored) => ({
    ...(stored?.data.sha256 === recording.sha256 ? stored.data : DEFAULTS.recording),
    ...recording,
  }),
  webhook: webhookData,
  announcement: (announcement, stored) => ({ ...(stored?.data ?? DEFAULTS.announcement), ...announcement }),
  agent: agentData,
  department: (department, stored) => ({ ...(stored?.data ?? DEFAULTS.department), ...department }),
  ivr: (ivr, stored) => ({
    ...ivr,
    option_priority: ivr.option_priority ?? keptPriorities(stored?.data, ivr.option),
    text: ivr.text === undefined ? (stored?.data.text ?? DEFAULTS.ivr.text) : ivr.text,
  }),
  number: (number, stored) => ({ ...(stored?.data ?? DEFAULTS.number), ...number }),
};

export function toData<K extends RecordKind>(
  kind: K,
  record: Exported[K],
  stored: StoredRecord<RecordData[K]> | null,
  around: Around,
): RecordData[K] {
  const own: ToData<K> | undefined = OWN_FORM[kind];
  if (own) return own(record, stored, around);
  // The casts hold: all other kinds are the same in a file, but for the secret (round-trip.test.ts sets every member).
  if (!isSealedKind(kind)) return record as unknown as RecordData[K];
  return withSealed(kind, record, stored, around) as unknown as RecordData[K];
}

/** A secret that the file lacks stays as it is. */
function withSealed(
  kind: SealedKind,
  record: object,
  stored: StoredRecord<object> | null,
  { id, context, warn }: Around,
): object {
  const member = secretMember(kind);
  const { [member]: secret, ...rest }: { readonly [name: string]: unknown } = { ...record };
  const before: unknown = stored === null ? null : Reflect.get(stored.data, `sealed_${member}`);
  const kept = typeof before === 'string' ? before : null;
  if (secret === undefined && stored === null) {
    const put = `send it with PUT ${KINDS[kind].path}/{id}.`;
    if (member === 'secret') warn('/secret', `Its secret, if it had one, is not in the file: ${put}`);
    else if (rest['username'] !== null) warn('/password', `Its password is not in the file: ${put}`);
  }
  const now = typeof secret === 'string' && secret !== '' ? sealed(context, kind, id, secret, kept) : null;
  return { ...rest, [`sealed_${member}`]: secret === undefined ? kept : now };
}

/** Each option keeps its own, wherever the file has it. */
function keptPriorities(
  before: Pick<Ivr, 'option' | 'option_priority'> | undefined,
  options: Ivr['option'],
): Ivr['option_priority'] {
  if (!before) return DEFAULTS.ivr.option_priority;
  const { option, option_priority: kept } = before;
  if (kept.length === 0 || option.join() === options.join()) return kept;
  return options.map((keys) => kept[option.indexOf(keys)] ?? null);
}

/** What was sealed before, if it is the same secret: sealed again it would look like a change. */
function sealed(
  context: NewSecrets,
  kind: SealedKind,
  id: string,
  secret: string,
  before: string | null,
): string {
  const isSame = before !== null && context.open(kind, id, before) === secret;
  return isSame ? before : context.seal(kind, id, secret);
}

function webhookData(
  { secret, former, ...webhook }: Exported['webhook'],
  stored: StoredRecord<Webhook> | null,
  { id, context }: Around,
): Webhook {
  const before = stored?.data;
  if (!secret)
    return {
      ...webhook,
      sealed_secret:
        before?.sealed_secret ?? context.seal('webhook', id, context.newWebhookSecret(webhook.name)),
      ...(before?.former ? { former: before.former } : {}),
    };
  return {
    ...webhook,
    sealed_secret: sealed(context, 'webhook', id, secret, before?.sealed_secret ?? null),
    ...(former
      ? {
          former: {
            sealed_secret: sealed(
              context,
              'webhook',
              id,
              former.secret,
              before?.former?.sealed_secret ?? null,
            ),
            until_ms: former.until_ms,
          },
        }
      : {}),
  };
}

/** What the account made stays; a new intercom number needs a new password, as everywhere. */
function agentData(
  { team, timegroup, sip, ...agent }: Exported['agent'],
  stored: StoredRecord<Agent> | null,
  { target, matches, context }: Around,
): Agent {
  const before = stored?.data ?? DEFAULTS.agent;
  const keepsPassword = stored !== null && stored.data.intercom === agent.intercom;
  return {
    sip_sha256: before.sip_sha256,
    record_calls: before.record_calls,
    do_not_disturb: before.do_not_disturb,
    forward_always: before.forward_always,
    forward_busy: before.forward_busy,
    forward_no_answer: before.forward_no_answer,
    call_waiting: before.call_waiting,
    after_call_destination: before.after_call_destination,
    ...agent,
    team_id: team === null ? unlisted(before.team_id, target.team) : Number(matches.team(team).id),
    timegroup_id:
      timegroup === null ? unlisted(before.timegroup_id, target.timegroup) : matches.timegroup(timegroup).id,
    sip: sip ?? (keepsPassword ? stored.data.sip : context.newDigests(agent.eid, agent.intercom)),
  };
}

/** An id that no record of the account has stays as it is, since the file cannot name it; null otherwise. */
function unlisted<Id>(id: Id | null, records: readonly StoredRecord<unknown>[]): Id | null {
  return records.some((record) => record.id === String(id)) ? null : id;
}
