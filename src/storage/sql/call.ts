// The SQL for call records and the counts of answered calls. A call's record is written once and never changed.
import type { OutboxJob } from '../../domain/outbox-job.ts';
import type { CallPlace, CallRow, CallSummary, Topic } from '../storage.ts';
import { addJobs } from './outbox.ts';
import { raise } from './revision.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  started_at: 'bigint',
  ended_at: 'bigint',
  direction: 'text',
  caller: 'text',
  dialled: 'text',
  entry: 'text',
  end_code: 'text',
  cause: 'bigint',
  answered_by: 'text',
  ring_ms: 'bigint',
  talk_ms: 'bigint',
  json: 'text',
} as const;
const COUNT_COLUMNS = { account_id: 'text', eid: 'text', calls: 'bigint' } as const;
const SUMMARY = Object.keys(COLUMNS)
  .filter((column) => column !== 'json')
  .join(', ');

/** Some of it was sent by strangers, and PostgreSQL does not take NUL: one odd call must not hold up its batch. */
const clean = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

function valuesOf(call: CallRow): SqlValue[] {
  return [
    call.accountId,
    call.id,
    Math.round(call.startedAtMs),
    Math.round(call.endedAtMs),
    call.direction,
    call.caller === null ? null : clean(call.caller),
    clean(call.dialled),
    call.entry,
    call.endCode,
    call.cause,
    call.answeredBy,
    Math.round(call.ringMs),
    Math.round(call.talkMs),
    clean(call.json),
  ];
}

/** A handful of statements, however many calls. */
export async function saveCalls(
  tx: Tx,
  { calls, jobs = [] }: { calls: readonly CallRow[]; jobs?: readonly OutboxJob[] },
): Promise<void> {
  if (jobs.length > 0) await addJobs(tx, { jobs });
  if (calls.length === 0) return;
  // Only the rows that this statement made are counted: a call that is sent again comes back from it no more.
  const made = await tx.insert(
    'calls',
    COLUMNS,
    calls.map(valuesOf),
    'ON CONFLICT DO NOTHING RETURNING account_id, answered_by',
  );
  const counts = countsOf(made);
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
function countsOf(made: readonly SqlRow[]): (readonly [string, string, number])[] {
  const counts = new Map<string, [string, string, number]>();
  for (const { account_id: accountId, answered_by: eid } of made) {
    if (eid === null || eid === undefined) continue;
    const place = JSON.stringify([accountId, eid]);
    const count = counts.get(place);
    if (count) count[2] += 1;
    else counts.set(place, [String(accountId), String(eid), 1]);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

export async function getCall(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
): Promise<CallRow | null> {
  const [row] = await tx.all(`SELECT ${SUMMARY}, json FROM calls WHERE account_id = $1 AND id = $2`, [
    accountId,
    id,
  ]);
  return row ? { ...toSummary(row), json: String(row['json']) } : null;
}

export async function listCalls(
  tx: Tx,
  { accountId, before, limit }: { accountId: string; before?: CallPlace; limit: number },
): Promise<CallSummary[]> {
  const rows = await tx.all(
    `SELECT ${SUMMARY} FROM calls WHERE account_id = $1 AND (started_at, id) < ($2, $3)
     ORDER BY started_at DESC, id DESC LIMIT $4`,
    [accountId, before?.startedAtMs ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', limit],
  );
  return rows.map(toSummary);
}

export async function answeredCounts(tx: Tx, accountId: string): Promise<Map<string, number>> {
  const rows = await tx.all('SELECT eid, calls FROM answered_calls WHERE account_id = $1', [accountId]);
  return new Map(rows.map((row) => [String(row['eid']), Number(row['calls'])]));
}

function toSummary(row: SqlRow): CallSummary {
  const text = (column: string): string | null => {
    const value = row[column];
    return value === null || value === undefined ? null : String(value);
  };
  return {
    accountId: String(row['account_id']),
    id: String(row['id']),
    startedAtMs: Number(row['started_at']),
    endedAtMs: Number(row['ended_at']),
    direction: row['direction'] as CallSummary['direction'],
    caller: text('caller'),
    dialled: String(row['dialled']),
    entry: String(row['entry']),
    endCode: String(row['end_code']),
    cause: Number(row['cause']),
    answeredBy: text('answered_by'),
    ringMs: Number(row['ring_ms']),
    talkMs: Number(row['talk_ms']),
  };
}
