// The SQL of the outbox. A claimed job stays `waiting` but is due only when its lease ends, so an expired lease needs no
// clean-up. The number of waiting jobs is kept in a row of its own, in the same transaction.
import {
  type ClaimedJob,
  type JobResult,
  type JobState,
  type Lane,
  MAX_WAITING_JOBS,
  type OutboxJob,
  type StoredJob,
} from '../../domain/outbox-job.ts';
import { integer, integerOrNull, text, textOrNull, word } from './columns.ts';
import type { Operation } from './operation.ts';
import { readPage } from './page.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  lane: 'text',
  order_key: 'text',
  subject: 'text',
  state: 'text',
  attempts: 'bigint',
  due_at: 'bigint',
  created_at: 'bigint',
  queued_at: 'bigint',
  json: 'text',
} as const;
const COUNT_COLUMNS = { account_id: 'text', lane: 'text', waiting: 'bigint', dead: 'bigint' } as const;
const CLAIMED =
  'account_id, id, lane, order_key, subject, attempts, failures, due_at, created_at, queued_at, json';
const STORED = `${CLAIMED}, state, settled_at, error`;
const WITHOUT_JSON = STORED.replace(' json,', '');
/** Error texts come from other systems. */
const MAX_ERROR = 500;

const clean = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

type Change = readonly [accountId: string, lane: Lane, waiting: number, dead: number];

/** Sorted, so that two nodes lock the rows in the same order. */
async function count(tx: Tx, changes: readonly Change[]): Promise<void> {
  const sums = new Map<string, [string, Lane, number, number]>();
  for (const [accountId, lane, waiting, dead] of changes) {
    const key = JSON.stringify([accountId, lane]);
    const sum = sums.get(key);
    if (sum) {
      sum[2] += waiting;
      sum[3] += dead;
    } else sums.set(key, [accountId, lane, waiting, dead]);
  }
  if (sums.size === 0) return;
  await tx.insert(
    'outbox_counts',
    COUNT_COLUMNS,
    [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum),
    `ON CONFLICT (account_id, lane) DO UPDATE SET waiting = outbox_counts.waiting + excluded.waiting,
      dead = outbox_counts.dead + excluded.dead`,
  );
}

export const addJobs: Operation<'addJobs'> = async (tx, { jobs, mostWaiting = MAX_WAITING_JOBS }) => {
  await deleteReplaced(tx, jobs);
  const rooms = new Map<string, number>();
  const taken: OutboxJob[] = [];
  const refused: string[] = [];
  for (const job of jobs) {
    const key = JSON.stringify([job.accountId, job.lane]);
    const room = rooms.get(key) ?? mostWaiting - (await waitingOf(tx, job));
    rooms.set(key, room - 1);
    if (room > 0) taken.push(job);
    else refused.push(job.id);
  }
  if (taken.length === 0) return { refused };
  const made = await tx.insert(
    'outbox',
    COLUMNS,
    taken.map(valuesOf),
    'ON CONFLICT DO NOTHING RETURNING account_id, lane',
  );
  await count(
    tx,
    made.map((row) => [text(row['account_id']), word<Lane>(row['lane']), 1, 0]),
  );
  return { refused };
};

/** One that is being sent now may arrive all the same; its result is not stored then. */
async function deleteReplaced(tx: Tx, jobs: readonly OutboxJob[]): Promise<void> {
  const changes: Change[] = [];
  for (const { accountId, lane, id, orderKey, replaces } of jobs) {
    if (replaces === undefined) continue;
    const deleted = await tx.run(
      `DELETE FROM outbox WHERE lane = $1 AND account_id = $2 AND state = 'waiting'
         AND ${replaces === 'id' ? 'id = $3' : "order_key = $3 AND order_key <> ''"}`,
      [lane, accountId, replaces === 'id' ? id : clean(orderKey)],
    );
    if (deleted > 0) changes.push([accountId, lane, -deleted, 0]);
  }
  await count(tx, changes);
}

async function waitingOf(tx: Tx, { accountId, lane }: OutboxJob): Promise<number> {
  const [row] = await tx.all('SELECT waiting FROM outbox_counts WHERE account_id = $1 AND lane = $2', [
    accountId,
    lane,
  ]);
  return integer(row?.['waiting'] ?? 0);
}

function valuesOf(job: OutboxJob): SqlValue[] {
  const createdAtMs = Math.round(job.createdAtMs);
  return [
    job.accountId,
    job.id,
    job.lane,
    clean(job.orderKey),
    clean(job.subject ?? ''),
    'waiting',
    0,
    Math.round(job.dueAtMs),
    createdAtMs,
    createdAtMs,
    clean(job.json),
  ];
}

/** Busy accounts, and subjects, that a claim excludes at most. */
const MAX_BUSY = 64;

/** Padded to a power of two, so that a handful of prepared statements serves every count. */
function padded(values: readonly string[], filler: string): string[] {
  const size = Math.min(MAX_BUSY, 2 ** Math.ceil(Math.log2(Math.max(1, values.length))));
  return Array.from({ length: size }, (_, index) => values[index] ?? filler);
}

export const claimJobs: Operation<'claimJobs'> = async (tx, input) => {
  const { lane, worker, nowMs, leaseMs, limit, busyAccounts = [], busySubjects = [] } = input;
  // No account is '', and no subject a space.
  const accounts = padded(busyAccounts, '');
  const subjects = padded(busySubjects, ' ');
  const marks = (values: readonly string[], from: number): string =>
    values.map((_, index) => `$${index + from}`).join(', ');
  // MATERIALIZED: a plan that evaluates the subquery once per row would claim more than the limit.
  const rows = await tx.all(
    `WITH due AS MATERIALIZED (
       SELECT job.account_id, job.id FROM outbox AS job
       WHERE job.lane = $3 AND job.state = 'waiting' AND job.due_at <= $4
         AND job.account_id NOT IN (${marks(accounts, 6)})
         AND job.subject NOT IN (${marks(subjects, 6 + accounts.length)})
         AND (job.order_key = '' OR NOT EXISTS (
           SELECT 1 FROM outbox AS older
           WHERE older.lane = job.lane AND older.account_id = job.account_id AND older.order_key = job.order_key
             AND older.order_key <> '' AND older.state = 'waiting' AND older.id < job.id))
       ORDER BY job.due_at, job.id LIMIT $5 ${tx.skipLocked})
     UPDATE outbox SET worker = $1, attempts = attempts + 1, due_at = $2
     WHERE (account_id, id) IN (SELECT account_id, id FROM due)
     RETURNING ${CLAIMED}`,
    [worker, Math.round(nowMs + leaseMs), lane, Math.round(nowMs), limit, ...accounts, ...subjects],
  );
  return rows.map(toClaimed).sort((a, b) => (a.id < b.id ? -1 : 1));
};

/** A job that has another lease by now stays unchanged. */
export const settleJobs: Operation<'settleJobs'> = async (tx, { worker, nowMs, results }) => {
  const changes: Change[] = [];
  // Sorted, so that two nodes lock the rows in the same order.
  for (const result of [...results].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { accountId, id, attempts, outcome } = result;
    const retry = outcome === 'retry' || outcome === 'later';
    const dueAtMs = Math.round(result.dueAtMs ?? nowMs);
    const [row] = await tx.all(
      `UPDATE outbox SET state = $1, due_at = $2, settled_at = $3, error = $4, worker = NULL,
         attempts = attempts - $9, failures = failures + $10
       WHERE account_id = $5 AND id = $6 AND worker = $7 AND attempts = $8 AND state = 'waiting'
       RETURNING lane, order_key`,
      [
        retry ? 'waiting' : outcome,
        dueAtMs,
        retry ? null : Math.round(nowMs),
        result.error === undefined ? null : clean(result.error.slice(0, MAX_ERROR)),
        accountId,
        id,
        worker,
        attempts,
        outcome === 'later' ? 1 : 0,
        outcome === 'retry' || outcome === 'dead' ? 1 : 0,
      ],
    );
    if (!row) continue;
    const lane = word<Lane>(row['lane']);
    if (outcome === 'dead' && lane === 'sms') await failMessage(tx, result, nowMs);
    if (!retry) changes.push([accountId, lane, -1, outcome === 'dead' ? 1 : 0]);
    else if (row['order_key'] !== '') await postpone(tx, accountId, lane, text(row['order_key']), dueAtMs);
  }
  await count(tx, changes);
};

/** A message whose job is dead has failed. */
async function failMessage(tx: Tx, { accountId, id, error }: JobResult, nowMs: number): Promise<void> {
  await tx.run(
    `UPDATE messages SET state = 'failed', error = COALESCE(error, $3), updated_at = $4
     WHERE account_id = $1 AND id = $2 AND state IN ('queued', 'sending')`,
    [accountId, id, error === undefined ? null : clean(error.slice(0, MAX_ERROR)), Math.round(nowMs)],
  );
}

/** Jobs behind a waiting one are due no sooner than it, so that claims do not scan them each time. */
async function postpone(
  tx: Tx,
  accountId: string,
  lane: Lane,
  orderKey: string,
  dueAtMs: number,
): Promise<void> {
  await tx.run(
    `UPDATE outbox SET due_at = $4
     WHERE lane = $1 AND account_id = $2 AND order_key = $3 AND order_key <> '' AND state = 'waiting' AND due_at < $4`,
    [lane, accountId, orderKey, dueAtMs],
  );
}

export const requeueJob: Operation<'requeueJob'> = async (tx, { accountId, id, nowMs }) => {
  const [former] = await tx.all(
    "SELECT lane, state FROM outbox WHERE account_id = $1 AND id = $2 AND state <> 'waiting'",
    [accountId, id],
  );
  const changed = former
    ? await tx.run(
        `UPDATE outbox SET state = 'waiting', attempts = 0, failures = 0, due_at = $3, queued_at = $3, settled_at = NULL,
           worker = NULL
         WHERE account_id = $1 AND id = $2 AND state = $4`,
        [accountId, id, Math.round(nowMs), text(former['state'])],
      )
    : 0;
  if (!former || changed === 0) return { requeued: false };
  const lane = word<Lane>(former['lane']);
  await count(tx, [[accountId, lane, 1, former['state'] === 'dead' ? -1 : 0]]);
  return { requeued: true, lane };
};

export const forgetJobs: Operation<'forgetJobs'> = async (tx, { doneBeforeMs, deadBeforeMs, limit }) => {
  const forget = (state: JobState, beforeMs: number, most: number) =>
    tx.all(
      `DELETE FROM outbox WHERE (account_id, id) IN
         (SELECT account_id, id FROM outbox WHERE state = $1 AND settled_at < $2 LIMIT $3)
       RETURNING account_id, lane`,
      [state, beforeMs, most],
    );
  const done = await forget('done', doneBeforeMs, limit);
  const dead = await forget('dead', deadBeforeMs, limit - done.length);
  await count(
    tx,
    dead.map((row) => [text(row['account_id']), word<Lane>(row['lane']), 0, -1]),
  );
  return { forgotten: done.length + dead.length };
};

export const getJob: Operation<'getJob'> = async (tx, { accountId, id }) => {
  const [row] = await tx.all(`SELECT ${STORED} FROM outbox WHERE account_id = $1 AND id = $2`, [
    accountId,
    id,
  ]);
  return row ? toStored(row) : null;
};

export const listJobs: Operation<'listJobs'> = async (tx, page) => {
  const { accountId, lane, subject, state, before, after } = page;
  const values: SqlValue[] = [];
  const also = (condition: string, value: string | undefined): string => {
    if (value === undefined) return '';
    values.push(value);
    return ` AND ${condition} $${values.length + 3}`;
  };
  const conditions =
    also('subject =', subject) + also('state =', state) + also('id <', before) + also('id >', after);
  const rows = await readPage(page, (json, limit) =>
    tx.all(
      `SELECT ${WITHOUT_JSON}, ${json} FROM outbox
       WHERE account_id = $1 AND lane = $2${conditions} ORDER BY id DESC LIMIT $3`,
      [accountId, lane, limit, ...values],
    ),
  );
  return rows.map(toStored);
};

/** Counts the jobs of all accounts together. */
export const countJobs: Operation<'countJobs'> = async (tx) => {
  const rows = await tx.all(
    `SELECT lane, CAST(SUM(waiting) AS BIGINT) AS waiting, CAST(SUM(dead) AS BIGINT) AS dead
     FROM outbox_counts GROUP BY lane ORDER BY lane`,
  );
  return rows.map((row) => ({
    lane: word<Lane>(row['lane']),
    waiting: integer(row['waiting']),
    dead: integer(row['dead']),
  }));
};

function toClaimed(row: SqlRow): ClaimedJob {
  return {
    accountId: text(row['account_id']),
    id: text(row['id']),
    lane: word<Lane>(row['lane']),
    orderKey: text(row['order_key']),
    ...(row['subject'] === '' ? {} : { subject: text(row['subject']) }),
    attempts: integer(row['attempts']),
    failures: integer(row['failures']),
    dueAtMs: integer(row['due_at']),
    createdAtMs: integer(row['created_at']),
    queuedAtMs: integer(row['queued_at']),
    json: text(row['json']),
  };
}

function toStored(row: SqlRow): StoredJob {
  return {
    ...toClaimed(row),
    state: word<JobState>(row['state']),
    settledAtMs: integerOrNull(row['settled_at']),
    error: textOrNull(row['error']),
  };
}
