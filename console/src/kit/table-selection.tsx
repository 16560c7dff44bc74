// The checkboxes of a table: click, Shift and click for a range; by keyboard Space, arrows, and Shift with arrows.
import { type KeyboardEvent, useRef } from 'react';
import { useWords } from '../words/words.tsx';

export interface Selection<Row> {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  readonly nameOf: (row: Row) => string;
}

interface CommonProps<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly selection: Selection<Row>;
}

/** The rows from `from` to `to`, whichever comes first. */
export function rangeOf(keys: readonly string[], from: string | null, to: string): readonly string[] {
  const [start, end] = [keys.indexOf(from ?? to), keys.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return keys.slice(Math.min(start, end), Math.max(start, end) + 1);
}

export function SelectAll<Row>({ rows, rowKey, selection }: CommonProps<Row>) {
  const { t } = useWords();
  const { selected, onChange } = selection;
  const keys = rows.map(rowKey);
  const count = keys.filter((key) => selected.has(key)).length;
  const isAll = count > 0 && count === keys.length;
  return (
    <th role="columnheader" scope="col" className="table-select">
      <input
        type="checkbox"
        aria-label={t('bulk.selectAll', { count: keys.length })}
        checked={isAll}
        ref={(element) => {
          if (element) element.indeterminate = count > 0 && !isAll;
        }}
        onChange={() => onChange(new Set(isAll ? [] : keys))}
      />
    </th>
  );
}

/** The row that was selected last, of the table on the page. */
let anchor: string | null = null;

export function SelectRow<Row>({ row, rows, rowKey, selection }: CommonProps<Row> & { readonly row: Row }) {
  const { t } = useWords();
  const { selected, onChange, nameOf } = selection;
  const isRange = useRef(false);
  const key = rowKey(row);
  const set = (keys: readonly string[], on: boolean): void => {
    const next = new Set(selected);
    for (const each of keys) {
      if (on) next.add(each);
      else next.delete(each);
    }
    onChange(next);
  };
  const toggle = (on: boolean): void => {
    set(isRange.current ? rangeOf(rows.map(rowKey), anchor, key) : [key], on);
    anchor = key;
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const cell = event.currentTarget.closest('tr');
    const next = event.key === 'ArrowDown' ? cell?.nextElementSibling : cell?.previousElementSibling;
    next?.querySelector<HTMLElement>('.table-select input')?.focus();
    const other = rows[rows.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (event.shiftKey && other) set([key, rowKey(other)], true);
  };
  return (
    <td role="cell" className="table-select">
      <input
        type="checkbox"
        aria-label={t('bulk.select', { name: nameOf(row) })}
        checked={selected.has(key)}
        onClick={({ shiftKey }) => {
          isRange.current = shiftKey;
        }}
        onKeyDown={onKey}
        onChange={({ target }) => toggle(target.checked)}
      />
    </td>
  );
}
