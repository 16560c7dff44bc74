// The SQL for writing call records: each once, with its index words and counts, all or nothing.

import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { CallRow } from '../ports/calls.ts';
import type { Topic } from '../ports/revisions.ts';
import { COLUMNS, callOf, clean, indexOf, readBack, SUMMARY, valuesOf } from './call-row.ts';
import { CallCounts, type RaisedCounts, raiseCounts } from './call-statistics.ts';
import type { Operation } from './operation.ts';
import { addJobs } from './outbox.ts';
import { raise } from './revision.ts';
import type { RowGroup, SqlValue, Tx } from './tx.ts';

const WORD_COLUMNS = { account_id: 'text', started_at: 'bigint', id: 'text', word: 'text' } as const;
const ANSWERED_COLUMNS = { account_id: 'text', eid: 'text', calls: 'bigint' } as const;
const KEY = ['account_id', 'id'] as const;

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
  const fresh = made.includes(false)
    ? batchOf({ calls: rows.filter((_, at) => made[at]).map(callOf) })
    : batch;
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
  return new Map(rows.map((row) => [String(row['eid']), Number(row['calls'])]));
};
