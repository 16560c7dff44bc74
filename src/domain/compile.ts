// Records → the flow that calls follow. Each record becomes one node by itself, so a changed record costs its own
// compilation and no other's; that it points to something is resolved when a call gets there, by a map look-up.

import {
  changeFlow,
  type Flow,
  type Recording as FlowRecording,
  type FlowSettings,
  makeFlow,
  type Template,
} from '../flow/flow.ts';
import type { FlowNode } from '../flow/node.ts';
import { DIRECTORY_KINDS } from '../kinds/lists.ts';
import { nodeOfKind } from '../kinds/nodes.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { AnyRecord } from '../kinds/record-data.ts';
import type { Recording } from '../kinds/recording.ts';
import type { SmsTemplate } from '../kinds/sms-template.ts';
import type { Settings } from './account.ts';
import type { Directory } from './directory.ts';
import { recordsIn } from './directory.ts';

export const flowRecording = (
  id: string,
  { name, duration_ms: durationMs }: Pick<Recording, 'name' | 'duration_ms'>,
): FlowRecording => ({ id, name, durationMs });

export function flowTemplates(
  templates: Iterable<Pick<StoredRecord<SmsTemplate>, 'id' | 'data'>>,
): Map<string, Template> {
  const found = new Map<string, Template>();
  for (const { id, data } of templates) {
    const { name, text, status } = data;
    found.set(id, { id, name, text, active: status === 'active' });
  }
  return found;
}

export function flowSettings(
  settings: Pick<Settings, 'sms_templates' | 'ring_seconds' | 'failed_calls'>,
): Pick<FlowSettings, 'smsTemplates' | 'ringSeconds' | 'failedCalls'> {
  const { sms_templates, ring_seconds, failed_calls } = settings;
  return { smsTemplates: sms_templates, ringSeconds: ring_seconds, failedCalls: failed_calls };
}

export function directoryFlow(directory: Directory, settings: Settings): Flow {
  return makeFlow({
    nodes: DIRECTORY_KINDS.flatMap((kind) =>
      [...recordsIn(directory, kind)].flatMap(({ id, data }) => nodeOfKind(kind, id, data) ?? []),
    ),
    recordings: [...directory.recordings.values()].map(({ id, data }) => flowRecording(id, data)),
    templates: directory.smsTemplates && flowTemplates(directory.smsTemplates.values()),
    settings: flowSettings(settings),
  });
}

/**
 * The flow after some records were written and others deleted. It costs what changed, not what there is. `former` are the
 * deleted ones and what stood in place of the written ones: an agent with a new eid leaves the old one.
 */
export function recompile(flow: Flow, written: readonly AnyRecord[], former: readonly AnyRecord[]): Flow {
  const nodes = written.flatMap((record) => nodeOf(record) ?? []);
  const recordings = written.filter(isRecording).map(({ id, data }) => flowRecording(id, data));
  const present = new Set([...nodes.map(({ ref }) => ref), ...recordings.map(({ id }) => id)]);
  const gone = (key: string): boolean => !present.has(key);
  return changeFlow(flow, {
    nodes,
    recordings,
    removedNodes: former.flatMap((record) => nodeOf(record)?.ref ?? []).filter(gone),
    removedRecordings: former
      .filter(isRecording)
      .map(({ id }) => id)
      .filter(gone),
  });
}

const isRecording = (record: AnyRecord) => record.kind === 'recording';

const nodeOf = (record: AnyRecord): FlowNode | null => nodeOfKind(record.kind, record.id, record.data);
