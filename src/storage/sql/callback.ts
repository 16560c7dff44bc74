// The SQL of call-backs. `open_key` and `lease_until` are null once it is over: a unique index holds one open call-back for each number and
// department, and claims read no rows of ended ones.
import {
  type Callback,
  type CallbackResult,
  type CallbackState,
  HOUR_MS,
  MAX_OPEN,
  MAX_PER_CALLER,
} from '../../domain/callback.ts';
import { flag, integer, integerOrNull, text, word } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, SqlValue } from './tx.ts';

const COLUMNS = {
  account_id: 'text',
  id: 'text',
  department: 'text',
  number: 'text',
  number_key: 'text',
  caller_key: 'text',
  typed: 'bigint',
  asked_by: 'text',
  place: 'bigint',
  asked_at: 'bigint',
  state: 'text',
  attempts: 'bigint',
  due_at: 'bigint',
  call_id: 'text',
  priority: 'bigint',
  open_key: 'text',
  lease_until: 'bigint',
} as const;
const NAMES = `account_id, id, department, number, number_key, caller_key, typed, asked_by, place, asked_at, state, attempts, due_at,
  call_id, result, ended_at, priority`;
const HERE = 'account_id = $1 AND id = $2';
const OPEN = 'open_key IS NOT NULL';

const openKeyOf = ({ department, numberKey }: Pick<Callback, 'department' | 'numberKey'>): string =>
  `${department} ${numberKey}`;

export const addCallback: Operation<'addCallback'> = async (tx, { callback, limits }) => {
  const { accountId, department, numberKey, callerKey, askedAtMs } = callback;
  // When two run at once in an account, the second sees the first.
  await tx.run('UPDATE accounts SET id = id WHERE id = $1', [accountId]);
  const counted = async (where: string, values: readonly SqlValue[]): Promise<number> => {
    const [row] = await tx.all(`SELECT count(*) AS count FROM callbacks WHERE account_id = $1 AND ${where}`, [
      accountId,
      ...values,
    ]);
    return integer(row?.['count'] ?? 0);
  };
  const openKey = openKeyOf(callback);
  if ((await counted('open_key = $2', [openKey])) > 0) return 'open';
  const sinceMs = Math.round(askedAtMs - HOUR_MS);
  const who = "asked_at > $2 AND (number_key = $3 OR (caller_key = $4 AND caller_key <> ''))";
  if ((await counted(who, [sinceMs, numberKey, callerKey])) >= MAX_PER_CALLER) return 'caller-limit';
  const inDepartment = await counted('asked_at > $2 AND department = $3', [sinceMs, department]);
  if (inDepartment >= limits.department) return 'department-limit';
  if ((await counted('asked_at > $2', [sinceMs])) >= limits.account) return 'account-limit';
  if ((await counted(OPEN, [])) >= MAX_OPEN) return 'account-limit';
  // Free at once: the first claim takes it.
  const values = [...valuesOf(callback), openKey, 0];
  const made = await tx.insert('callbacks', COLUMNS, [values], 'ON CONFLICT DO NOTHING RETURNING id');
  return made.length > 0 ? null : 'open';
};

const valuesOf = (callback: Callback): SqlValue[] => [
  callback.accountId,
  callback.id,
  callback.department,
  callback.number,
  callback.numberKey,
  callback.callerKey,
  callback.typed ? 1 : 0,
  callback.askedBy,
  callback.place,
  Math.round(callback.askedAtMs),
  callback.state,
  callback.attempts,
  Math.round(callback.dueAtMs),
  callback.callId,
  callback.priority,
];

export const claimCallbacks: Operation<'claimCallbacks'> = async (tx, { node, nowMs, leaseMs, limit }) => {
  // MATERIALIZED: a plan that evaluates the subquery once per row would claim more than the limit.
  const rows = await tx.all(
    `WITH free AS MATERIALIZED (
       SELECT account_id, id FROM callbacks WHERE lease_until <= $3 ORDER BY lease_until, place LIMIT $4 ${tx.skipLocked})
     UPDATE callbacks SET node = $1, lease_until = $2, state = 'waiting',
       result = CASE WHEN state = 'calling' THEN 'interrupted' ELSE result END
     WHERE (account_id, id) IN (SELECT account_id, id FROM free) RETURNING ${NAMES}`,
    [node, Math.round(nowMs + leaseMs), Math.round(nowMs), limit],
  );
  return rows.map(toCallback).sort((one, other) => one.place - other.place);
};

export const renewCallbacks: Operation<'renewCallbacks'> = async (tx, { node, nowMs, leaseMs }) => {
  const rows = await tx.all(
    `UPDATE callbacks SET lease_until = $2 WHERE node = $1 AND lease_until > $3 RETURNING account_id, id`,
    [node, Math.round(nowMs + leaseMs), Math.round(nowMs)],
  );
  return rows.map((row) => ({ accountId: text(row['account_id']), id: text(row['id']) }));
};

export const releaseCallbacks: Operation<'releaseCallbacks'> = async (tx, { node, nowMs }) => {
  await tx.run('UPDATE callbacks SET lease_until = $2 WHERE node = $1 AND lease_until > $2', [
    node,
    Math.round(nowMs),
  ]);
};

export const beginCallback: Operation<'beginCallback'> = async (tx, input) => {
  const { accountId, id, node, nowMs, leaseMs, dueAtMs } = input;
  const changed = await tx.run(
    `UPDATE callbacks SET state = 'calling', attempts = attempts + 1, due_at = $6, lease_until = $5
     WHERE ${HERE} AND node = $3 AND lease_until > $4 AND state = 'waiting'`,
    [accountId, id, node, Math.round(nowMs), Math.round(nowMs + leaseMs), Math.round(dueAtMs)],
  );
  return changed > 0;
};

export const settleCallback: Operation<'settleCallback'> = async (tx, input) => {
  const { accountId, id, node, nowMs, attempts, state, dueAtMs, callId, result } = input;
  const [due, now] = [Math.round(dueAtMs), Math.round(nowMs)];
  const mine = `${HERE} AND ${OPEN} AND attempts = $3 AND node = $4`;
  if (state === 'waiting') {
    const changed = await tx.run(
      `UPDATE callbacks SET state = 'waiting', due_at = $5, call_id = $6, result = $7 WHERE ${mine}`,
      [accountId, id, attempts, node, due, callId, result],
    );
    return changed > 0;
  }
  const isDone = state === 'done';
  const changed = await tx.run(
    `UPDATE callbacks SET state = $4, open_key = NULL, lease_until = NULL, ended_at = $5, result = COALESCE($6, result)
     WHERE ${HERE} AND ${OPEN} AND ${isDone ? 'attempts >= $3' : 'attempts = $3 AND node = $7'}`,
    [accountId, id, attempts, state, now, result, ...(isDone ? [] : [node])],
  );
  return changed > 0;
};

export const cancelCallbacks: Operation<'cancelCallbacks'> = async (tx, { accountId, which, nowMs }) => {
  const [where, value] = 'id' in which ? ['id', which.id] : ['open_key', openKeyOf(which)];
  const rows = await tx.all(
    `UPDATE callbacks SET state = 'cancelled', open_key = NULL, lease_until = NULL, ended_at = $3
     WHERE account_id = $1 AND ${where} = $2 AND ${OPEN} AND state = 'waiting' RETURNING ${NAMES}`,
    [accountId, value, Math.round(nowMs)],
  );
  return rows.map(toCallback);
};

export const getCallback: Operation<'getCallback'> = async (tx, { accountId, id }) => {
  const [row] = await tx.all(`SELECT ${NAMES} FROM callbacks WHERE ${HERE}`, [accountId, id]);
  return row ? toCallback(row) : null;
};

export const listCallbacks: Operation<'listCallbacks'> = async (tx, page) => {
  const { accountId, department, open, before, limit } = page;
  const values: SqlValue[] = [accountId];
  const conditions = ['account_id = $1'];
  if (department !== undefined) conditions.push(`department = $${values.push(department)}`);
  if (before !== undefined) conditions.push(`id < $${values.push(before)}`);
  if (open !== undefined) conditions.push(`open_key IS ${open ? 'NOT ' : ''}NULL`);
  const rows = await tx.all(
    `SELECT ${NAMES} FROM callbacks WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $${values.push(limit)}`,
    values,
  );
  return rows.map(toCallback);
};

export const forgetCallbacks: Operation<'forgetCallbacks'> = async (tx, { beforeMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM callbacks WHERE (account_id, id) IN (
       SELECT account_id, id FROM callbacks WHERE ended_at < $1 LIMIT $2)`,
    [Math.round(beforeMs), limit],
  );
  return { forgotten };
};

function toCallback(row: SqlRow): Callback {
  return {
    accountId: text(row['account_id'] ?? ''),
    id: text(row['id'] ?? ''),
    department: text(row['department'] ?? ''),
    number: text(row['number'] ?? ''),
    numberKey: text(row['number_key'] ?? ''),
    callerKey: text(row['caller_key'] ?? ''),
    typed: flag(row['typed']),
    askedBy: text(row['asked_by'] ?? ''),
    place: integer(row['place']),
    priority: integer(row['priority']),
    askedAtMs: integer(row['asked_at']),
    state: word<CallbackState>(row['state']),
    attempts: integer(row['attempts']),
    dueAtMs: integer(row['due_at']),
    callId: text(row['call_id'] ?? ''),
    result: row['result'] === null ? null : word<CallbackResult>(row['result']),
    endedAtMs: integerOrNull(row['ended_at']),
  };
}
