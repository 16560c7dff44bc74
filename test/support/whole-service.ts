// Everything that a backup must keep: the rows of every table, and the files of a data folder.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresSnapshot } from '../../src/storage/postgres/snapshot.ts';
import { sqliteSnapshot } from '../../src/storage/sqlite/snapshot.ts';

export type Tables = Record<string, string[]>;

/** Rows as text, sorted: the order of rows says nothing. Without steps of the schema, which have the time of their run. */
export async function allRows({ DATA_DIR = '', DATABASE_URL: url }: Record<string, string>): Promise<Tables> {
  const snapshot = url === undefined ? await sqliteSnapshot(DATA_DIR) : await postgresSnapshot(url);
  try {
    const tables: Tables = {};
    for (const [table, columns] of snapshot.tables) {
      const names = Object.keys(columns);
      const rows: string[] = [];
      for await (const batch of snapshot.rows(table))
        for (const row of batch)
          rows.push(JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at]]))));
      tables[table] = rows.toSorted();
    }
    return tables;
  } finally {
    await snapshot.close();
  }
}

/** SHA-256 of each file that is part of the service, by name. */
export function allFiles(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
    .filter((name) =>
      /^(?:recordings|captures)\/.*\.wav$|^(?:secret\.key|installation|access-token)$/.test(name),
    );
  return Object.fromEntries(
    names.toSorted().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dataDir, name)))
        .digest('hex'),
    ]),
  );
}
