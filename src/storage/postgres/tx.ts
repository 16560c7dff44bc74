// Tx over one PostgreSQL connection. Statements are prepared once per connection, named by their text.
import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Columns, SqlRow, SqlValue, Tx } from '../sql/tx.ts';

const names = new Map<string, string>();

/**
 * The name of the prepared statement with this text, the same in every process: behind a connection pooler another node may have
 * prepared it, and one name must never stand for two texts.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `dialtree_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return name;
}

export function overClient(client: ClientBase): Tx {
  const query = (text: string, values: readonly unknown[] = []) =>
    client.query<SqlRow>({ name: statementName(text), text, values: [...values] });
  const insert = async (
    table: string,
    columns: Columns,
    rows: readonly (readonly SqlValue[])[],
    suffix = '',
  ) => {
    const columnNames = Object.keys(columns);
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
    const text = `INSERT INTO ${table} (${columnNames.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')}) ${suffix}`;
    const values = columnNames.map((_, index) => rows.map((row): SqlValue => row[index] ?? null));
    return (await query(text, values)).rows;
  };
  return {
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    nowMs: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    all: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    insert,
    insertNew: async (table, columns, key, rows) => {
      const made = await insert(table, columns, rows, `ON CONFLICT DO NOTHING RETURNING ${key.join(', ')}`);
      const left = new Set(made.map((row) => JSON.stringify(key.map((name) => row[name]))));
      const keyIndexes = key.map((name) => Object.keys(columns).indexOf(name));
      // When two rows have the same key, the first was inserted.
      return rows.map((row) => left.delete(JSON.stringify(keyIndexes.map((index) => row[index]))));
    },
    insertGroups: async (table, columns, groups) => {
      const rows = groups.flatMap(({ shared, each }) => each.map((value) => [...shared, value]));
      await insert(table, columns, rows, 'ON CONFLICT DO NOTHING');
    },
  };
}
