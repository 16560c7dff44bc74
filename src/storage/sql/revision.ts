// A revision rises in the same transaction as what it stands for. A cache is valid as long as its topic's revision is
// the same: that holds across threads, processes and nodes, and costs one small read.
import { DIRECTORY_KINDS, type RecordKind } from '../../kinds/lists.ts';
import type { RecordAddress } from '../ports/records.ts';
import type { Topic } from '../ports/revisions.ts';
import { integer, text, word } from './columns.ts';
import type { Operation } from './operation.ts';
import type { Tx } from './tx.ts';

const directoryKinds: ReadonlySet<RecordKind> = new Set(DIRECTORY_KINDS);

/** Changes that caches catch up with one by one are those of so many revisions; of others they read everything. */
const KEPT = 1000;
/** Older changes are deleted with every so-many-th. */
const PRUNE_EVERY = 64;
const CHANGE_COLUMNS = { account_id: 'text', revision: 'bigint', kind: 'text', id: 'text' } as const;
const RAISE =
  'INSERT INTO revisions (topic, revision) VALUES ($1, 1) ON CONFLICT (topic) DO UPDATE SET revision = revisions.revision + 1';

export async function raise(tx: Tx, topic: Topic): Promise<void> {
  await tx.run(RAISE, [topic]);
}

/** Once per topic, however many records changed. */
export async function raiseRecords(tx: Tx, changed: readonly RecordAddress[]): Promise<void> {
  const topics = new Set<Topic>();
  const accounts = new Set<string>();
  for (const { accountId, kind } of changed) {
    accounts.add(accountId);
    if (directoryKinds.has(kind)) topics.add(`directory:${accountId}`);
  }
  // Sorted, so that two nodes lock the rows in the same order.
  for (const topic of [...topics].sort()) await raise(tx, topic);
  for (const accountId of [...accounts].sort())
    await raiseAccount(
      tx,
      accountId,
      changed.filter((each) => each.accountId === accountId),
    );
}

/** The row of the revision is locked until the commit: changes become visible in the order of their revisions. */
async function raiseAccount(tx: Tx, accountId: string, changed: readonly RecordAddress[]): Promise<void> {
  const [row] = await tx.all(`${RAISE} RETURNING revision`, [`records:${accountId}`]);
  const revision = integer(row?.['revision']);
  const rows = changed.map(({ kind, id }) => [accountId, revision, kind, id]);
  await tx.insert('record_changes', CHANGE_COLUMNS, rows);
  if (revision % PRUNE_EVERY === 0)
    await tx.run('DELETE FROM record_changes WHERE account_id = $1 AND revision <= $2', [
      accountId,
      revision - KEPT,
    ]);
}

export const recordChanges: Operation<'recordChanges'> = async (tx, { accountId, since, limit }) => {
  // One statement: revision and changes are of one moment.
  const rows = await tx.all(
    `SELECT revisions.revision AS now, changes.revision AS revision, changes.kind AS kind, changes.id AS id
     FROM revisions LEFT JOIN record_changes AS changes ON changes.account_id = $1 AND changes.revision > $2
     WHERE revisions.topic = $3 ORDER BY changes.revision LIMIT $4`,
    [accountId, since, `records:${accountId}`, limit + 1],
  );
  const now = integer(rows[0]?.['now'] ?? 0);
  const changes = rows.filter((row) => row['id'] !== null);
  const noted = new Set(changes.map((row) => integer(row['revision']))).size;
  // A former version of the program raises revisions without noting what changed.
  if (rows.length > limit || noted !== now - since) return { revision: now, changes: null };
  return {
    revision: now,
    changes: changes.map((row) => ({ kind: word<RecordKind>(row['kind']), id: text(row['id']) })),
  };
};

export const revisions: Operation<'revisions'> = async (tx, topics) => {
  // Padded to a power of two with repetitions, so that a handful of prepared statements serves every count.
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, topics.length)));
  const asked = Array.from({ length: size }, (_, index) => topics[index] ?? 'access');
  const marks = asked.map((_, index) => `$${index + 1}`).join(', ');
  const rows = await tx.all(`SELECT topic, revision FROM revisions WHERE topic IN (${marks})`, asked);
  const found = new Map(rows.map((row) => [row['topic'], integer(row['revision'])]));
  return topics.map((topic) => found.get(topic) ?? 0);
};
