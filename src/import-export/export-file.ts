// An account as a file that people can read, compare and carry from one machine to another. Records in it are called by name:
// `ivr||Main menu`, `department||Sales`, `timegroup||Office hours`. Agents keep their eid, recordings their id, numbers are
// their own name. It has every kind of record (kinds/kinds.ts) and the account's settings; secrets, and the ids of all records,
// only if they are asked for. Versions, times, access tokens, limits and everything about calls are not in it.
// An archive is that file, account.json, with the sounds beside it.

import type { Settings } from '../domain/account.ts';
import { type Flow, type Recording as FlowRecording, makeFlow } from '../flow/flow.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import {
  DESTINATION_RECORD_KINDS,
  type DestinationRecordKind,
  KINDS,
  type RecordKind,
} from '../kinds/lists.ts';
import { nodeOfKind } from '../kinds/nodes.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
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

/** What is found of menus is listed first. */
const MENUS_FIRST = DESTINATION_RECORD_KINDS.toSorted(
  (one, other) => Number(other === 'ivr') - Number(one === 'ivr'),
);

/**
 * The flow of a file by itself: references are names, and so are the nodes' ids. Where the file has no
 * settings, SMS are sent.
 */
export function exportFileFlow(exportFile: ExportFile): Flow {
  return makeFlow({
    nodes: MENUS_FIRST.flatMap((kind) =>
      exportFile[kind].flatMap((each) => nodeOfKind(kind, each.name, nodeData(kind, each)) ?? []),
    ),
    recordings: fileRecordings(exportFile),
    settings: { smsTemplates: exportFile.settings?.sms_templates ?? true },
  });
}

/** With what the file may lack, and names in place of ids. */
const nodeData = (kind: DestinationRecordKind, record: object): object =>
  kind === 'agent'
    ? { ...DEFAULTS.agent, ...record, timegroup_id: Reflect.get(record, 'timegroup') }
    : { ...DEFAULTS[kind], ...record };

export function fileRecordings({ recording }: ExportFile): FlowRecording[] {
  return recording.map(({ id, name, duration_ms: durationMs }) => ({ id, name, durationMs }));
}
