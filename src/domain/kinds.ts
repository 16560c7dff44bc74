// The data of every kind of configuration record, and lists that derive from the modules of src/kinds/, each of which says what is true of
// a kind. docs/adding-a-kind.md names what a new kind needs beyond them.
// Call records are not among them: they are another shape and another size.
import type { KindDefinition } from '../kinds/define-kind.ts';
import { KINDS } from '../kinds/kinds.ts';
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

KINDS satisfies { readonly [K in RecordKind]: KindDefinition & { readonly kind: K } };

export { KINDS };

/** The kinds whose module has something there. */
type KindsWith<Column extends keyof KindDefinition> = {
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
export type VersionedKind = KindsWith<'versioned'>;
export const VERSIONED_KINDS: ReadonlySet<RecordKind> = new Set(kindsWith('versioned'));
export const DRAFTED_KINDS: ReadonlySet<RecordKind> = new Set(kindsWith('drafted'));
/** What tests of menus may depend on. A dialled number leads to menus; none leads to it. */
export const TESTED_KINDS: ReadonlySet<RecordKind> = new Set(kindsWith('tested'));
export type AssistantKind = KindsWith<'assistants'>;
export const ASSISTANT_KINDS = kindsWith('assistants');
export type SealedKind = KindsWith<'sealed'>;

/** By what the path of a record's operations names it. */
export const pathKey = (kind: RecordKind): 'eid' | 'id' => (KINDS[kind].key === 'eid' ? 'eid' : 'id');

type Schema<K extends RecordKind> = (typeof KINDS)[K]['schema'];
type Verb = 'get' | 'create' | 'put' | 'patch' | 'delete' | 'restore';
/** The operation of the API that does this to a record of the kind. */
export type OperationOn<V extends Verb, K extends RecordKind> = `${V}${Schema<K>}`;
export type ListOperation<K extends RecordKind> = `list${(typeof KINDS)[K]['plural']}`;
export type VersionsOperation<K extends RecordKind> = `list${Schema<K>}Versions`;

export function operationOn<V extends Verb, K extends RecordKind>(verb: V, kind: K): OperationOn<V, K> {
  const { schema }: { readonly schema: Schema<K> } = KINDS[kind];
  return `${verb}${schema}`;
}

export function listOperation<K extends RecordKind>(kind: K): ListOperation<K> {
  const { plural }: { readonly plural: (typeof KINDS)[K]['plural'] } = KINDS[kind];
  return `list${plural}`;
}

export function versionsOperation<K extends RecordKind>(kind: K): VersionsOperation<K> {
  const { schema }: { readonly schema: Schema<K> } = KINDS[kind];
  return `list${schema}Versions`;
}

export function keysOf<T extends object>(table: T): (string & keyof T)[] {
  return Object.keys(table) as (string & keyof T)[];
}

function kindsWith<Column extends keyof KindDefinition>(column: Column): readonly KindsWith<Column>[] {
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
