// Each migration and its row in the ledger are one transaction: a process killed in the middle leaves neither.
// BEGIN IMMEDIATE takes the file's write lock, so several processes that start at once run each step once.
import { LEDGER, MIGRATIONS } from '../migrations/migrations.ts';
import type { Connection } from './connection.ts';

export async function migrate({ tx, execute }: Connection): Promise<void> {
  execute(LEDGER);
  for (const { version, name, sql } of MIGRATIONS) {
    if ((await tx.all('SELECT version FROM migrations WHERE version = $1', [version])).length > 0) continue;
    execute('BEGIN IMMEDIATE');
    const recorded = await tx.run(
      'INSERT INTO migrations (version, name, applied_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [version, name, Date.now()],
    );
    if (recorded > 0) execute(sql);
    execute('COMMIT');
  }
}
