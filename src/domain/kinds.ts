// Every kind of configuration record, once: its data, and what is true of the kind as a whole. Lists of kinds elsewhere
// are derived from here. docs/adding-a-kind.md names what a new kind needs beyond its row.
// Call records are not among them: they are another shape and another size.
import type { Agent, Team } from './agent.ts';
import type { Announcement } from './announcement.ts';
import type { BlockedNumber } from './blocked-number.ts';
import type { CallerIdRule } from './caller-id-rule.ts';
import type { Collect } from './collect.ts';
import type { Department } from './department.ts';
import type { Ivr } from './ivr.ts';
import type { FlowMessage } from './message.ts';
import type { DialledNumber } from './number.ts';
import type { StoredRecord } from './record.ts';
import type { Recording } from './recording.ts';
import type { FlowRequest } from './request.ts';
import type { Room } from './room.ts';
import type { SipAddress } from './sip-address.ts';
import type { SmsTemplate } from './sms-template.ts';
import type { FlowStream } from './stream.ts';
import type { Switch } from './switch.ts';
import type { TimeGroup } from './time-group.ts';
import type { Trunk } from './trunk.ts';
import type { VoicemailBox } from './voicemail-box.ts';
import type { Webhook } from './webhook.ts';

export interface RecordData {
  readonly agent: Agent;
  readonly ivr: Ivr;
  readonly team: Team;
  readonly department: Department;
  readonly recording: Recording;
  readonly number: DialledNumber;
  readonly trunk: Trunk;
  readonly timegroup: TimeGroup;
  readonly announcement: Announcement;
  /** A voicemail box; the messages in it are no configuration. */
  readonly voicemail: VoicemailBox;
  /** A conference room; who is in it is no configuration. */
  readonly room: Room;
  /** Asks for digits. */
  readonly collect: Collect;
  /** Asks the company's system. */
  readonly request: FlowRequest;
  /** Talks with a voice bot. */
  readonly stream: FlowStream;
  /** Decides by variables. */
  readonly switch: Switch;
  /** Sends a text. */
  readonly message: FlowMessage;
  /** Rings a SIP address elsewhere. */
  readonly sip_address: SipAddress;
  readonly sms_template: SmsTemplate;
  readonly webhook: Webhook;
  readonly blocked_number: BlockedNumber;
  readonly caller_id_rule: CallerIdRule;
}
export type RecordKind = keyof RecordData;

interface KindRow {
  /** As it stands within a sentence. */
  readonly noun: string;
  /** The word of `word||id` in other records; null: none has it so. `number||100` is a telephone number, not a record. */
  readonly word: string | null;
  readonly destination: boolean;
  /** The member of Directory that holds it; null: it is read from storage when it is needed. */
  readonly directory: string | null;
  /** The member of an export file that lists it. */
  readonly exported: string;
  readonly versioned: boolean;
}

// biome-ignore format: a table is read by its columns
export const KINDS = {
  agent:          { noun: 'agent',          word: 'extension',    destination: true,  directory: 'agents',         exported: 'agents',          versioned: false },
  ivr:            { noun: 'IVR',            word: 'ivr',          destination: true,  directory: null,             exported: 'ivrs',            versioned: true },
  team:           { noun: 'team',           word: null,           destination: false, directory: 'teams',          exported: 'teams',           versioned: false },
  department:     { noun: 'department',     word: 'department',   destination: true,  directory: 'departments',    exported: 'departments',     versioned: false },
  recording:      { noun: 'recording',      word: 'recording',    destination: false, directory: 'recordings',     exported: 'recordings',      versioned: true },
  number:         { noun: 'number',         word: null,           destination: false, directory: null,             exported: 'numbers',         versioned: false },
  trunk:          { noun: 'trunk',          word: 'trunk',        destination: false, directory: 'trunks',         exported: 'trunks',          versioned: false },
  timegroup:      { noun: 'time group',     word: 'timegroup',    destination: true,  directory: 'timeGroups',     exported: 'timegroups',      versioned: false },
  announcement:   { noun: 'announcement',   word: 'announcement', destination: true,  directory: 'announcements',  exported: 'announcements',   versioned: false },
  voicemail:      { noun: 'voicemail box',  word: 'voicemail',    destination: true,  directory: 'voicemailBoxes', exported: 'voicemail_boxes', versioned: false },
  room:           { noun: 'conference room', word: 'room',        destination: true,  directory: 'rooms',          exported: 'rooms',           versioned: false },
  collect:        { noun: 'collect',        word: 'collect',      destination: true,  directory: 'collects',       exported: 'collects',        versioned: true },
  request:        { noun: 'request',        word: 'request',      destination: true,  directory: 'requests',       exported: 'requests',        versioned: true },
  stream:         { noun: 'stream',         word: 'stream',       destination: true,  directory: 'streams',        exported: 'streams',         versioned: true },
  switch:         { noun: 'switch',         word: 'switch',       destination: true,  directory: 'switches',       exported: 'switches',        versioned: true },
  message:        { noun: 'message',        word: 'message',      destination: true,  directory: 'messages',       exported: 'messages',        versioned: true },
  sip_address:    { noun: 'SIP address',    word: 'sip_address',  destination: true,  directory: 'sipAddresses',   exported: 'sip_addresses',   versioned: true },
  sms_template:   { noun: 'SMS template',   word: null,           destination: false, directory: 'smsTemplates',   exported: 'sms_templates',   versioned: false },
  webhook:        { noun: 'webhook',        word: 'webhook',      destination: false, directory: null,             exported: 'webhooks',        versioned: false },
  blocked_number: { noun: 'blocked number', word: null,           destination: false, directory: null,             exported: 'blocked_numbers', versioned: false },
  caller_id_rule: { noun: 'caller-id rule', word: null,           destination: false, directory: null,             exported: 'caller_id_rules', versioned: false },
} as const satisfies { readonly [K in RecordKind]: KindRow };

/** The kinds whose row has something in a column. */
type KindsWith<Column extends keyof KindRow> = {
  [K in RecordKind]: (typeof KINDS)[K][Column] extends null | false ? never : K;
}[RecordKind];
export type DestinationRecordKind = KindsWith<'destination'>;
export type DirectoryKind = KindsWith<'directory'>;

export const RECORD_KINDS: readonly RecordKind[] = keysOf(KINDS);
export const DESTINATION_RECORD_KINDS = kindsWith('destination');
export const DIRECTORY_KINDS = kindsWith('directory');
/** The words of destinations: of records, or what else a call can be sent to. */
export const DESTINATION_KINDS: readonly string[] = [
  ...DESTINATION_RECORD_KINDS.map((kind) => KINDS[kind].word),
  'hangup',
  'number',
];
export const VERSIONED_KINDS: ReadonlySet<RecordKind> = new Set(kindsWith('versioned'));

export function keysOf<T extends object>(table: T): (string & keyof T)[] {
  return Object.keys(table) as (string & keyof T)[];
}

function kindsWith<Column extends keyof KindRow>(column: Column): readonly KindsWith<Column>[] {
  return RECORD_KINDS.filter((kind): kind is KindsWith<Column> => Boolean(KINDS[kind][column]));
}

/** A stored record with its kind; of a union of kinds, a union that `record.kind` narrows. */
export type StoredRecordOf<K extends RecordKind> = {
  [Each in RecordKind]: StoredRecord<RecordData[Each]> & { readonly kind: Each };
}[K];
export type AnyRecord = StoredRecordOf<RecordKind>;

export function isOfKind<K extends RecordKind>(kind: K, record: AnyRecord): record is StoredRecordOf<K> {
  return record.kind === kind;
}
