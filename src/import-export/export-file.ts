// An account as a file that people can read, compare and carry from one machine to another. Records in it are called by name:
// `ivr||Main menu`, `department||Sales`, `timegroup||Office hours`. Agents keep their eid, recordings their id, numbers are
// their own name. It has every kind of record (domain/kinds.ts) and the account's settings; secrets, and the ids of all records,
// only if they are asked for. Versions, times, access tokens, limits and everything about calls are not in it.
// An archive is that file, account.json, with the sounds beside it.

import type { Settings } from '../domain/account.ts';
import { agentNode, departmentNode, menuNode } from '../domain/compile.ts';
import { type Flow, type Recording as FlowRecording, makeFlow } from '../flow/flow.ts';
import { announcementNode } from '../kinds/announcement.ts';
import { collectNode } from '../kinds/collect.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import { KINDS, type RecordData, type RecordKind } from '../kinds/lists.ts';
import { messageNode } from '../kinds/message.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { requestNode } from '../kinds/request.ts';
import { roomNode } from '../kinds/room.ts';
import { sipAddressNode } from '../kinds/sip-address.ts';
import { streamNode } from '../kinds/stream.ts';
import { switchNode } from '../kinds/switch.ts';
import { hoursNode } from '../kinds/time-group.ts';
import { voicemailNode } from '../kinds/voicemail-box.ts';
import { EXPORT_ORDER, type Exported, type Marks } from './fields.ts';

/** Written into every file, so that a later version knows what it reads. */
export const EXPORT_VERSION = 2;
/** Files of version 1 have menus and what they lead to, with plain ids of SMS templates and webhooks. */
export const READ_VERSIONS: readonly unknown[] = [1, EXPORT_VERSION];

export type FileRecord<K extends RecordKind> = Exported[K] & Marks;

export type FileLists = { readonly [K in RecordKind]: readonly FileRecord<K>[] };

export interface ExportFile extends FileLists {
  /** Absent in the file of some menus, and in files of earlier versions. */
  readonly settings?: Partial<Settings>;
}

/** Everything that an account has configured. */
export type AccountRecords = { readonly [K in RecordKind]: readonly StoredRecord<RecordData[K]>[] };

/** A table with a cell for each kind, in the order of the file. */
export function byKind<Table extends { readonly [K in RecordKind]: unknown }>(
  cell: <K extends RecordKind>(kind: K) => unknown,
): Table {
  return Object.fromEntries(EXPORT_ORDER.map((kind) => [kind, cell(kind)])) as Table;
}

export interface RecordFault {
  /** Such as `ivr "Main menu"`; empty: the file as a whole. */
  readonly record: string;
  /** RFC 6901, into the file. */
  readonly pointer: string;
  readonly message: string;
}

export function exportFileText(exportFile: ExportFile): string {
  const members = EXPORT_ORDER.map((kind) => [KINDS[kind].exported, exportFile[kind]]);
  const { settings } = exportFile;
  const file = {
    dialtree: EXPORT_VERSION,
    ...(settings ? { settings } : {}),
    ...Object.fromEntries(members),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * The flow of a file by itself: references are names, and so are the nodes' ids. Where the file has no
 * settings, SMS are sent.
 */
export function exportFileFlow(exportFile: ExportFile): Flow {
  return makeFlow({
    nodes: [
      ...exportFile.ivr.map((ivr) => menuNode(ivr.name, { ...DEFAULTS.ivr, ...ivr })),
      ...exportFile.agent.map((agent) => agentNode({ ...agent, timegroup_id: agent.timegroup })),
      ...exportFile.department.map((department) =>
        departmentNode(department.name, { ...DEFAULTS.department, ...department }),
      ),
      ...exportFile.timegroup.map((group) => hoursNode(group.name, group)),
      ...exportFile.announcement.map((each) =>
        announcementNode(each.name, { ...DEFAULTS.announcement, ...each }),
      ),
      ...exportFile.voicemail.map((box) => voicemailNode(box.name, box)),
      ...exportFile.room.map((room) => roomNode(room.name, room)),
      ...exportFile.collect.map((each) => collectNode(each.name, each)),
      ...exportFile.request.map((each) => requestNode(each.name, each)),
      ...exportFile.stream.map((each) => streamNode(each.name, each)),
      ...exportFile.switch.map((each) => switchNode(each.name, each)),
      ...exportFile.message.map((each) => messageNode(each.name, each)),
      ...exportFile.sip_address.map((each) => sipAddressNode(each.name, each)),
    ],
    recordings: fileRecordings(exportFile),
    settings: { smsTemplates: exportFile.settings?.sms_templates ?? true },
  });
}

export function fileRecordings({ recording }: ExportFile): FlowRecording[] {
  return recording.map(({ id, name, duration_ms: durationMs }) => ({ id, name, durationMs }));
}
