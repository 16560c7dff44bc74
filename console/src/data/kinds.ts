// How the records of each kind are named, and on which page they are. One row each.
import type { Client } from '../../../client/client.ts';
import type { Operations } from '../../../client/operations.ts';
import { type ListOperation, listOperation, type RecordKind } from '../../../src/kinds/lists.ts';

/** As lists have them. */
type Listed<K extends Kind> = Operations[K extends RecordKind
  ? ListOperation<K>
  : 'listTokens']['answer'] extends {
  readonly data: (infer Shape)[];
}
  ? Shape
  : never;

/** The kinds of the domain, and the tokens, which are listed like them. */
export type Kind = RecordKind | 'token';
export type RecordOf<K extends Kind> = Listed<K>;
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

export const KINDS: { readonly [K in Kind]: KindRow<RecordOf<K>> } = {
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
  contact: named('contacts'),
  token: named('tokens'),
};
