import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { KINDS, type RecordOf } from '../../data/kinds.ts';
import type { Selection } from '../../kit/table-selection.tsx';
import type { BulkKind } from './bulk-actions.ts';

/** With its dialogs: who selects nothing needs none of it. */
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));

const NONE: ReadonlySet<string> = new Set();

/** The selection of a list of records, and the bar of what can be done to them. */
export function useSelection<K extends BulkKind>(
  kind: K,
  items: readonly RecordOf<K>[],
): { readonly selection: Selection<RecordOf<K>>; readonly bar: ReactNode } {
  const [selected, setSelected] = useState(NONE);
  /** From then on the bar stays: it says what became of the selected. */
  const [isUsed, setUsed] = useState(false);
  const onChange = (ids: ReadonlySet<string>): void => {
    setUsed(true);
    setSelected(ids);
  };
  const { idOf, nameOf } = KINDS[kind];
  // Records that were deleted meanwhile are no longer selected.
  const chosen = useMemo(
    () =>
      items
        .filter((item) => selected.has(idOf(item)))
        .map((item) => ({ id: idOf(item), name: nameOf(item) || idOf(item) })),
    [items, selected, idOf, nameOf],
  );
  return {
    selection: { selected, onChange, nameOf: (row) => nameOf(row) || idOf(row) },
    bar: isUsed && (
      <Suspense fallback={null}>
        <BulkBar kind={kind} selected={chosen} onSelect={setSelected} />
      </Suspense>
    ),
  };
}
