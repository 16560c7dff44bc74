// A revision rises in the same transaction as what it stands for. A cache is valid as long as its topic's revision is
// the same: that holds across threads, processes and nodes, and costs one small read.
import { DIRECTORY_KINDS, type RecordKind } from '../../domain/kinds.ts';
import type { Topic } from '../ports/revisions.ts';
import type { Operation } from './operation.ts';
import type { Tx } from './tx.ts';

const directoryKinds: ReadonlySet<RecordKind> = new Set(DIRECTORY_KINDS);

export async function raise(tx: Tx, topic: Topic): Promise<void> {
  await tx.run(
    'INSERT INTO revisions (topic, revision) VALUES ($1, 1) ON CONFLICT (topic) DO UPDATE SET revision = revisions.revision + 1',
    [topic],
  );
}

/** Once per topic, however many records changed. */
export async function raiseRecords(
  tx: Tx,
  changed: readonly { readonly accountId: string; readonly kind: RecordKind }[],
): Promise<void> {
  const topics = new Set<Topic>();
  for (const { accountId, kind } of changed) {
    topics.add(`records:${accountId}`);
    if (directoryKinds.has(kind)) topics.add(`directory:${accountId}`);
  }
  // Sorted, so that two nodes lock the rows in the same order.
  for (const topic of [...topics].sort()) await raise(tx, topic);
}

export const revisions: Operation<'revisions'> = async (tx, topics) => {
  // Padded to a power of two with repetitions, so that a handful of prepared statements serves every count.
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, topics.length)));
  const asked = Array.from({ length: size }, (_, index) => topics[index] ?? 'access');
  const marks = asked.map((_, index) => `$${index + 1}`).join(', ');
  const rows = await tx.all(`SELECT topic, revision FROM revisions WHERE topic IN (${marks})`, asked);
  const found = new Map(rows.map((row) => [row['topic'], Number(row['revision'])]));
  return topics.map((topic) => found.get(topic) ?? 0);
};
