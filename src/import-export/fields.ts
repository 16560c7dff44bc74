// What a file has of each kind: the fields of the kind's own schema, in their order. The types refuse a member of a record
// that is neither among the fields nor left out by name.
import { AGENT_FIELDS, eid, flag, intercom, TEAM_FIELDS } from '../api/schemas/agent.ts';
import { ANNOUNCEMENT_FIELDS } from '../api/schemas/announcement.ts';
import { DEPARTMENT_FIELDS } from '../api/schemas/department.ts';
import { type Field, optional } from '../api/schemas/field.ts';
import { IVR_FIELDS } from '../api/schemas/ivr.ts';
import { NUMBER_FIELDS } from '../api/schemas/number.ts';
import { STORED_RECORDING_FIELDS } from '../api/schemas/recording.ts';
import { TIME_GROUP_FIELDS } from '../api/schemas/time-group.ts';
import { VOICEMAIL_BOX_FIELDS } from '../api/schemas/voicemail-box.ts';
import { AGENT_DEFAULTS } from '../domain/agent.ts';
import { EXPORTED_KINDS, type ExportedKind, KINDS, keysOf, type RecordData } from '../domain/kinds.ts';
import { NUMBER_DEFAULTS } from '../domain/number.ts';
import { RECORDING_DEFAULTS } from '../domain/recording.ts';

/** Members that files of earlier versions lack: where a file lacks one, the account keeps its value. Any other has its default. */
const LATER = {
  agent: { record_calls: AGENT_DEFAULTS.record_calls },
  number: NUMBER_DEFAULTS,
  recording: RECORDING_DEFAULTS,
} as const;
type WithLater<K extends keyof typeof LATER, Data = RecordData[K]> = Omit<Data, keyof (typeof LATER)[K]> &
  Partial<Pick<Data, keyof (typeof LATER)[K] & keyof Data>>;

type LeftOutOfAgents =
  | 'sip' // Secret.
  | 'sip_sha256' // Belongs to the phones, which register with one machine.
  | 'team_id' // An id: the file has the name, as `team`.
  | 'timegroup_id'; // Likewise, as `timegroup`.

/** Kinds whose records a file has in another form than the account. */
interface Changed {
  readonly agent: WithLater<'agent', Omit<RecordData['agent'], LeftOutOfAgents>> & {
    readonly team: string | null;
    readonly timegroup: string | null;
  };
  /** Without `url`, whose query may hold a signature or a token. */
  readonly recording: Omit<WithLater<'recording'>, 'url'> & { readonly id: string };
  readonly number: WithLater<'number'>;
}

/** By kind: a record of it, as a file has it. */
export type Exported = {
  readonly [K in ExportedKind]: K extends keyof Changed ? Changed[K] : RecordData[K];
};

const {
  eid: _eid,
  intercom: _intercom,
  team_id: _team,
  timegroup_id: _hours,
  sip_sha256: _sha256,
  ...agentFields
} = AGENT_FIELDS;
const { url: _url, ...recordingFields } = STORED_RECORDING_FIELDS;
/** The order of the first members; what else an agent has follows. */
const firstAgentFields = {
  // A file names the agents that it means; the API makes numbers for those that are sent without.
  eid,
  name: agentFields.name,
  intercom,
  follow_me_number: agentFields.follow_me_number,
  product_clicktocall: agentFields.product_clicktocall,
  team: optional(TEAM_FIELDS.name, null),
  custom_status: optional(flag, AGENT_DEFAULTS.custom_status),
  timegroup: optional(TIME_GROUP_FIELDS.name, null),
} as const;

/** In the order of the file. */
export const FIELDS = {
  ivr: IVR_FIELDS,
  department: DEPARTMENT_FIELDS,
  team: TEAM_FIELDS,
  agent: { ...firstAgentFields, ...agentFields },
  timegroup: TIME_GROUP_FIELDS,
  announcement: ANNOUNCEMENT_FIELDS,
  voicemail: VOICEMAIL_BOX_FIELDS,
  recording: { id: eid, ...recordingFields },
  number: NUMBER_FIELDS,
} as const satisfies {
  readonly [K in ExportedKind]: { readonly [Member in keyof Exported[K]]-?: Field<Exported[K][Member]> };
};

export const EXPORT_ORDER = keysOf(FIELDS);

export const laterMembers = (kind: ExportedKind): readonly string[] =>
  kind === 'agent' || kind === 'number' || kind === 'recording' ? Object.keys(LATER[kind]) : [];

/** What a record is called by in a file, different from all others of its kind. */
export const KEY = {
  ivr: 'name',
  department: 'name',
  team: 'name',
  agent: 'eid',
  timegroup: 'name',
  announcement: 'name',
  voicemail: 'name',
  recording: 'id',
  number: 'number',
} as const satisfies { readonly [K in ExportedKind]: keyof Exported[K] };

export function keyOf(kind: ExportedKind, record: object): string {
  return String(Reflect.get(record, KEY[kind]));
}

/** Kinds that references in a file name by name, as `word||name`. */
export type NamedKind = {
  [K in ExportedKind]: (typeof KEY)[K] extends 'name'
    ? (typeof KINDS)[K]['word'] extends null
      ? never
      : K
    : never;
}[ExportedKind];

export const NAMED_KINDS = EXPORTED_KINDS.filter(
  (kind): kind is NamedKind => KEY[kind] === 'name' && KINDS[kind].word !== null,
);

export function isNamedKind(word: string): word is NamedKind {
  return NAMED_KINDS.some((kind) => KINDS[kind].word === word);
}

/** One order of members for each kind: files stay comparable. */
export function inOrder<K extends ExportedKind>(kind: K, record: Exported[K]): Exported[K] {
  const members = new Map(Object.entries(record));
  const names = Object.keys(FIELDS[kind]).filter((name) => members.has(name));
  return Object.fromEntries(names.map((name) => [name, members.get(name)])) as Exported[K];
}

/** The noun of a kind, as the names of records follow it: `ivr "Main menu"`. */
export const nounOf = (kind: ExportedKind): string => KINDS[kind].noun.toLowerCase();
