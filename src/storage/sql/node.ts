// The SQL for nodes and their heartbeats.
import type { NodeBeat, StoredNode } from '../ports/nodes.ts';
import { flag, integer, text, word } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlRow, SqlValue, Tx } from './tx.ts';

const STORED =
  'id, run, url, version, cluster, started_at, heartbeat_at, state, drain, calls, deaths, reaped';
/** The columns that an update sets. Both databases accept this form; excluded.* is the new row. */
const CHANGED = ['url', 'version', 'cluster', 'heartbeat_at', 'state', 'calls']
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/** `deaths` begins with the time: a row that is made anew differs from the one that was forgotten. */
const inserting = ({ nowMs }: Tx): string => `INSERT INTO nodes
  (id, run, url, version, cluster, state, calls, drain, started_at, heartbeat_at, deaths, reaped)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 0, ${nowMs}, ${nowMs}, ${nowMs}, ${nowMs})
  ON CONFLICT (id) DO UPDATE SET`;

const valuesOf = ({ id, run, url, version, cluster, state, calls }: NodeBeat): SqlValue[] => [
  id,
  run,
  url,
  version,
  cluster ? 1 : 0,
  state,
  calls,
];

export const joinNode: Operation<'joinNode'> = async (tx, input) => {
  // One start at a time, until its commit: two that exclude each other must not both find an empty table.
  await tx.run(
    `INSERT INTO leases (name, node, until_at) VALUES ('nodes.join', $1, 0)
     ON CONFLICT (name) DO UPDATE SET node = excluded.node`,
    [input.id],
  );
  const all = await nodes(tx);
  const live = all.filter(
    ({ state, silentMs, run }) =>
      (state === 'running' || state === 'draining') &&
      silentMs < input.deadAfterMs &&
      run !== input.run &&
      run !== input.formerRun,
  );
  const same = live.find(({ id }) => id === input.id);
  if (same) return { joined: false, reason: 'id', by: same };
  const single = live.find(({ cluster }) => !cluster || !input.cluster);
  if (single) return { joined: false, reason: 'cluster', by: single };
  // What a former run left behind is cleared as that of a dead node is.
  const [row] = await tx.all(
    `${inserting(tx)} ${CHANGED}, run = excluded.run, started_at = excluded.started_at, drain = 0, deaths = nodes.deaths + 1
     RETURNING deaths`,
    valuesOf(input),
  );
  const formerSeenAtMs = all.find(({ id }) => id === input.id)?.heartbeatAtMs ?? null;
  return { joined: true, deaths: integer(row?.['deaths']), formerSeenAtMs };
};

export const beatNode: Operation<'beatNode'> = async (tx, input) => {
  const [row] = await tx.all(
    `${inserting(tx)} ${CHANGED} WHERE nodes.run = excluded.run RETURNING deaths, drain`,
    valuesOf(input),
  );
  if (!row) return { alive: false };
  return { alive: true, deaths: integer(row['deaths']), drain: flag(row['drain']) };
};

export const leaveNode: Operation<'leaveNode'> = async (tx, { id, run }) => {
  await tx.run(
    "UPDATE nodes SET state = 'left', drain = 0, calls = 0, deaths = deaths + 1 WHERE id = $1 AND run = $2",
    [id, run],
  );
};

export const listNodes: Operation<'listNodes'> = (tx) => nodes(tx);

export const deadNodes: Operation<'deadNodes'> = async (tx, { deadAfterMs }) => {
  await tx.run(
    `UPDATE nodes SET state = 'dead', deaths = deaths + 1
     WHERE state IN ('running', 'draining') AND heartbeat_at < ${tx.nowMs} - $1`,
    [deadAfterMs],
  );
  return nodes(tx, "WHERE reaped <> deaths AND state IN ('dead', 'left')");
};

export const declareDead: Operation<'declareDead'> = async (tx, { id, run, silentMs }) => {
  const changed = await tx.run(
    `UPDATE nodes SET state = 'dead', deaths = deaths + 1
     WHERE id = $1 AND run = $2 AND state IN ('running', 'draining') AND heartbeat_at <= ${tx.nowMs} - $3`,
    [id, run, silentMs],
  );
  return { declared: changed > 0 };
};

export const clearedNode: Operation<'clearedNode'> = async (tx, { id, deaths }) => {
  await tx.run('UPDATE nodes SET reaped = deaths WHERE id = $1 AND deaths = $2', [id, deaths]);
};

export const setDrain: Operation<'setDrain'> = async (tx, { id, drain }) => {
  const changed = await tx.run(
    "UPDATE nodes SET drain = $2 WHERE id = $1 AND state IN ('running', 'draining')",
    [id, drain ? 1 : 0],
  );
  return { found: changed > 0 };
};

export const forgetNodes: Operation<'forgetNodes'> = async (tx, { silentMs, limit }) => {
  const forgotten = await tx.run(
    `DELETE FROM nodes WHERE id IN (SELECT id FROM nodes
       WHERE state IN ('dead', 'left') AND reaped = deaths AND heartbeat_at < ${tx.nowMs} - $1 LIMIT $2)`,
    [silentMs, limit],
  );
  return { forgotten };
};

async function nodes(tx: Tx, where = ''): Promise<StoredNode[]> {
  const rows = await tx.all(`SELECT ${STORED}, ${tx.nowMs} AS now FROM nodes ${where} ORDER BY id`);
  return rows.map(toNode);
}

function toNode(row: SqlRow): StoredNode {
  const heartbeatAtMs = integer(row['heartbeat_at']);
  return {
    id: text(row['id']),
    run: text(row['run']),
    url: text(row['url']),
    version: text(row['version']),
    cluster: flag(row['cluster']),
    startedAtMs: integer(row['started_at']),
    heartbeatAtMs,
    silentMs: integer(row['now']) - heartbeatAtMs,
    state: word<StoredNode['state']>(row['state']),
    drain: flag(row['drain']),
    calls: integer(row['calls']),
    deaths: integer(row['deaths']),
  };
}
