// The SQL for leases.
import type { Lease } from '../ports/leases.ts';
import { text } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlValue } from './tx.ts';

const SECOND_MS = 1000;
const valuesOf = ({ name, node, seconds }: Lease): SqlValue[] => [
  name,
  node,
  Math.round(seconds * SECOND_MS),
];

export const takeLease: Operation<'takeLease'> = async (tx, lease) => {
  const rows = await tx.all(
    `INSERT INTO leases (name, node, until_at) VALUES ($1, $2, ${tx.nowMs} + $3)
     ON CONFLICT (name) DO UPDATE SET node = excluded.node, until_at = excluded.until_at
     WHERE leases.node = excluded.node OR leases.until_at < ${tx.nowMs}
     RETURNING node`,
    valuesOf(lease),
  );
  return { taken: rows.length > 0 };
};

export const renewLease: Operation<'renewLease'> = async (tx, lease) => {
  const changed = await tx.run(
    `UPDATE leases SET until_at = ${tx.nowMs} + $3 WHERE name = $1 AND node = $2 AND until_at >= ${tx.nowMs}`,
    valuesOf(lease),
  );
  return { renewed: changed > 0 };
};

export const releaseLease: Operation<'releaseLease'> = async (tx, { name, node }) => {
  await tx.run('DELETE FROM leases WHERE name = $1 AND node = $2', [name, node]);
};

export const releaseLeases: Operation<'releaseLeases'> = async (tx, { node }) => {
  await tx.run('DELETE FROM leases WHERE node = $1', [node]);
};

export const forgetLeases: Operation<'forgetLeases'> = async (tx, { expiredMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM leases WHERE name IN (SELECT name FROM leases WHERE until_at < ${tx.nowMs} - $1 LIMIT $2)`,
    [expiredMs, limit],
  );
  return { forgotten };
};

export const leaseOwner: Operation<'leaseOwner'> = async (tx, { name }) => {
  const [row] = await tx.all(`SELECT node FROM leases WHERE name = $1 AND until_at >= ${tx.nowMs}`, [name]);
  return row ? { node: text(row['node']) } : null;
};
