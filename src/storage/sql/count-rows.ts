// Rows whose JSON holds counts, raised by many calls at once. The first statement inserts the rows or locks them, the second
// writes the sums: nodes that count the same hour are serialized.
import { json } from './columns.ts';
import type { Columns, SqlRow, SqlValue, Tx } from './tx.ts';

/** By measure; several values where the row is divided. */
export type Counts = Readonly<Record<string, readonly number[]>>;

export const readCounts = (row: SqlRow): Counts => json<Counts>(row['counts']);

export interface RaisedRow {
  readonly key: readonly SqlValue[];
  readonly counts: Counts;
}

export interface RaisedSum extends RaisedRow {
  readonly counts: Record<string, number[]>;
}

export function raise({ counts }: RaisedSum, measure: string, values: number, at: number, by: number): void {
  let held = counts[measure];
  if (!held) {
    held = Array.from({ length: values }, () => 0);
    counts[measure] = held;
  }
  held[at] = (held[at] ?? 0) + by;
}

export class CountSums {
  readonly #rows = new Map<string, RaisedSum>();

  row(key: readonly SqlValue[]): RaisedSum {
    const joined = key.join('\n');
    let row = this.#rows.get(joined);
    if (!row) {
      row = { key, counts: {} };
      this.#rows.set(joined, row);
    }
    return row;
  }

  /** Sorted, so that two nodes lock the rows in the same order. */
  rows(): RaisedRow[] {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }
}

export async function raiseRows(
  tx: Tx,
  table: string,
  key: Columns,
  rows: readonly RaisedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(key);
  const columns: Columns = { ...key, counts: 'text' };
  const conflict = `ON CONFLICT (${names.join(', ')}) DO UPDATE SET counts =`;
  const held = await tx.insert(
    table,
    columns,
    rows.map((row) => [...row.key, '{}']),
    `${conflict} ${table}.counts RETURNING ${names.join(', ')}, counts`,
  );
  const before = new Map(held.map((row) => [names.map((name) => row[name]).join('\n'), readCounts(row)]));
  await tx.insert(
    table,
    columns,
    rows.map((row) => [...row.key, JSON.stringify(sum(before.get(row.key.join('\n')) ?? {}, row.counts))]),
    `${conflict} excluded.counts`,
  );
}

function sum(before: Counts, raised: Counts): Counts {
  const after: Record<string, readonly number[]> = { ...before };
  for (const [measure, values] of Object.entries(raised)) {
    const held = before[measure];
    after[measure] = held ? values.map((value, index) => value + (held[index] ?? 0)) : values;
  }
  return after;
}
