// The account's records, as the API lists them → the flow, compiled by the service's own code. An unsaved menu replaces the
// stored one.

import type { DialledNumber, Settings } from '../../../../client/operations.ts';
import { flowRecording, flowSettings, flowTemplates } from '../../../../src/domain/compile.ts';
import { type Flow, makeFlow } from '../../../../src/flow/flow.ts';
import { type Ref, referenceTo } from '../../../../src/flow/node.ts';
import type { Ivr as Menu } from '../../../../src/kinds/ivr.ts';
import { DESTINATION_RECORD_KINDS } from '../../../../src/kinds/lists.ts';
import { menuNode, nodeOfKind } from '../../../../src/kinds/nodes.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
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
      ...DESTINATION_RECORD_KINDS.flatMap((kind) =>
        records[kind].flatMap((record) => nodeOfKind(kind, String(record.id), record) ?? []),
      ),
      ...(draft ? [draft] : []),
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
