// Rows whose JSON holds counts, raised by many calls at once. The first statement makes the rows or locks them as they are, the
// second writes the sums: two nodes that count the same hour do so one after the other.
import type { Columns, SqlRow, SqlValue, Tx } from './tx.ts';

/** By measure; several values where the row is divided. */
export type Counts = Readonly<Record<string, readonly number[]>>;

export const readCounts = (row: SqlRow): Counts => JSON.parse(String(row['counts'])) as Counts;

interface Raised {
  readonly key: readonly SqlValue[];
  readonly counts: Map<string, number[]>;
}

export class CountRows {
  readonly #table: string;
  readonly #key: Columns;
  readonly #width: number;
  readonly #raised = new Map<string, Raised>();

  constructor(table: string, key: Columns, width: number) {
    this.#table = table;
    this.#key = key;
    this.#width = width;
  }

  add(key: readonly SqlValue[], measure: string, at: number, value: number): void {
    const place = key.join('\n');
    let row = this.#raised.get(place);
    if (!row) {
      row = { key, counts: new Map() };
      this.#raised.set(place, row);
    }
    let values = row.counts.get(measure);
    if (!values) {
      values = Array.from({ length: this.#width }, () => 0);
      row.counts.set(measure, values);
    }
    values[at] = (values[at] ?? 0) + value;
  }

  async write(tx: Tx): Promise<void> {
    if (this.#raised.size === 0) return;
    // Sorted, so that two nodes lock the rows in the same order.
    const rows = [...this.#raised].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    const names = Object.keys(this.#key);
    const columns: Columns = { ...this.#key, counts: 'text' };
    const conflict = `ON CONFLICT (${names.join(', ')}) DO UPDATE SET counts =`;
    const held = await tx.insert(
      this.#table,
      columns,
      rows.map(({ key }) => [...key, '{}']),
      `${conflict} ${this.#table}.counts RETURNING ${names.join(', ')}, counts`,
    );
    const before = new Map(held.map((row) => [names.map((name) => row[name]).join('\n'), readCounts(row)]));
    await tx.insert(
      this.#table,
      columns,
      rows.map(({ key, counts }) => [...key, JSON.stringify(sum(before.get(key.join('\n')) ?? {}, counts))]),
      `${conflict} excluded.counts`,
    );
  }
}

function sum(before: Counts, raised: ReadonlyMap<string, readonly number[]>): Counts {
  const after: Record<string, readonly number[]> = { ...before };
  for (const [measure, values] of raised) {
    const held = before[measure];
    after[measure] = held ? values.map((value, index) => value + (held[index] ?? 0)) : values;
  }
  return after;
}
