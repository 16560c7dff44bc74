// The Tx over one PostgreSQL connection. Statements are prepared once per connection, by a name for each text.
import type { PoolClient } from 'pg';
import type { SqlRow, SqlValue, Tx } from '../sql/tx.ts';

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `dialtree_${names.size}`;
    names.set(text, name);
  }
  return name;
}

export function overClient(client: PoolClient): Tx {
  const query = (text: string, values: readonly unknown[] = []) =>
    client.query<SqlRow>({ name: nameOf(text), text, values: [...values] });
  return {
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    all: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    insert: async (table, columns, rows, suffix = '') => {
      const columnNames = Object.keys(columns);
      const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
      const text = `INSERT INTO ${table} (${columnNames.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')}) ${suffix}`;
      const values = columnNames.map((_, index) => rows.map((row): SqlValue => row[index] ?? null));
      return (await query(text, values)).rows;
    },
  };
}
