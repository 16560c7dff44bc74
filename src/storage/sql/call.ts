// The SQL for writing call records: each once, with its index words and counts, all or nothing.

import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { CallRow, FoundCall } from '../ports/calls.ts';
import type { Topic } from '../ports/revisions.ts';
import { wordsUnder } from './call-retention.ts';
import { COLUMNS, callOf, clean, indexOf, readBack, SUMMARY, valuesOf } from './call-row.ts';
import { CallCounts, type RaisedCounts, raiseCounts } from './call-statistics.ts';
import { integer, text } from './columns.ts';
import type { Operation } from './operation.ts';
import { addJobs } from './outbox.ts';
import { raise } from './revision.ts';
import type { RowGroup, SqlValue, Tx } from './tx.ts';

const WORD_COLUMNS = { account_id: 'text', started_at: 'bigint', id: 'text', word: 'text' } as const;
const ANSWERED_COLUMNS = { account_id: 'text', eid: 'text', calls: 'bigint' } as const;
const KEY = ['account_id', 'id'] as const;
/** The end of a call whose process was killed: the one that another record may replace. */
const INTERRUPTED = 'interrupted';

/** Calls in the shape of the tables: less to send to SQLite's thread, and less to do there. */
export interface CallBatch {
  readonly rows: readonly (readonly SqlValue[])[];
  readonly words: readonly RowGroup[];
  readonly counts: RaisedCounts;
  readonly answered: readonly (readonly [accountId: string, eid: string, calls: number])[];
  readonly jobs: readonly OutboxJob[];
}

export interface SavedCalls {
  readonly calls: readonly CallRow[];
  readonly jobs?: readonly OutboxJob[];
}

export function batchOf({ calls, jobs = [] }: SavedCalls): CallBatch {
  const rows: SqlValue[][] = [];
  const words: RowGroup[] = [];
  const counts = new CallCounts();
  for (const call of calls) {
    const index = indexOf(call);
    rows.push(valuesOf(call, index));
    words.push({
      shared: [call.accountId, Math.round(call.startedAtMs), call.id],
      each: index.words.map(clean),
    });
    counts.add(call, index.counts);
  }
  return { rows, words, counts: counts.raised(), answered: answeredBy(calls), jobs };
}

/** A handful of statements, however many calls. */
export async function saveCalls(tx: Tx, batch: CallBatch): Promise<void> {
  const { rows, jobs } = batch;
  if (jobs.length > 0) await addJobs(tx, { jobs });
  if (rows.length === 0) return;
  const made = await tx.insertNew('calls', COLUMNS, KEY, rows);
  // Only inserted rows are counted, not calls that are sent again.
  await addToIndexes(
    tx,
    made.includes(false) ? batchOf({ calls: rows.map(callOf).filter((_, at) => made[at]) }) : batch,
  );
  // After it: a true record may follow its `interrupted` in the same batch.
  if (made.includes(false)) await replaceInterrupted(tx, rows.filter((_, at) => !made[at]).map(callOf));
}

export const saveInterrupted: Operation<'saveInterrupted'> = async (tx, { calls }) => {
  const batch = batchOf({ calls: calls.map(({ call }) => call) });
  const made = await tx.insertNew('calls', COLUMNS, KEY, batch.rows);
  const saved = calls.filter((_, at) => made[at]);
  await addToIndexes(tx, batchOf({ calls: saved.map(({ call }) => call) }));
  const jobs = saved.flatMap((each) => each.jobs);
  if (jobs.length > 0) await addJobs(tx, { jobs });
  return { ids: saved.map(({ call }) => call.id) };
};

/** Few calls, if any: one by one. */
async function replaceInterrupted(tx: Tx, calls: readonly CallRow[]): Promise<void> {
  for (const call of calls) {
    if (call.endCode === INTERRUPTED) continue;
    // Changes nothing: it locks the row and returns it.
    const [stored] = await tx.all(
      `UPDATE calls SET end_code = end_code WHERE account_id = $1 AND id = $2 AND end_code = '${INTERRUPTED}'
       RETURNING ${SUMMARY}, json`,
      [call.accountId, call.id],
    );
    if (!stored) continue;
    await removeFromIndexes(tx, readBack(stored));
    await tx.run('DELETE FROM calls WHERE account_id = $1 AND id = $2', [call.accountId, call.id]);
    const batch = batchOf({ calls: [call] });
    await tx.insertNew('calls', COLUMNS, KEY, batch.rows);
    await addToIndexes(tx, batch);
  }
}

async function removeFromIndexes(tx: Tx, call: CallRow & FoundCall): Promise<void> {
  for (const word of wordsUnder(call))
    await tx.run(
      'DELETE FROM call_words WHERE account_id = $1 AND word = $2 AND started_at = $3 AND id = $4',
      [call.accountId, clean(word), call.startedAtMs, call.id],
    );
  const counts = new CallCounts();
  counts.add(
    call,
    indexOf(call).counts.map((count) => ({ ...count, value: -count.value })),
  );
  await raiseCounts(tx, counts.raised());
  await raiseAnswered(
    tx,
    answeredBy([call]).map(([accountId, eid, calls]) => [accountId, eid, -calls]),
  );
}

async function addToIndexes(tx: Tx, fresh: CallBatch): Promise<void> {
  if (fresh.rows.length === 0) return;
  await tx.insertGroups('call_words', WORD_COLUMNS, fresh.words);
  await raiseCounts(tx, fresh.counts);
  await raiseAnswered(tx, fresh.answered);
}

async function raiseAnswered(tx: Tx, answered: CallBatch['answered']): Promise<void> {
  if (answered.length === 0) return;
  await tx.insert(
    'answered_calls',
    ANSWERED_COLUMNS,
    answered,
    'ON CONFLICT (account_id, eid) DO UPDATE SET calls = answered_calls.calls + excluded.calls',
  );
  const topics = new Set(answered.map(([accountId]): Topic => `answered:${accountId}`));
  for (const topic of topics) await raise(tx, topic);
}

/** Sorted, so that two nodes lock the rows in the same order. */
function answeredBy(calls: readonly CallRow[]): CallBatch['answered'] {
  const counts = new Map<string, [string, string, number]>();
  for (const { accountId, answeredBy: eid } of calls) {
    if (eid === null) continue;
    const key = JSON.stringify([accountId, eid]);
    const count = counts.get(key);
    if (count) count[2] += 1;
    else counts.set(key, [accountId, eid, 1]);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

export const getCall: Operation<'getCall'> = async (tx, { accountId, id }) => {
  const [row] = await tx.all(`SELECT ${SUMMARY}, json FROM calls WHERE account_id = $1 AND id = $2`, [
    accountId,
    id,
  ]);
  return row ? readBack(row) : null;
};

export const answeredCounts: Operation<'answeredCounts'> = async (tx, accountId) => {
  const rows = await tx.all('SELECT eid, calls FROM answered_calls WHERE account_id = $1', [accountId]);
  return new Map(rows.map((row) => [text(row['eid']), integer(row['calls'])]));
};
