// The SQL of agents that nodes share. Each statement is a transaction of its own that is not synced to disk: what a crash of the database
// takes back is asserted again. Rows are written in the order of agents, so that two statements never wait for each other.
import { globalId, splitGlobalId } from '../../domain/global-id.ts';
import type { Ref } from '../../flow/node.ts';
import type { SharedDatabase } from './database.ts';
import type { Hold } from './holds.ts';

type Query = SharedDatabase['query'];

const UNSYNCED = "unsynced AS (SELECT set_config('synchronous_commit', 'off', true))";
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** A claim fails where any other call holds the agent; the unique index decides between two that come at the same moment. */
const CLAIM = `WITH ${UNSYNCED},
  asked AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[]) AS each (agent, holder, exclusive) ORDER BY agent, holder)
  INSERT INTO agent_claims (account_id, agent, holder, node, exclusive)
  SELECT $1, agent, holder, $5, exclusive FROM asked, unsynced
  WHERE exclusive = 0 OR NOT EXISTS (
    SELECT 1 FROM agent_claims AS other WHERE other.account_id = $1 AND other.agent = asked.agent AND other.holder <> asked.holder)
  ON CONFLICT DO NOTHING RETURNING holder`;

/** The wrap-up time counts from when the last call of the agent has ended. */
const RELEASE = `WITH ${UNSYNCED},
  released AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
    AS each (agent, holder, had_legs, rest_ms, wrapup_ms)),
  removed AS (DELETE FROM agent_claims AS claims USING unsynced, released
    WHERE claims.account_id = $1 AND claims.agent = released.agent AND claims.holder = released.holder),
  freed AS (SELECT agent, max(had_legs) AS had_legs, max(rest_ms) AS rest_ms, max(wrapup_ms) AS wrapup_ms, ${NOW} AS now,
    EXISTS (SELECT 1 FROM agent_claims AS other
      WHERE other.account_id = $1 AND other.agent = released.agent AND other.holder <> ALL ($3::text[])) AS is_busy
    FROM released GROUP BY agent),
  stored AS (INSERT INTO agent_states AS state (account_id, agent, idle_since, rest_until, wrapup_ms)
    SELECT $1, agent, CASE WHEN had_legs = 1 AND NOT is_busy THEN now ELSE 0 END,
      greatest(CASE WHEN rest_ms > 0 THEN now + rest_ms ELSE 0 END,
        CASE WHEN wrapup_ms > 0 AND NOT is_busy THEN now + wrapup_ms ELSE 0 END),
      CASE WHEN is_busy THEN wrapup_ms ELSE 0 END
    FROM freed WHERE had_legs = 1 OR rest_ms > 0 ORDER BY agent
    ON CONFLICT (account_id, agent) DO UPDATE SET
      idle_since = greatest(state.idle_since, excluded.idle_since),
      rest_until = greatest(state.rest_until, excluded.rest_until,
        CASE WHEN excluded.idle_since > 0 AND state.wrapup_ms > 0 THEN excluded.idle_since + state.wrapup_ms ELSE 0 END),
      wrapup_ms = CASE WHEN excluded.idle_since > 0 THEN 0 ELSE greatest(state.wrapup_ms, excluded.wrapup_ms) END)
  SELECT EXISTS (SELECT 1 FROM queue_callers WHERE account_id = $1 AND offered IS NULL) AS waiting`;

const END_REST = `WITH ${UNSYNCED}
  UPDATE agent_states SET rest_until = 0 FROM unsynced WHERE account_id = $1 AND agent = $2`;

const RANG = `WITH ${UNSYNCED}
  INSERT INTO department_states (account_id, department, last_rung, at)
  SELECT $1, department, agent, ${NOW} FROM unnest($2::text[], $3::text[]) AS each (department, agent), unsynced ORDER BY department
  ON CONFLICT (account_id, department) DO UPDATE SET last_rung = excluded.last_rung, at = excluded.at`;

const STANDING = `SELECT
  (SELECT json_object_agg(agent, idle_since) FROM agent_states WHERE account_id = $1 AND agent = ANY ($2::text[])) AS idle,
  (SELECT last_rung FROM department_states WHERE account_id = $1 AND department = $3) AS rung`;

/** Agents that were not seen for so long count as idle since ever. */
const KEPT_MS = 30 * 24 * 3_600_000;
const FORGET = [
  `DELETE FROM agent_states WHERE idle_since < ${NOW} - ${KEPT_MS} AND rest_until < ${NOW} AND wrapup_ms = 0`,
  `DELETE FROM department_states WHERE at < ${NOW} - ${KEPT_MS}`,
];

const bareId = (id: string): string => splitGlobalId(id).id;

/** The holders that were granted. */
export async function storeHolds(
  query: Query,
  accountId: string,
  node: string,
  holds: readonly Hold[],
): Promise<Set<string>> {
  const rows = await query(CLAIM, [
    accountId,
    holds.map(({ agent }) => bareId(agent)),
    holds.map(({ holder }) => holder),
    holds.map(({ isShared }) => (isShared ? 0 : 1)),
    node,
  ]);
  return new Set(rows.map(({ holder }) => String(holder)));
}

/** Whether callers of the account wait for an agent. */
export async function removeHolds(
  query: Query,
  accountId: string,
  holds: readonly Pick<Hold, 'agent' | 'holder' | 'hadLegs' | 'restMs' | 'wrapupMs'>[],
): Promise<boolean> {
  const [row] = await query(RELEASE, [
    accountId,
    holds.map(({ agent }) => bareId(agent)),
    holds.map(({ holder }) => holder),
    holds.map(({ hadLegs }) => (hadLegs ? 1 : 0)),
    holds.map(({ restMs }) => restMs),
    holds.map(({ wrapupMs }) => wrapupMs),
  ]);
  return Boolean(row?.['waiting']);
}

export async function removeRest(query: Query, agent: string): Promise<void> {
  const { accountId, id } = splitGlobalId(agent);
  await query(END_REST, [accountId, id]);
}

/** By department. */
export async function storeRung(
  query: Query,
  accountId: string,
  rung: ReadonlyMap<string, Ref>,
): Promise<void> {
  await query(RANG, [accountId, [...rung.keys()], [...rung.values()]]);
}

export async function readStanding(query: Query, department: string, agents: readonly string[]) {
  const { accountId, id } = splitGlobalId(department);
  const [row] = await query(STANDING, [accountId, agents.map(bareId), id]);
  const idle = Object.entries((row?.['idle'] ?? {}) as unknown as Record<string, number>);
  const lastRung = row?.['rung'] ?? null;
  return {
    idleSince: new Map(idle.map(([agent, sinceMs]) => [globalId(accountId, agent), sinceMs])),
    lastRung: lastRung === null ? null : String(lastRung),
  };
}

/** By globalId. */
export async function heldElsewhere(query: Query, node: string): Promise<ReadonlySet<string>> {
  const rows = await query('SELECT DISTINCT account_id, agent FROM agent_claims WHERE node <> $1', [node]);
  return new Set(rows.map((row) => globalId(String(row['account_id']), String(row['agent']))));
}

export async function forgetOldStates(query: Query): Promise<void> {
  for (const sql of FORGET) await query(sql);
}
