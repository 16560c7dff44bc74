// THE TABLE of the kinds of record that assistants see: by which operations of the API they are read and changed.
import { DRAFTED_KINDS } from '../domain/draft.ts';
import type { RecordKind } from '../domain/kinds.ts';
import type { OperationId } from '../domain/roles.ts';

interface ToolKind {
  readonly list: OperationId;
  /** `getIvr`, `createIvr`, `patchIvr`, `deleteIvr`. */
  readonly name: string;
  /** The parameter of the path that names one. */
  readonly key: 'id' | 'eid';
}

/** Webhooks, trunks, SIP addresses and caller-id rules are left to people: their addresses and passwords are no business of an assistant. */
export const TOOL_KINDS = {
  ivr: { list: 'listIvrs', name: 'Ivr', key: 'id' },
  number: { list: 'listNumbers', name: 'Number', key: 'id' },
  timegroup: { list: 'listTimeGroups', name: 'TimeGroup', key: 'id' },
  announcement: { list: 'listAnnouncements', name: 'Announcement', key: 'id' },
  department: { list: 'listDepartments', name: 'Department', key: 'id' },
  voicemail: { list: 'listVoicemailBoxes', name: 'VoicemailBox', key: 'id' },
  room: { list: 'listRooms', name: 'Room', key: 'id' },
  collect: { list: 'listCollects', name: 'Collect', key: 'id' },
  request: { list: 'listRequests', name: 'Request', key: 'id' },
  stream: { list: 'listStreams', name: 'Stream', key: 'id' },
  switch: { list: 'listSwitches', name: 'Switch', key: 'id' },
  message: { list: 'listMessages', name: 'Message', key: 'id' },
  agent: { list: 'listAgentsV2', name: 'Agent', key: 'eid' },
  team: { list: 'listTeams', name: 'Team', key: 'id' },
  recording: { list: 'listRecordings', name: 'Recording', key: 'id' },
  sms_template: { list: 'listSmsTemplates', name: 'SmsTemplate', key: 'id' },
  blocked_number: { list: 'listBlockedNumbers', name: 'BlockedNumber', key: 'id' },
} as const satisfies Partial<Record<RecordKind, ToolKind>>;

export type ToolKindName = keyof typeof TOOL_KINDS;

export const READABLE = Object.keys(TOOL_KINDS) as ToolKindName[];
/** What an assistant may change: the draft has it until a person publishes it. */
export const DRAFTABLE = READABLE.filter((kind) => DRAFTED_KINDS.has(kind));

type Verb = 'get' | 'create' | 'patch' | 'delete';

/** The cast holds: a test asks for each of them. */
export const operationOf = (verb: Verb, kind: ToolKindName): OperationId =>
  `${verb}${TOOL_KINDS[kind].name}` as OperationId;
