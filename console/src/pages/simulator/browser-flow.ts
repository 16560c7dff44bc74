// The account's records, as the API lists them → the flow, compiled by the service's own code. An unsaved menu replaces the
// stored one.

import type { DialledNumber, Settings } from '../../../../client/operations.ts';
import {
  agentNode,
  departmentNode,
  flowRecording,
  flowSettings,
  flowTemplates,
  menuNode,
} from '../../../../src/domain/compile.ts';
import { type Flow, makeFlow } from '../../../../src/flow/flow.ts';
import { type Ref, referenceTo } from '../../../../src/flow/node.ts';
import { announcementNode } from '../../../../src/kinds/announcement.ts';
import { collectNode } from '../../../../src/kinds/collect.ts';
import type { Ivr as Menu } from '../../../../src/kinds/ivr.ts';
import { DESTINATION_RECORD_KINDS } from '../../../../src/kinds/lists.ts';
import { messageNode } from '../../../../src/kinds/message.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { requestNode } from '../../../../src/kinds/request.ts';
import { roomNode } from '../../../../src/kinds/room.ts';
import { sipAddressNode } from '../../../../src/kinds/sip-address.ts';
import { streamNode } from '../../../../src/kinds/stream.ts';
import { switchNode } from '../../../../src/kinds/switch.ts';
import { hoursNode } from '../../../../src/kinds/time-group.ts';
import { voicemailNode } from '../../../../src/kinds/voicemail-box.ts';
import type { RecordLists } from '../../data/kinds.ts';

export const FLOW_RECORDS = [...DESTINATION_RECORD_KINDS, 'recording', 'sms_template'] as const;

export interface AccountRecords extends RecordLists<(typeof FLOW_RECORDS)[number]> {
  readonly settings: Pick<Settings, 'sms_templates' | 'ring_seconds' | 'failed_calls'>;
}

/** The menu of an editor; a new one has no id. */
export interface UnsavedMenu {
  readonly id: string | null;
  readonly ivr: Omit<Menu, 'tests'>;
}

/** The id of a menu that is not stored; no stored menu can have it. */
export const UNSAVED_ID = '-unsaved-';

export function browserFlow(records: AccountRecords, unsaved: UnsavedMenu | null = null): Flow {
  const draft = unsaved && menuNode(unsaved.id ?? UNSAVED_ID, { ...unsaved.ivr, tests: [] });
  return makeFlow({
    nodes: [
      ...records.ivr.map((ivr) => menuNode(ivr.id, ivr)),
      ...(draft ? [draft] : []),
      ...records.agent.map(agentNode),
      ...records.department.map((department) => departmentNode(department.id, department)),
      ...records.timegroup.map((group) => hoursNode(group.id, group)),
      ...records.announcement.map((announcement) => announcementNode(announcement.id, announcement)),
      ...records.voicemail.map((box) => voicemailNode(box.id, box)),
      ...records.room.map((room) => roomNode(room.id, room)),
      ...records.collect.map((each) => collectNode(each.id, each)),
      ...records.request.map((each) => requestNode(each.id, each)),
      ...records.stream.map((each) => streamNode(each.id, each)),
      ...records.switch.map((each) => switchNode(each.id, each)),
      ...records.message.map((each) => messageNode(each.id, each)),
      ...records.sip_address.map((each) => sipAddressNode(each.id, each)),
    ],
    recordings: records.recording.map((recording) => flowRecording(recording.id, recording)),
    templates: flowTemplates(records.sms_template.map((data) => ({ id: data.id, data }))),
    settings: flowSettings(records.settings),
  });
}

/** The entry of a call: a destination, or the destination of a dialled number. */
export function entryRef(entry: string, numbers: readonly DialledNumber[]): Ref {
  const { kind, id } = splitReference(entry);
  if (kind !== '' && kind !== 'number') return entry;
  const plain = id.replace(/^\+/, '');
  const dialled = numbers.find((each) => each.id === id || each.number.replace(/^\+/, '') === plain);
  return dialled?.destination ?? (kind === '' ? referenceTo('number', id) : entry);
}
