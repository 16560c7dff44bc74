// A row of the database → a record. Members that an older row lacks get their defaults here and nowhere else; each kind's
// own file has the defaults, and its API schema uses the same ones.
import { AGENT_DEFAULTS } from './agent.ts';
import { ANNOUNCEMENT_DEFAULTS } from './announcement.ts';
import { BLOCKED_NUMBER_DEFAULTS } from './blocked-number.ts';
import { COLLECT_DEFAULTS } from './collect.ts';
import { DEPARTMENT_DEFAULTS } from './department.ts';
import { IVR_DEFAULTS } from './ivr.ts';
import type { RecordData, RecordKind, StoredRecordOf } from './kinds.ts';
import { MESSAGE_DEFAULTS } from './message.ts';
import { NUMBER_DEFAULTS } from './number.ts';
import type { StoredRecord } from './record.ts';
import { RECORDING_DEFAULTS } from './recording.ts';
import { REQUEST_DEFAULTS } from './request.ts';
import { SIP_ADDRESS_DEFAULTS } from './sip-address.ts';
import { STREAM_DEFAULTS } from './stream.ts';
import { SWITCH_DEFAULTS } from './switch.ts';
import { TIME_GROUP_DEFAULTS } from './time-group.ts';
import { TRUNK_DEFAULTS } from './trunk.ts';

interface RecordRow extends Omit<StoredRecord<unknown>, 'data'> {
  readonly json: string;
}

/** Kinds without defaults have had all their members from the first version on. */
const DEFAULTS: { readonly [K in RecordKind]: Partial<RecordData[K]> } = {
  ivr: IVR_DEFAULTS,
  agent: AGENT_DEFAULTS,
  team: {},
  department: DEPARTMENT_DEFAULTS,
  recording: RECORDING_DEFAULTS,
  number: NUMBER_DEFAULTS,
  trunk: TRUNK_DEFAULTS,
  timegroup: TIME_GROUP_DEFAULTS,
  announcement: ANNOUNCEMENT_DEFAULTS,
  voicemail: {},
  room: {},
  collect: COLLECT_DEFAULTS,
  request: REQUEST_DEFAULTS,
  stream: STREAM_DEFAULTS,
  switch: SWITCH_DEFAULTS,
  message: MESSAGE_DEFAULTS,
  sip_address: SIP_ADDRESS_DEFAULTS,
  sms_template: {},
  webhook: {},
  blocked_number: BLOCKED_NUMBER_DEFAULTS,
  caller_id_rule: {},
};

/** Per kind, since this runs for every row that is read. */
const MEMBERS = new Map(Object.entries(DEFAULTS).map(([kind, defaults]) => [kind, Object.entries(defaults)]));

export function readRow<K extends RecordKind>(kind: K, row: RecordRow): StoredRecordOf<K> {
  const { id, version, createdAtMs, updatedAtMs } = row;
  return { kind, id, version, createdAtMs, updatedAtMs, data: readData(kind, row.json) } as StoredRecordOf<K>;
}

export function readData<K extends RecordKind>(kind: K, json: string): RecordData[K] {
  const data = JSON.parse(json);
  for (const [name, value] of MEMBERS.get(kind) ?? []) if (data[name] === undefined) data[name] = value;
  return data;
}
