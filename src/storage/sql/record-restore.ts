// The SQL that brings a deleted record back: under its former id, as its next version, with its unique keys taken again.
import type { RestoreResult } from '../ports/deleted-records.ts';
import { writeAudit } from './audit.ts';
import { getDeleted } from './deleted-record.ts';
import { takeKeys } from './key.ts';
import type { Operation } from './operation.ts';
import { RECORD_COLUMNS, takenNetwork, tooMany } from './record.ts';
import { raiseRecords } from './revision.ts';
import { RollBack } from './tx.ts';

export const restoreDeleted: Operation<'restoreDeleted'> = async (tx, input) => {
  const { accountId, atMs, by, keys = [], most } = input;
  const row = await getDeleted(tx, input);
  // When two requests come at once, one of them deletes no row.
  const found =
    row !== null &&
    (await tx.run('DELETE FROM deleted_records WHERE account_id = $1 AND id = $2', [accountId, input.id])) >
      0;
  if (!found) return { outcome: 'unknown' };
  const { kind, recordId: id, json } = row;
  const address = { accountId, kind, id };
  const refuse = (result: RestoreResult): never => {
    throw new RollBack<RestoreResult>(result);
  };
  const taken = await takeKeys(tx, address, keys);
  if (taken) refuse(taken);
  const network = await takenNetwork(tx, input);
  if (network !== null) refuse({ outcome: 'network_taken', network });
  const version = row.version + 1;
  const inserted = await tx.insert(
    'records',
    RECORD_COLUMNS,
    [[accountId, kind, id, version, row.createdAtMs, atMs, json]],
    'ON CONFLICT DO NOTHING RETURNING id',
  );
  if (inserted.length === 0) refuse({ outcome: 'key_taken', key: { name: 'id', value: id } });
  await writeAudit(tx, [{ ...address, json, ...(by ? { by } : {}) }], 'restore', version);
  await raiseRecords(tx, [address]);
  if (await tooMany(tx, { ...address, most })) refuse({ outcome: 'too_many' });
  return { outcome: 'restored', version };
};
