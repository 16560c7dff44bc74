// The groups of operations, in the order in which the document shows them.
import type { KindRecord } from '../../kinds/define-kind.ts';
import { KINDS, RECORD_KINDS, type RecordKind } from '../../kinds/lists.ts';
import { RECORDS } from '../../kinds/records.ts';
import type { Route } from '../route.ts';

interface Tag {
  readonly name: string;
  readonly description: string;
  /** The first parts of the paths that belong to it, after the version. */
  readonly paths: readonly string[];
}

const FLOW: readonly Tag[] = [
  {
    name: 'IVRs',
    description:
      'Voice menus: what a caller hears, which keys lead where, and what happens with wrong keys and silence. With them: simulation, tests and lint.',
    paths: ['ivr', 'ivrs', 'simulate', 'lint'],
  },
  {
    name: 'Drafts',
    description:
      'Changes of the console that wait until they are published together, and publications that can be rolled back.',
    paths: ['draft', 'publication', 'publications'],
  },
  {
    name: 'Agents',
    description: 'People who take calls, the phones that are registered for them, and blocking.',
    paths: ['agent', 'agents', 'agent_states'],
  },
  ofKind('team'),
  {
    name: 'Departments',
    description:
      'Groups of agents that are rung for a caller, in an order that you choose, with or without a queue.',
    paths: ['department', 'departments', 'callback', 'callbacks'],
  },
  {
    name: 'Numbers',
    description: 'The numbers that callers dial, and the destination of each.',
    paths: ['number', 'numbers'],
  },
  {
    name: 'Trunks',
    description:
      'SIP connections to providers: who may call in over them, and which numbers may be called out.',
    paths: ['trunk', 'trunks', 'trunk-presets'],
  },
  {
    name: 'Recordings',
    description: 'Prompts: sound files that are uploaded, fetched from a URL or synthesized from text.',
    paths: ['recording', 'recordings'],
  },
  {
    name: 'Time groups',
    description:
      'Opening hours with exceptions. As a destination, a time group sends calls one way when open and another when closed.',
    paths: ['timegroup', 'timegroups'],
  },
  ofKind('announcement'),
  {
    name: 'Voicemail',
    description: 'Voicemail boxes, and the messages that callers left in them.',
    paths: ['voicemail_box', 'voicemail_boxes', 'voicemail', 'voicemails'],
  },
  {
    name: 'Conference rooms',
    description: 'Rooms in which callers hear each other, and who is in them now.',
    paths: ['room', 'rooms'],
  },
  ofKind('collect'),
  ofKind('request'),
  ofKind('stream'),
  ofKind('switch'),
  ofKind('message'),
  ofKind('sip_address'),
  ofKind('blocked_number'),
  ofKind('caller_id_rule'),
];

const REST: readonly Tag[] = [
  {
    name: 'SMS',
    description: 'Text messages, sent when a caller chooses an option or by a request, and their templates.',
    paths: ['sms', 'sms_template', 'sms_templates'],
  },
  {
    name: 'Webhooks',
    description:
      'Addresses of yours that receive call events, signed and retried. The events are under `webhooks` in this document.',
    paths: ['webhook', 'webhooks'],
  },
  {
    name: 'Call records',
    description:
      'Calls that have ended: every step with its reason, the recorded conversations, and an export as CSV.',
    paths: ['call/records', 'call/records.csv', 'call/records.xlsx', 'call/recordings', 'call/recording'],
  },
  {
    name: 'Live calls',
    description:
      'Calls in progress: list, follow, hang up, transfer, listen in; and calls that the service places itself.',
    paths: [
      'live_calls',
      'live_state',
      'call',
      'click_to_call',
      'phone_session',
      'phone_sessions',
      'call_button',
    ],
  },
  {
    name: 'Statistics',
    description: 'Figures by day or hour, for calls, agents, departments and IVRs.',
    paths: ['statistics', 'statistics.csv', 'statistics.xlsx', 'report'],
  },
  {
    name: 'Account',
    description:
      'Settings and limits of the account, its health, where phones register, notifications, and the audit log of changes.',
    paths: [
      'settings',
      'limits',
      'audit',
      'telephony',
      'ice_servers',
      'notifications',
      'wallboard',
      'references',
      'deleted_record',
      'deleted_records',
      'health',
      'prompts',
      'mail',
      'configuration',
    ],
  },
  {
    name: 'Access tokens',
    description: 'Who may use the API, with which scopes and until when.',
    paths: ['token', 'tokens'],
  },
  {
    name: 'Users',
    description:
      'The people who use the account: invitations, roles, passwords. What each role may do is in docs/roles.md.',
    paths: ['user', 'users', 'user_link', 'owner', 'me', 'password_reset'],
  },
  {
    name: 'Sessions',
    description: 'The sign-in of a browser to the console. Programs use an access token instead.',
    paths: ['session', 'sessions'],
  },
  {
    name: 'Nodes',
    description:
      'The processes that run the service on one database, for the operator: tokens of the first account alone.',
    paths: ['node', 'nodes'],
  },
  {
    name: 'Service',
    description: 'Health, metrics and documentation of the running service. No token is needed.',
    paths: [],
  },
];

const listed = new Set([...FLOW, ...REST].flatMap(({ paths }) => paths));
const isListed = (kind: RecordKind): boolean => firstOf(KINDS[kind].path).some((part) => listed.has(part));
const TAGS: readonly Tag[] = [
  ...FLOW,
  ...RECORD_KINDS.filter((kind) => !isListed(kind)).map((kind) => ofKind(kind)),
  ...REST,
];

/** The tag of a kind that shares its tag with no other operation. */
function ofKind(kind: RecordKind): Tag {
  const { nouns, path, listPath } = KINDS[kind];
  const { about = '' }: KindRecord = RECORDS[kind];
  return {
    name: `${nouns.charAt(0).toUpperCase()}${nouns.slice(1)}`,
    description: about,
    paths: [path, listPath].flatMap(firstOf),
  };
}

function firstOf(path: string): string[] {
  return path.split('/').slice(2, 3);
}

export const tags = (): object[] => TAGS.map(({ name, description }) => ({ name, description }));

export function tagOf({ path, open }: Route): string {
  const [, , first = '', second = ''] = path.split('/');
  const named = (key: string) => TAGS.find(({ paths }) => paths.includes(key));
  const tag = named(`${first}/${second}`) ?? named(first);
  if (tag) return tag.name;
  if (open) return 'Service';
  throw new Error(`${path} has no tag: see openapi/tags.ts.`);
}
