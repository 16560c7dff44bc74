// The SQL for writing call records: each once, with the words it is found by and what it counts for, all of it or nothing.

import type { OutboxJob } from '../../domain/outbox-job.ts';
import { wordsOf } from '../../domain/past-call.ts';
import type { CallRow, FoundCall, Topic } from '../storage.ts';
import { COLUMNS, clean, type ReadCall, readCall, SUMMARY, toFound, valuesOf } from './call-row.ts';
import { raiseCounts } from './call-statistics.ts';
import { addJobs } from './outbox.ts';
import { raise } from './revision.ts';
import type { SqlRow, Tx } from './tx.ts';

const WORD_COLUMNS = { account_id: 'text', word: 'text', started_at: 'bigint', id: 'text' } as const;
const COUNT_COLUMNS = { account_id: 'text', eid: 'text', calls: 'bigint' } as const;

/** A handful of statements, however many calls. */
export async function saveCalls(
  tx: Tx,
  { calls, jobs = [] }: { calls: readonly CallRow[]; jobs?: readonly OutboxJob[] },
): Promise<void> {
  if (jobs.length > 0) await addJobs(tx, { jobs });
  if (calls.length === 0) return;
  const read = calls.map(readCall);
  // Only the rows that this statement made are counted: a call that is sent again comes back from it no more.
  const made = await tx.insert(
    'calls',
    COLUMNS,
    read.map(valuesOf),
    'ON CONFLICT DO NOTHING RETURNING account_id, id',
  );
  if (made.length === 0) return;
  const fresh = amongThese(read, made);
  await tx.insert('call_words', WORD_COLUMNS, fresh.flatMap(wordRows), 'ON CONFLICT DO NOTHING');
  await raiseCounts(tx, fresh);
  await raiseAnswered(tx, fresh);
}

/** Of two with the same id the first was stored. */
function amongThese(read: readonly ReadCall[], made: readonly SqlRow[]): ReadCall[] {
  const left = new Set(made.map((row) => JSON.stringify([row['account_id'], row['id']])));
  return read.filter(({ row }) => left.delete(JSON.stringify([row.accountId, row.id])));
}

function wordRows({ row, past }: ReadCall): [string, string, number, string][] {
  const startedAtMs = Math.round(row.startedAtMs);
  return wordsOf(past).map((word) => [row.accountId, clean(word), startedAtMs, row.id]);
}

async function raiseAnswered(tx: Tx, calls: readonly ReadCall[]): Promise<void> {
  const counts = countsOf(calls);
  if (counts.length === 0) return;
  await tx.insert(
    'answered_calls',
    COUNT_COLUMNS,
    counts,
    'ON CONFLICT (account_id, eid) DO UPDATE SET calls = answered_calls.calls + excluded.calls',
  );
  const topics = new Set(counts.map(([accountId]): Topic => `answered:${accountId}`));
  for (const topic of topics) await raise(tx, topic);
}

/** Sorted, so that two nodes lock the rows in the same order. */
function countsOf(calls: readonly ReadCall[]): (readonly [string, string, number])[] {
  const counts = new Map<string, [string, string, number]>();
  for (const { accountId, answeredBy: eid } of calls.map(({ row }) => row)) {
    if (eid === null) continue;
    const place = JSON.stringify([accountId, eid]);
    const count = counts.get(place);
    if (count) count[2] += 1;
    else counts.set(place, [accountId, eid, 1]);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

export async function getCall(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
): Promise<(CallRow & FoundCall) | null> {
  const [row] = await tx.all(`SELECT ${SUMMARY}, json FROM calls WHERE account_id = $1 AND id = $2`, [
    accountId,
    id,
  ]);
  return row ? { ...toFound(row), json: String(row['json']) } : null;
}

export async function answeredCounts(tx: Tx, accountId: string): Promise<Map<string, number>> {
  const rows = await tx.all('SELECT eid, calls FROM answered_calls WHERE account_id = $1', [accountId]);
  return new Map(rows.map((row) => [String(row['eid']), Number(row['calls'])]));
}
