// The SQL of the queues that nodes share. A step of an account is one transaction under the account's lock: lock, read, write.
import { globalId, splitGlobalId } from '../../domain/global-id.ts';
import type { Ref, RingStrategy } from '../../flow/node.ts';
import { sqlStateOf } from '../../storage/postgres/errors.ts';
import type { QueueLook, WaitingCaller } from '../ports/queues.ts';
import { NOW } from './agent-sql.ts';
import type { SharedDatabase, SharedTx } from './database.ts';
import { CHANNEL } from './notices.ts';

type Query = SharedDatabase['query'];

/** The callers read for each department and list of agents, the next first; more are read by the next step. */
export const HEADS = 20;
/** A node that stops in the middle of a step must not hold the others up for longer. */
const MAX_IDLE_MS = 1_000;

const KEY = 'hashtextextended($1, 17)';
/** Below the time-out of a statement, which counts as an outage. */
const LOCK_MS = 1_500;
const LOCK = `SELECT set_config('lock_timeout', '${LOCK_MS}', true),
  set_config('idle_in_transaction_session_timeout', '${MAX_IDLE_MS}', true), pg_advisory_xact_lock(${KEY})`;

const READ = `SELECT ${NOW} AS now,
  (SELECT max(number) FROM queue_callers WHERE account_id = $1) AS last,
  (SELECT json_agg(head) FROM (
    SELECT number, department, list, strategy, call_id AS call, node, offer, of_list AS "ofList", priority,
      CASE WHEN list = ANY ($3::text[]) OR place > 1 THEN NULL ELSE agents END AS agents
    FROM (SELECT *, row_number() OVER (PARTITION BY list, department ORDER BY priority DESC, number) AS place,
        count(*) OVER (PARTITION BY list, department) AS of_list
      FROM queue_callers WHERE account_id = $1 AND offered IS NULL) AS waiting
    WHERE place <= ${HEADS} ORDER BY place, number) AS head) AS heads,
  (SELECT json_agg(json_build_array(department, priority, size)) FROM (
    SELECT department, priority, count(*) AS size FROM queue_callers WHERE account_id = $1 GROUP BY department, priority) AS sizes) AS sizes,
  (SELECT json_object_agg(asked, (SELECT count(*) FROM queue_callers AS each JOIN queue_callers AS own
      ON own.account_id = $1 AND own.number = asked WHERE each.account_id = $1 AND each.department = own.department
      AND (each.priority > own.priority OR each.priority = own.priority AND each.number <= asked))) FROM unnest($2::bigint[]) AS asked) AS positions,
  (SELECT json_object_agg(number, offer) FROM queue_callers WHERE account_id = $1 AND number = ANY ($2::bigint[])) AS offers,
  (SELECT json_agg(DISTINCT agent) FROM agent_claims WHERE account_id = $1) AS busy,
  (SELECT json_object_agg(agent, json_build_array(idle_since, rest_until)) FROM agent_states WHERE account_id = $1) AS states,
  (SELECT json_object_agg(department, last_rung) FROM department_states WHERE account_id = $1) AS rung`;

// Every part writes rows of its own. An agent who was claimed since the reading is not claimed again: then the
// statement fails, and so the transaction.
const WRITE = `WITH joined AS (
    INSERT INTO queue_callers (account_id, number, department, list, agents, strategy, call_id, node, caller, since, offer, offered, priority)
    SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::bigint[], $11::bigint[], $12::text[], $24::bigint[]) ON CONFLICT DO NOTHING),
  changed AS (UPDATE queue_callers AS callers SET offer = each.offer, offered = each.offered
    FROM unnest($13::bigint[], $14::bigint[], $15::text[]) AS each (number, offer, offered)
    WHERE callers.account_id = $1 AND callers.number = each.number),
  removed AS (DELETE FROM queue_callers AS callers USING unnest($16::bigint[], $22::bigint[]) AS each (number, offer)
    WHERE callers.account_id = $1 AND callers.number = each.number AND callers.number = ANY ($16::bigint[])
    RETURNING callers.call_id || '/q' || callers.offer AS holder, callers.offer > each.offer AS is_unheard),
  freed AS (DELETE FROM agent_claims AS claims USING removed
    WHERE claims.account_id = $1 AND claims.holder = removed.holder AND removed.is_unheard RETURNING claims.agent),
  claimed AS (INSERT INTO agent_claims (account_id, agent, holder, node, exclusive)
    SELECT $1, agent, holder, node, 1 FROM unnest($17::text[], $18::text[], $19::text[]) AS each (agent, holder, node) ORDER BY agent
    ON CONFLICT DO NOTHING RETURNING agent),
  rung AS (INSERT INTO department_states (account_id, department, last_rung, at)
    SELECT $1, department, agent, ${NOW} FROM unnest($20::text[], $21::text[]) AS each (department, agent)
    ON CONFLICT (account_id, department) DO UPDATE SET last_rung = excluded.last_rung, at = excluded.at)
  SELECT (SELECT count(*) FROM freed) AS freed,
    1 / CASE WHEN (SELECT count(*) FROM claimed) = cardinality($17::text[]) THEN 1 ELSE 0 END AS all_claimed,
    (SELECT count(pg_notify('${CHANNEL}', each)) FROM unnest($23::text[]) AS each) AS notified`;
/** The error code of that statement: division by zero. */
const NOT_ALL_CLAIMED = '22012';

export interface Head {
  readonly number: number;
  readonly department: Ref;
  readonly list: string;
  readonly strategy: RingStrategy;
  readonly call: string;
  readonly node: string;
  readonly offer: number;
  /** How many wait in the department for this list of agents. */
  readonly ofList: number;
  readonly priority: number;
  /** JSON; null: a list that is known, or that of a caller before. */
  readonly agents: string | null;
}

export interface AccountNow {
  readonly nowMs: number;
  readonly lastNumber: number;
  readonly heads: readonly Head[];
  /** Callers by department and priority. */
  readonly sizes: readonly (readonly [department: Ref, priority: number, size: number])[];
  /** The positions of the given numbers. */
  readonly positions: Readonly<Record<string, number>>;
  readonly offers: Readonly<Record<string, number>>;
  /** Agents without their account. */
  readonly busy: ReadonlySet<string>;
  readonly states: Readonly<Record<string, readonly [idleSince: number, restUntil: number]>>;
  readonly rung: Readonly<Record<Ref, Ref>>;
}

export async function lockAccount(tx: SharedTx, accountId: string): Promise<void> {
  await tx.query(LOCK, [accountId]);
}

export async function readAccount(
  tx: SharedTx,
  accountId: string,
  asked: readonly number[],
  lists: readonly string[],
): Promise<AccountNow> {
  const [row] = await tx.query(READ, [accountId, asked, lists]);
  const json = <T>(name: string, none: T): T => (row?.[name] ?? none) as T;
  return {
    nowMs: Number(row?.['now']),
    lastNumber: Number(row?.['last'] ?? 0),
    heads: json<readonly Head[]>('heads', []),
    sizes: json('sizes', []),
    positions: json('positions', {}),
    offers: json('offers', {}),
    busy: new Set(json<string[]>('busy', [])),
    states: json('states', {}),
    rung: json('rung', {}),
  };
}

export interface NewCaller {
  readonly number: number;
  readonly department: Ref;
  readonly list: string;
  readonly agents: string;
  readonly strategy: RingStrategy;
  readonly call: string;
  readonly node: string;
  readonly caller: string | null;
  readonly sinceMs: number;
  readonly offer: number;
  readonly offered: string | null;
  readonly priority: number;
}

export interface Step {
  readonly joined: readonly NewCaller[];
  readonly changed: readonly Pick<NewCaller, 'number' | 'offer' | 'offered'>[];
  readonly removed: readonly { readonly number: number; readonly offer: number }[];
  readonly claims: readonly { readonly agent: string; readonly holder: string; readonly node: string }[];
  readonly rung: ReadonlyMap<Ref, Ref>;
}

/** With the commit, in one round trip. Null: an agent was claimed meanwhile. `freed`: agents of offers that came too late. */
export async function writeStep(
  tx: SharedTx,
  accountId: string,
  step: Step,
  notices: readonly string[],
): Promise<{ readonly freed: number } | null> {
  const { joined, changed, removed, claims, rung } = step;
  const write = tx.query(WRITE, [
    accountId,
    joined.map(({ number }) => number),
    joined.map(({ department }) => department),
    joined.map(({ list }) => list),
    joined.map(({ agents }) => agents),
    joined.map(({ strategy }) => strategy),
    joined.map(({ call }) => call),
    joined.map(({ node }) => node),
    joined.map(({ caller }) => caller?.replaceAll('\0', '\ufffd') ?? null),
    joined.map(({ sinceMs }) => sinceMs),
    joined.map(({ offer }) => offer),
    joined.map(({ offered }) => offered),
    changed.map(({ number }) => number),
    changed.map(({ offer }) => offer),
    changed.map(({ offered }) => offered),
    removed.map(({ number }) => number),
    claims.map(({ agent }) => agent),
    claims.map(({ holder }) => holder),
    claims.map(({ node }) => node),
    [...rung.keys()],
    [...rung.values()],
    removed.map(({ offer }) => offer),
    notices,
    joined.map(({ priority }) => priority),
  ]);
  try {
    const [[row]] = await Promise.all([write, tx.commit()]);
    return { freed: Number(row?.['freed']) };
  } catch (error) {
    if (sqlStateOf(error) === NOT_ALL_CLAIMED) return null;
    throw error;
  }
}

export interface OfferRow {
  readonly accountId: string;
  readonly number: number;
  readonly call: string;
  readonly offer: number;
  /** JSON. */
  readonly offered: string;
}

/** The offers to callers of a node; account '': of all. */
export async function readOffers(query: Query, accountId: string, node: string): Promise<OfferRow[]> {
  const rows = await query(
    `SELECT account_id, number, call_id, offer, offered FROM queue_callers
     WHERE ($1 = '' OR account_id = $1) AND node = $2 AND offered IS NOT NULL`,
    [accountId, node],
  );
  return rows.map((row) => ({
    accountId: String(row['account_id']),
    number: Number(row['number']),
    call: String(row['call_id']),
    offer: Number(row['offer']),
    offered: String(row['offered']),
  }));
}

export async function readLook(
  query: Query,
  accountId: string,
  department: Ref,
  agents: readonly string[],
): Promise<QueueLook> {
  const [row] = await query(
    `SELECT
      (SELECT json_agg(json_build_object('callId', call_id, 'caller', caller, 'sinceMs', since, 'ringing', offered IS NOT NULL)
        ORDER BY priority DESC, number) FROM queue_callers WHERE account_id = $1 AND department = $2) AS waiting,
      (SELECT json_agg(DISTINCT agent) FROM agent_claims WHERE account_id = $1 AND agent = ANY ($3::text[])) AS busy,
      (SELECT json_agg(agent) FROM agent_states
        WHERE account_id = $1 AND agent = ANY ($3::text[]) AND rest_until > ${NOW}) AS resting`,
    [accountId, department, agents.map((agent) => splitGlobalId(agent).id)],
  );
  const json = <T>(name: string): readonly T[] => (row?.[name] ?? []) as unknown as T[];
  const named = (name: string) => new Set(json<string>(name).map((each) => globalId(accountId, each)));
  const waiting = json<Omit<WaitingCaller, 'accountId'>>('waiting').map((each) => ({ ...each, accountId }));
  return { waiting, busy: named('busy'), resting: named('resting') };
}

export interface NodeRows {
  readonly nowMs: number;
  readonly claims: readonly (readonly [accountId: string, agent: string, holder: string])[];
  readonly callers: readonly (readonly [
    accountId: string,
    number: number,
    call: string,
    offer: number,
    offered: string | null,
  ])[];
}

/** All that is stored of a node, at one moment. */
export async function readNode(query: Query, node: string): Promise<NodeRows> {
  const [row] = await query(
    `SELECT ${NOW} AS now,
      (SELECT json_agg(json_build_array(account_id, agent, holder)) FROM agent_claims WHERE node = $1) AS claims,
      (SELECT json_agg(json_build_array(account_id, number, call_id, offer, offered)) FROM queue_callers WHERE node = $1) AS callers`,
    [node],
  );
  const json = <T>(name: string): readonly T[] => (row?.[name] ?? []) as unknown as T[];
  return { nowMs: Number(row?.['now']), claims: json('claims'), callers: json('callers') };
}

/** The node's agents are free and its callers are gone. Under the locks of the accounts, so that no step offers an agent to them. */
export async function removeNode(database: Pick<SharedDatabase, 'run'>, node: string): Promise<string[]> {
  return database.run(async (tx) => {
    await tx.query(
      `SELECT pg_advisory_xact_lock(hashtextextended(account_id, 17)) FROM (
        SELECT DISTINCT account_id FROM queue_callers WHERE node = $1 ORDER BY account_id) AS accounts`,
      [node],
    );
    const callers = await tx.query('DELETE FROM queue_callers WHERE node = $1 RETURNING account_id', [node]);
    const freed = await tx.query(
      `WITH removed AS (DELETE FROM agent_claims WHERE node = $1 RETURNING account_id, agent)
       INSERT INTO agent_states (account_id, agent, idle_since, rest_until, wrapup_ms)
       SELECT DISTINCT account_id, agent, ${NOW}, 0, 0 FROM removed ORDER BY account_id, agent
       ON CONFLICT (account_id, agent) DO UPDATE SET idle_since = excluded.idle_since RETURNING account_id`,
      [node],
    );
    return [...new Set([...callers, ...freed].map((row) => String(row['account_id'])))];
  });
}
