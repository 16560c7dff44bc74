// A flow as it is after the changes of a draft: what the linter, tests of menus and checks of references in a draft go by.
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { Ref } from '../flow/node.ts';
import { KINDS, type RecordKind } from '../kinds/lists.ts';
import type { AnyRecord } from '../kinds/record-data.ts';
import { referenceText } from '../kinds/reference.ts';
import { recompile } from './compile.ts';
import { readRow } from './row.ts';

export interface DraftChange {
  readonly kind: RecordKind;
  readonly id: string;
  /** Null if the record is deleted. */
  readonly json: string | null;
}

export function draftedFlow(flow: Flow, changes: readonly DraftChange[]): Flow {
  if (changes.length === 0) return flow;
  const written = changes.flatMap(({ kind, id, json }) => (json === null ? [] : recordOf(kind, id, json)));
  const removedNodes = changes.flatMap((change) => (change.json === null ? refsOf(change) : []));
  return changeFlow(recompile(flow, written, []), { removedNodes });
}

/** Kinds that no destination names have none. */
export function refsOf({ kind, id }: Pick<DraftChange, 'kind' | 'id'>): Ref[] {
  const { word } = KINDS[kind];
  return word === null ? [] : [referenceText(word, id)];
}

function recordOf(kind: RecordKind, id: string, json: string): AnyRecord {
  const row = { id, version: 1, createdAtMs: 0, updatedAtMs: 0, json };
  return { ...readRow(kind, row), kind } as AnyRecord;
}
