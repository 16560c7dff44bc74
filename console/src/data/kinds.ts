// How the records of each kind are listed, named and shown. One row each.
import type { Client } from '../../../client/client.ts';
import type * as Api from '../../../client/operations.ts';
import type { RecordKind } from '../../../src/domain/kinds.ts';

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
  readonly list: (
    client: Client<'minimal'>,
    query: PageQuery,
  ) => Promise<{ data: Shape[]; next_cursor: string | null }>;
  readonly idOf: (record: Shape) => string;
  readonly nameOf: (record: Shape) => string;
  /** The console's page, followed by the id. */
  readonly page: string;
}

const id = (record: { readonly id: string | number }): string => String(record.id);
const name = (record: { readonly name: string }): string => record.name;

// biome-ignore format: a table is read by its columns
export const KINDS: { readonly [K in Kind]: KindRow<Shapes[K]> } = {
  ivr: { list: (client, query) => client.listIvrs({ query }), idOf: id, nameOf: name, page: 'menus' },
  agent: { list: (client, query) => client.listAgentsV2({ query }), idOf: ({ eid }) => eid, nameOf: name, page: 'agents' },
  team: { list: (client, query) => client.listTeams({ query }), idOf: id, nameOf: name, page: 'teams' },
  department: { list: (client, query) => client.listDepartments({ query }), idOf: id, nameOf: name, page: 'departments' },
  number: { list: (client, query) => client.listNumbers({ query }), idOf: id, nameOf: ({ number }) => number, page: 'numbers' },
  trunk: { list: (client, query) => client.listTrunks({ query }), idOf: id, nameOf: name, page: 'trunks' },
  recording: { list: (client, query) => client.listRecordings({ query }), idOf: id, nameOf: name, page: 'recordings' },
  timegroup: { list: (client, query) => client.listTimeGroups({ query }), idOf: id, nameOf: name, page: 'hours' },
  announcement: { list: (client, query) => client.listAnnouncements({ query }), idOf: id, nameOf: name, page: 'announcements' },
  voicemail: { list: (client, query) => client.listVoicemailBoxes({ query }), idOf: id, nameOf: name, page: 'voicemail' },
  room: { list: (client, query) => client.listRooms({ query }), idOf: id, nameOf: name, page: 'rooms' },
  collect: { list: (client, query) => client.listCollects({ query }), idOf: id, nameOf: name, page: 'collects' },
  request: { list: (client, query) => client.listRequests({ query }), idOf: id, nameOf: name, page: 'requests' },
  stream: { list: (client, query) => client.listStreams({ query }), idOf: id, nameOf: name, page: 'streams' },
  switch: { list: (client, query) => client.listSwitches({ query }), idOf: id, nameOf: name, page: 'switches' },
  message: { list: (client, query) => client.listMessages({ query }), idOf: id, nameOf: name, page: 'messages' },
  sip_address: { list: (client, query) => client.listSipAddresses({ query }), idOf: id, nameOf: name, page: 'sip-addresses' },
  sms_template: { list: (client, query) => client.listSmsTemplates({ query }), idOf: id, nameOf: name, page: 'sms' },
  webhook: { list: (client, query) => client.listWebhooks({ query }), idOf: id, nameOf: name, page: 'webhooks' },
  blocked_number: { list: (client, query) => client.listBlockedNumbers({ query }), idOf: id, nameOf: ({ number }) => number ?? '', page: 'blocked' },
  caller_id_rule: { list: (client, query) => client.listCallerIdRules({ query }), idOf: id, nameOf: name, page: 'caller-ids' },
  token: { list: (client, query) => client.listTokens({ query }), idOf: id, nameOf: name, page: 'tokens' },
};
