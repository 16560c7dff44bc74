// The SQL for variables of the service that its operator has set.
import { addAudit } from './audit.ts';
import { text } from './columns.ts';
import type { Operation } from './operation.ts';

export const listVariables: Operation<'listVariables'> = async (tx) => {
  const rows = await tx.all('SELECT name, value FROM service_variables ORDER BY name');
  return rows.map((row) => ({ name: text(row['name']), value: text(row['value']) }));
};

export const changeVariables: Operation<'changeVariables'> = async (
  tx,
  { accountId, changes, atMs, before, after, by },
) => {
  // In one order for all: changes at once wait for each other, and never in a circle.
  for (const { name, value } of [...changes].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (value === null) await tx.run('DELETE FROM service_variables WHERE name = $1', [name]);
    else
      await tx.run(
        `INSERT INTO service_variables (name, value, updated_at) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
        [name, value, atMs],
      );
  }
  if (by)
    await addAudit(tx, {
      accountId,
      action: 'update',
      kind: 'configuration',
      recordId: '',
      before,
      after,
      by,
    });
};
