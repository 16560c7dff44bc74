// Values that no two records of a kind may share within an account, and networks that no two accounts may share.
import { blockKey } from './blocked-number.ts';
import type { RecordData, RecordKind } from './kinds.ts';
import { numberKeys } from './number.ts';

interface UniqueKey {
  readonly name: string;
  readonly value: string;
}

const KEYS: {
  readonly [K in RecordKind]: null | ((id: string, data: RecordData[K]) => readonly UniqueKey[]);
} = {
  agent: (_id, { eid, intercom }) => [
    { name: 'eid', value: eid },
    { name: 'intercom', value: intercom },
  ],
  ivr: null,
  team: (id) => [{ name: 'id', value: id }],
  department: null,
  recording: null,
  number: (_id, { number }) => numberKeys(number),
  trunk: (_id, { name }) => [{ name: 'name', value: name }],
  timegroup: null,
  announcement: null,
  voicemail: null,
  room: null,
  collect: null,
  request: null,
  stream: null,
  switch: null,
  message: null,
  sip_address: null,
  sms_template: null,
  webhook: null,
  blocked_number: (_id, entry) => [{ name: 'number', value: blockKey(entry) }],
  caller_id_rule: null,
};

/**
 * Names of keys that other records and call records hold: a value that a record gave up is never given to another one. An intercom
 * number is not among them: it is dialled, like a desk's extension, and goes to the next owner of the desk.
 */
const LASTING: { readonly [K in RecordKind]?: readonly string[] } = { agent: ['eid'], team: ['id'] };

export const lastingKeys = (kind: RecordKind): readonly string[] => LASTING[kind] ?? [];

/** To be spread into what is written; a kind without keys writes none, and only trunks have networks. */
export function uniqueKeys<K extends RecordKind>(
  kind: K,
  id: string,
  data: RecordData[K],
): { readonly keys?: readonly UniqueKey[]; readonly networks?: readonly string[] } {
  const keys = KEYS[kind]?.(id, data);
  return { ...(keys ? { keys } : {}), ...('addresses' in data ? { networks: data.addresses } : {}) };
}
