// The SQL for the one row that says which installation the database belongs to.
import { integer, text } from './columns.ts';
import type { Operation } from './operation.ts';

export const getInstallation: Operation<'getInstallation'> = async (tx) => {
  const [row] = await tx.all('SELECT id, created_at FROM installation WHERE one = 1');
  return row ? { id: text(row['id']), createdAtMs: integer(row['created_at']) } : null;
};

export const makeInstallation: Operation<'makeInstallation'> = async (tx, installation) => {
  await tx.run('INSERT INTO installation (one, id, created_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [
    installation.id,
    installation.createdAtMs,
  ]);
  return (await getInstallation(tx, undefined)) ?? installation;
};
