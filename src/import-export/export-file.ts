// Menus as a file that people can read, compare and carry from one machine to another. Records in it are called by name:
// `ivr||Main menu`, `department||Sales`, `timegroup||Office hours`. Agents keep their eid, recordings their id, numbers are
// their own name. Ids, versions and times are not in it, nor is anything secret.
// A file has menus and what they lead to (the kinds with a member in the column `exported` of domain/kinds.ts). Trunks, SMS
// templates, webhooks, blocked numbers and caller-id rules are not in it: a menu that names a template or a webhook keeps
// its id.

import { announcementNode } from '../domain/announcement.ts';
import { agentNode, departmentNode, menuNode } from '../domain/compile.ts';
import { type ExportedKind, KINDS, type RecordData } from '../domain/kinds.ts';
import type { StoredRecord } from '../domain/record.ts';
import { hoursNode } from '../domain/time-group.ts';
import { voicemailNode } from '../domain/voicemail-box.ts';
import { type Flow, type Recording as FlowRecording, makeFlow } from '../flow/flow.ts';
import type { Ref } from '../flow/node.ts';
import { EXPORT_ORDER, type Exported } from './fields.ts';

/** Written into every file, so that a later version knows what it reads. */
export const EXPORT_VERSION = 1;

export type ExportFile = { readonly [K in ExportedKind]: readonly Exported[K][] };

/** Everything of an account that a file can hold. */
export type AccountRecords = { readonly [K in ExportedKind]: readonly StoredRecord<RecordData[K]>[] };

/** A table with a cell for each exported kind, in the order of the file. */
export function byExportedKind<Table extends { readonly [K in ExportedKind]: unknown }>(
  cell: <K extends ExportedKind>(kind: K) => unknown,
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
  return `${JSON.stringify({ dialtree: EXPORT_VERSION, ...Object.fromEntries(members) }, null, 2)}\n`;
}

/**
 * The flow of a file by itself: references are names, and so are the nodes' ids. Whether an account sends SMS is its
 * setting and not in the file; here it does.
 */
export function exportFileFlow(exportFile: ExportFile): Flow {
  return makeFlow({
    nodes: [
      ...exportFile.ivr.map((ivr) => menuNode(ivr.name, ivr)),
      ...exportFile.agent.map((agent) => agentNode({ ...agent, timegroup_id: agent.timegroup })),
      ...exportFile.department.map((department) => departmentNode(department.name, department)),
      ...exportFile.timegroup.map((group) => hoursNode(group.name, group)),
      ...exportFile.announcement.map((each) => announcementNode(each.name, each)),
      ...exportFile.voicemail.map((box) => voicemailNode(box.name, box)),
    ],
    recordings: fileRecordings(exportFile),
    settings: { smsTemplates: true },
  });
}

export function fileRecordings({ recording }: ExportFile): FlowRecording[] {
  return recording.map(({ id, name, duration_ms: durationMs }) => ({ id, name, durationMs }));
}

export function exportFileEntries(exportFile: ExportFile): Set<Ref> {
  return new Set(exportFile.number.map(({ destination }) => destination));
}
