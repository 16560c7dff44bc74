// What a file has of each kind: the fields of the kind's own schema, in their order. The types refuse a member of a record
// that is neither among the fields nor left out by name.

import type { SealedKind, SecretMember } from '../domain/sealed.ts';
import { intercom } from '../kinds/agent.ts';
import { type BlockedNumber, blockKey } from '../kinds/blocked-number.ts';
import { eid, flag } from '../kinds/common-fields.ts';
import { type Field, optional } from '../kinds/field.ts';
import { type DEFAULTS, FIELDS as OF_KIND } from '../kinds/fields.ts';
import { KINDS, keysOf, RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { TRUNK_ADDRESSES } from '../kinds/trunk.ts';
import { type FormerSecret, formerSecret, sipDigests } from './secret-fields.ts';

type PartOf<Data, Names> = Omit<Data, Names & string> & Partial<Pick<Data, Names & keyof Data>>;

/** See LATER. */
const LATER_OF_DEPARTMENT = [
  'agent_levels',
  'priority',
  'ring_together',
  'full_destination',
  'timeout_destination',
  'announce_wait',
  'announce_recording',
  'announce_recording_seconds',
  'after_call_destination',
] as const;
type LaterOfAgent =
  | 'sip_sha256'
  | 'record_calls'
  | 'do_not_disturb'
  | 'forward_always'
  | 'forward_busy'
  | 'forward_no_answer'
  | 'call_waiting'
  | 'after_call_destination';

/** Kinds whose records a file has in another form than the account. */
interface Changed {
  readonly agent: PartOf<
    // Ids: the file has the names, as `team` and `timegroup`.
    Omit<RecordData['agent'], 'team_id' | 'timegroup_id' | 'sip'>,
    LaterOfAgent
  > & {
    readonly team: string | null;
    readonly timegroup: string | null;
    readonly sip?: RecordData['agent']['sip'] | null;
  };
  readonly ivr: PartOf<RecordData['ivr'], 'option_priority' | 'text'>;
  readonly announcement: PartOf<RecordData['announcement'], 'text'>;
  readonly department: PartOf<RecordData['department'], (typeof LATER_OF_DEPARTMENT)[number]>;
  readonly recording: PartOf<RecordData['recording'], keyof typeof DEFAULTS.recording> & {
    readonly id: string;
  };
  readonly number: PartOf<RecordData['number'], keyof typeof DEFAULTS.number>;
  /** `password`: null where there is none. */
  readonly trunk: Omit<RecordData['trunk'], 'sealed_password' | 'host_before'> & {
    readonly password?: string | null;
  };
  readonly webhook: Omit<RecordData['webhook'], 'sealed_secret' | 'former'> & {
    readonly secret?: string | null;
    readonly former?: FormerSecret | null;
  };
}

/** By kind: a record of it, as a file has it. */
export type Exported = {
  readonly [K in RecordKind]: K extends keyof Changed
    ? Changed[K]
    : K extends SealedKind
      ? Omit<RecordData[K], `sealed_${SecretMember<K>}`> & { readonly [M in SecretMember<K>]?: string | null }
      : RecordData[K];
};

/** What an archive has beside, so that another account gets the same ids and names. */
export interface Marks {
  readonly id?: string;
  /** The name in the account, where several records share it; `name` is what the file calls this one. */
  readonly shared_name?: string;
}

const {
  eid: _eid,
  intercom: _intercom,
  team_id: _team,
  timegroup_id: _hours,
  ...agentFields
} = OF_KIND.agent;
/** The order of the first members; what else an agent has follows. */
const firstAgentFields = {
  // A file names the agents that it means; the API makes numbers for those that are sent without.
  eid,
  name: agentFields.name,
  intercom,
  follow_me_number: agentFields.follow_me_number,
  product_clicktocall: agentFields.product_clicktocall,
  team: optional(OF_KIND.team.name, null),
  custom_status: optional(flag, 0),
  timegroup: optional(OF_KIND.timegroup.name, null),
} as const;

type FieldsIn<K extends RecordKind> = {
  readonly [Member in keyof Exported[K]]-?: Field<Exported[K][Member]>;
};

const OWN_FIELDS = {
  agent: { ...firstAgentFields, ...agentFields, sip: optional(sipDigests, null) },
  recording: { id: eid, ...OF_KIND.recording },
  trunk: { ...OF_KIND.trunk, addresses: optional(TRUNK_ADDRESSES, []) },
  webhook: { ...OF_KIND.webhook, former: optional(formerSecret, null) },
} as const satisfies { readonly [K in RecordKind]?: FieldsIn<K> };

/** What a file has of each kind: its fields, unless it has them in another form. */
export const FIELDS = { ...OF_KIND, ...OWN_FIELDS } satisfies { readonly [K in RecordKind]: FieldsIn<K> };

const FIRST: readonly RecordKind[] = ['ivr', 'department', 'team', 'agent'];
const LAST: readonly RecordKind[] = [
  'recording',
  'number',
  'trunk',
  'sms_template',
  'webhook',
  'blocked_number',
  'caller_id_rule',
];
/** In the order of the file. */
export const EXPORT_ORDER: readonly RecordKind[] = [
  ...FIRST,
  ...RECORD_KINDS.filter((kind) => !FIRST.includes(kind) && !LAST.includes(kind)),
  ...LAST,
];

/** Members with a secret: in a file only if it was asked for. A URL that a sound came from may hold a signature or a token. */
export const SECRETS: { readonly [K in RecordKind]?: readonly (string & keyof Exported[K])[] } & {
  readonly [K in SealedKind]: readonly [SecretMember<K>, ...(string & keyof Exported[K])[]];
} = {
  agent: ['sip'],
  recording: ['url'],
  trunk: ['password'],
  request: ['secret'],
  stream: ['secret'],
  sip_address: ['password'],
  webhook: ['secret', 'former'],
};

/** Members that files of earlier versions lack, and secrets: where a file lacks one, the account keeps its value. Any other has its default. */
const LATER: { readonly [K in RecordKind]?: readonly (string & keyof Exported[K])[] } = {
  agent: [
    'record_calls',
    'sip_sha256',
    'do_not_disturb',
    'forward_always',
    'forward_busy',
    'forward_no_answer',
    'call_waiting',
    'after_call_destination',
  ],
  ivr: ['option_priority', 'text'],
  announcement: ['text'],
  department: LATER_OF_DEPARTMENT,
  number: ['description', 'priority'],
  recording: keysOf(OF_KIND.recording).filter(
    (name) => name !== 'name' && name !== 'duration_ms' && name !== 'sha256',
  ),
};

export const laterMembers = (kind: RecordKind): readonly string[] => [
  ...(LATER[kind] ?? []),
  ...(SECRETS[kind] ?? []),
];

/** The member by which a file calls a record, different from all others of its kind. Of a blocked number, `dialled` counts too. */
export function keyOf(kind: RecordKind, record: object): string {
  return kind === 'blocked_number'
    ? blockKey(record as BlockedNumber)
    : String(Reflect.get(record, KINDS[kind].key));
}

/** Kinds that a file calls by their names. */
export type NamedKind = {
  [K in RecordKind]: (typeof KINDS)[K]['key'] extends 'name' ? K : never;
}[RecordKind];

export const NAMED_KINDS = RECORD_KINDS.filter((kind): kind is NamedKind => KINDS[kind].key === 'name');

/** The word of references to a kind, as record-references.ts gives them. */
export const wordOf = (kind: RecordKind): string => KINDS[kind].word ?? kind;

const NAMED_WORDS: ReadonlySet<string> = new Set(NAMED_KINDS.map(wordOf));
/** Whether the references with this word stand in a file as `word||name`. */
export const isNamedWord = (word: string): boolean => NAMED_WORDS.has(word);

/** One order of members for each kind: files stay comparable. */
export function inOrder<K extends RecordKind>(kind: K, record: Exported[K] & Marks): Exported[K] & Marks {
  const members = new Map(Object.entries(record));
  const names = new Set(['id', ...Object.keys(FIELDS[kind]), 'shared_name']);
  return Object.fromEntries(
    [...names].filter((name) => members.has(name)).map((name) => [name, members.get(name)]),
  ) as Exported[K] & Marks;
}

/** The noun of a kind, as the names of records follow it: `ivr "Main menu"`. */
export const nounOf = (kind: RecordKind): string => KINDS[kind].noun.toLowerCase();
