// How the records of each kind are named, and on which page they are. One row each.
import type { Client } from '../../../client/client.ts';
import type * as Api from '../../../client/operations.ts';
import { listOperation, type RecordKind } from '../../../src/kinds/lists.ts';

interface Shapes {
  readonly ivr: Api.Ivr;
  readonly agent: Api.Agent;
  readonly team: Api.Team;
  readonly department: Api.Department;
  readonly number: Api.DialledNumber;
  readonly trunk: Api.Trunk;
  readonly recording: Api.Recording;
  readonly timegroup: Api.TimeGroup;
  readonly announcement: Api.Announcement;
  readonly voicemail: Api.VoicemailBox;
  readonly room: Api.Room;
  readonly collect: Api.Collect;
  readonly request: Api.Request;
  readonly stream: Api.Stream;
  readonly switch: Api.Switch;
  readonly message: Api.Message;
  readonly sip_address: Api.SipAddress;
  readonly sms_template: Api.SmsTemplate;
  readonly webhook: Api.Webhook;
  readonly blocked_number: Api.BlockedNumber;
  readonly caller_id_rule: Api.CallerIdRule;
  readonly token: Api.Token;
}

/** The kinds of the domain, and the tokens, which are listed like them. */
export type Kind = RecordKind | 'token';
export type RecordOf<K extends Kind> = Shapes[K];
export type RecordLists<K extends Kind> = { readonly [Each in K]: readonly RecordOf<Each>[] };

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

export interface KindRow<Shape> {
  readonly idOf: (record: Shape) => string;
  readonly nameOf: (record: Shape) => string;
  /** The console's page, followed by the id. */
  readonly page: string;
}

interface Page<K extends Kind> {
  readonly data: RecordOf<K>[];
  readonly next_cursor: string | null;
}

/** A page of the list of a kind. */
export function listPage<K extends Kind>(
  client: Client<'minimal'>,
  kind: K,
  query: PageQuery,
): PromiseLike<Page<K>> {
  // The cast holds: the list of a kind has records of the kind.
  const list = client[kind === 'token' ? 'listTokens' : listOperation(kind)] as unknown as (input: {
    query: PageQuery;
  }) => PromiseLike<Page<K>>;
  return list({ query });
}

const id = (record: { readonly id: string | number }): string => String(record.id);
const name = (record: { readonly name: string }): string => record.name;
const named = (page: string) => ({ idOf: id, nameOf: name, page });

export const KINDS: { readonly [K in Kind]: KindRow<Shapes[K]> } = {
  ivr: named('menus'),
  agent: { idOf: ({ eid }) => eid, nameOf: name, page: 'agents' },
  team: named('teams'),
  department: named('departments'),
  number: { idOf: id, nameOf: ({ number }) => number, page: 'numbers' },
  trunk: named('trunks'),
  recording: named('recordings'),
  timegroup: named('hours'),
  announcement: named('announcements'),
  voicemail: named('voicemail'),
  room: named('rooms'),
  collect: named('collects'),
  request: named('requests'),
  stream: named('streams'),
  switch: named('switches'),
  message: named('messages'),
  sip_address: named('sip-addresses'),
  sms_template: named('sms'),
  webhook: named('webhooks'),
  blocked_number: { idOf: id, nameOf: ({ number }) => number ?? '', page: 'blocked' },
  caller_id_rule: named('caller-ids'),
  token: named('tokens'),
};
