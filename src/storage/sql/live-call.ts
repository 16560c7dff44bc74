// The SQL for running calls of all nodes.
import type { LiveCallRow, StoredLiveCall } from '../ports/live-calls.ts';
import { clean } from './call-row.ts';
import { integer, text, textOrNull } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const COLUMNS = {
  id: 'text',
  account_id: 'text',
  node: 'text',
  run: 'text',
  state: 'text',
  at_node: 'text',
  agent: 'text',
  age_ms: 'bigint',
  json: 'text',
  written_at: 'bigint',
  recovery: 'text',
} as const;
const NAMES = Object.keys(COLUMNS);
const ALL = NAMES.join(', ');
/** Without what only a claim needs. */
const SHOWN = `${NAMES.slice(0, -1).join(', ')}, NULL AS recovery`;
/** One that another node has claimed is not replaced. */
const REPLACE = `ON CONFLICT (id) DO UPDATE SET ${NAMES.slice(1)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')} WHERE live_calls.node = excluded.node RETURNING id`;
/** Removed by one statement. */
const MANY = 64;

export const saveLiveCalls: Operation<'saveLiveCalls'> = async (tx, { node, run, saved, removed }) => {
  const taken: string[] = [];
  if (saved.length > 0) {
    const [clock] = await tx.all(`SELECT ${tx.nowMs} AS now`);
    const rows = saved.map((call) => valuesOf(call, node, run, integer(clock?.['now'])));
    // Sorted, so that two transactions lock the rows in the same order.
    const kept = await tx.insert('live_calls', COLUMNS, rows.sort(byFirst), REPLACE);
    const ids = saved.map(({ id }) => id);
    if (kept.length < rows.length) taken.push(...(await idsWhere(tx, 'node <> $1', node, ids)));
  }
  for (let from = 0; from < removed.length; from += MANY) {
    const ids = Array.from({ length: MANY }, (_, index) => removed[from + index] ?? '');
    await tx.run(
      `DELETE FROM live_calls WHERE node = $1 AND id IN (${ids.map((_, index) => `$${index + 2}`).join(', ')})`,
      [node, ...ids],
    );
  }
  return { taken };
};

export const listLiveCalls: Operation<'listLiveCalls'> = async (tx, { accountId, limit }) => {
  const rows = await tx.all(`SELECT ${SHOWN} FROM live_calls WHERE account_id = $1 ORDER BY id LIMIT $2`, [
    accountId,
    limit,
  ]);
  return rows.map(toLiveCall);
};

export const leftLiveCalls: Operation<'leftLiveCalls'> = async (tx, { node, exceptRun, after, limit }) => {
  const rows = await tx.all(
    `SELECT ${SHOWN} FROM live_calls WHERE node = $1 AND run <> $2 AND id > $3 ORDER BY id LIMIT $4`,
    [node, exceptRun ?? '', after, limit],
  );
  return rows.map(toLiveCall);
};

export const claimLiveCalls: Operation<'claimLiveCalls'> = async (
  tx,
  { node, exceptRun, claimer, limit },
) => {
  const [clock] = await tx.all(`SELECT ${tx.nowMs} AS now`);
  const rows = await tx.all(
    `UPDATE live_calls SET node = $3, run = $4 WHERE ${CLAIMABLE} AND id IN (
       SELECT id FROM live_calls WHERE ${CLAIMABLE} ORDER BY id LIMIT $5 ${tx.skipLocked}) RETURNING ${ALL}`,
    [node, exceptRun ?? '', claimer.id, claimer.run, limit],
  );
  return { calls: rows.map(toLiveCall), nowMs: integer(clock?.['now']) };
};

/** A node that has returned meanwhile has its calls. */
const CLAIMABLE = `node = $1 AND run <> $2 AND recovery IS NOT NULL
  AND ($2 <> '' OR EXISTS (SELECT 1 FROM nodes WHERE nodes.id = $1 AND nodes.state = 'dead'))`;

export const countClaimable: Operation<'countClaimable'> = async (tx, { node, exceptRun }) => {
  const [row] = await tx.all(`SELECT count(*) AS left FROM live_calls WHERE ${CLAIMABLE}`, [
    node,
    exceptRun ?? '',
  ]);
  return integer(row?.['left']);
};

export const callsGoingOn: Operation<'callsGoingOn'> = (tx, { node, ids }) =>
  idsWhere(tx, '(node <> $1 OR recovery IS NOT NULL)', node, ids);

async function idsWhere(tx: Tx, where: string, node: string, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < ids.length; from += MANY) {
    const some = Array.from({ length: MANY }, (_, index) => ids[from + index] ?? '');
    const rows = await tx.all(
      `SELECT id FROM live_calls WHERE ${where} AND id IN (${some.map((_, index) => `$${index + 2}`).join(', ')})`,
      [node, ...some],
    );
    found.push(...rows.map((row) => text(row['id'])));
  }
  return found;
}

export const dropLiveCalls: Operation<'dropLiveCalls'> = async (tx, { node, exceptRun }) => {
  await tx.run('DELETE FROM live_calls WHERE node = $1 AND run <> $2', [node, exceptRun ?? '']);
};

const byFirst = ([one]: SqlValue[], [other]: SqlValue[]): number => (String(one) < String(other) ? -1 : 1);

/** Names of callers are in the JSON, and PostgreSQL rejects NUL. */
function valuesOf(call: LiveCallRow, node: string, run: string, nowMs: number): SqlValue[] {
  const { id, accountId, state, at, agent, ageMs, json, recovery } = call;
  const age = Math.round(ageMs);
  const more = recovery === null ? null : clean(recovery);
  return [id, accountId, node, run, state, at, agent, age, clean(json), nowMs, more];
}

function toLiveCall(row: SqlRow): StoredLiveCall {
  return {
    id: text(row['id']),
    accountId: text(row['account_id']),
    node: text(row['node']),
    run: text(row['run']),
    state: text(row['state']),
    at: textOrNull(row['at_node']),
    agent: textOrNull(row['agent']),
    ageMs: integer(row['age_ms']),
    json: text(row['json']),
    writtenAtMs: integer(row['written_at']),
    recovery: textOrNull(row['recovery']),
  };
}
