// The schema, step by step, the same for both databases. One statement per step; each is safe to repeat (ADD COLUMN is
// skipped where the column exists). A step that has landed never changes: sealed.txt has its checksum, a test and every
// start compare it. New steps only add (expand, then contract a release later), so that an older node keeps working.
// The portable subset: text ids, times as epoch milliseconds, JSON as text, account_id leading every key.

import { DRAFT_STEPS } from './draft-steps.ts';
import { FIRST_STEPS } from './first-steps.ts';
import type { Migration } from './migration.ts';
import { PEOPLE_STEPS } from './people-steps.ts';

export const MIGRATIONS: readonly Migration[] = [
  ...FIRST_STEPS,
  { version: 70, name: 'what tokens are for', sql: 'ALTER TABLE tokens ADD COLUMN purpose TEXT' },
  { version: 71, name: 'what sessions came of', sql: 'ALTER TABLE tokens ADD COLUMN parent_id TEXT' },
  {
    version: 72,
    name: 'limits of accounts that the operator sets',
    sql: 'ALTER TABLE accounts ADD COLUMN limits TEXT',
  },
  {
    version: 73,
    name: 'which account is the first',
    sql: `UPDATE accounts SET limits = '{"first_account":true}'
      WHERE limits IS NULL AND id = (SELECT id FROM accounts ORDER BY created_at, id LIMIT 1)`,
  },
  {
    version: 74,
    // Step 23 once made the table without it.
    name: 'failures of jobs, where the outbox has none',
    sql: 'ALTER TABLE outbox ADD COLUMN failures BIGINT NOT NULL DEFAULT 0',
  },
  {
    version: 75,
    name: 'registered phones',
    sql: `CREATE TABLE IF NOT EXISTS bindings (
      account_id TEXT NOT NULL, agent TEXT NOT NULL, binding_key TEXT NOT NULL, contact TEXT NOT NULL, path TEXT NOT NULL,
      instance TEXT NOT NULL, q BIGINT NOT NULL, call_id TEXT NOT NULL, cseq BIGINT NOT NULL, expires_at BIGINT NOT NULL,
      user_agent TEXT NOT NULL, transport TEXT NOT NULL, source_address TEXT NOT NULL, source_port BIGINT NOT NULL,
      local_address TEXT NOT NULL, local_port BIGINT NOT NULL, sip_user TEXT NOT NULL, credential TEXT NOT NULL,
      PRIMARY KEY (account_id, agent, binding_key)) WITHOUT ROWID`,
  },
  {
    version: 76,
    name: 'trunks of all accounts',
    sql: "CREATE INDEX IF NOT EXISTS trunks_of_all ON records (account_id, id) WHERE kind = 'trunk'",
  },
  {
    version: 77,
    name: 'which installation it is',
    sql: 'CREATE TABLE IF NOT EXISTS installation (one BIGINT PRIMARY KEY, id TEXT NOT NULL, created_at BIGINT NOT NULL)',
  },
  {
    version: 78,
    name: 'sizes of captures',
    sql: 'CREATE INDEX IF NOT EXISTS captures_by_size ON captures (account_id, kind, bytes)',
  },
  { version: 79, name: 'scopes of tokens', sql: 'ALTER TABLE tokens ADD COLUMN scopes TEXT' },
  { version: 80, name: 'waiting time of calls', sql: 'ALTER TABLE calls ADD COLUMN wait_ms BIGINT' },
  {
    version: 81,
    name: 'keys that records gave up',
    sql: `CREATE TABLE IF NOT EXISTS former_keys (
      account_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL,
      PRIMARY KEY (account_id, kind, name, value)) WITHOUT ROWID`,
  },
  {
    version: 82,
    name: 'former keys by age',
    sql: 'CREATE INDEX IF NOT EXISTS former_keys_by_age ON former_keys (account_id, kind, at)',
  },
  {
    version: 83,
    // What calls know of agents that were deleted before their keys were kept.
    name: 'eids of former agents who answered calls or were recorded',
    sql: `INSERT INTO former_keys (account_id, kind, name, value, id, at)
      SELECT account_id, 'agent', 'eid', eid, '', 0 FROM (
        SELECT account_id, eid FROM answered_calls UNION SELECT account_id, eid FROM captures WHERE eid IS NOT NULL) AS seen
      WHERE NOT EXISTS (SELECT 1 FROM record_keys AS keys WHERE keys.account_id = seen.account_id AND keys.kind = 'agent'
        AND keys.name = 'eid' AND keys.value = seen.eid)
      ON CONFLICT DO NOTHING`,
  },
  {
    version: 84,
    // Eids of the series have six digits, so their order as text is that of their numbers. One that was chosen and deleted
    // before keys were kept lies below another one, most likely.
    name: 'the series of eids goes on after the highest one seen',
    sql: `INSERT INTO counters (account_id, series, value)
      SELECT account_id, 'agent.eid', CAST(max(value) AS BIGINT) FROM (
        SELECT account_id, value FROM record_keys WHERE kind = 'agent' AND name = 'eid'
        UNION ALL SELECT account_id, value FROM former_keys WHERE kind = 'agent' AND name = 'eid') AS seen
      WHERE length(value) = 6 AND value >= '100001' AND lower(value) = upper(value)
        AND replace(replace(replace(value, '.', ''), '_', ''), '-', '') = value
      GROUP BY account_id
      ON CONFLICT (account_id, series) DO UPDATE SET value = excluded.value WHERE counters.value < excluded.value`,
  },
  { version: 85, name: 'names of what was changed', sql: 'ALTER TABLE audit ADD COLUMN record_name TEXT' },
  {
    version: 86,
    // heartbeat_at and started_at by the database's clock. `run`: of one start of the node; `deaths` changes when the node is declared dead.
    name: 'nodes',
    sql: `CREATE TABLE IF NOT EXISTS nodes (
      id TEXT PRIMARY KEY, run TEXT NOT NULL, url TEXT NOT NULL, version TEXT NOT NULL, cluster BIGINT NOT NULL,
      started_at BIGINT NOT NULL, heartbeat_at BIGINT NOT NULL, state TEXT NOT NULL, drain BIGINT NOT NULL, calls BIGINT NOT NULL,
      deaths BIGINT NOT NULL, reaped BIGINT NOT NULL) WITHOUT ROWID`,
  },
  {
    version: 87,
    name: 'leases',
    sql: `CREATE TABLE IF NOT EXISTS leases (
      name TEXT PRIMARY KEY, node TEXT NOT NULL, until_at BIGINT NOT NULL) WITHOUT ROWID`,
  },
  {
    version: 88,
    name: 'sound of recordings',
    sql: `CREATE TABLE IF NOT EXISTS prompt_files (
      sha256 TEXT PRIMARY KEY, bytes BIGINT NOT NULL, whole BIGINT NOT NULL, unused_since BIGINT)`,
  },
  {
    version: 89,
    name: 'sound of recordings, in pieces',
    sql: `CREATE TABLE IF NOT EXISTS prompt_pieces (
      sha256 TEXT NOT NULL, piece BIGINT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (sha256, piece))`,
  },
  { version: 90, name: 'places of captures', sql: 'ALTER TABLE captures ADD COLUMN place TEXT' },
  {
    version: 91,
    name: 'sound that a node has to remove',
    sql: `CREATE TABLE IF NOT EXISTS sound_removals (
      place TEXT NOT NULL, account_id TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL,
      PRIMARY KEY (place, account_id, id))`,
  },
  {
    version: 92,
    name: 'slots of outbound and trunk calls that nodes hold',
    sql: `CREATE TABLE IF NOT EXISTS slots (
      id TEXT NOT NULL, key TEXT NOT NULL, node TEXT NOT NULL, call_id TEXT NOT NULL, PRIMARY KEY (id, key)) WITHOUT ROWID`,
  },
  { version: 93, name: 'slots by node', sql: 'CREATE INDEX IF NOT EXISTS slots_by_node ON slots (node)' },
  {
    version: 94,
    name: 'number of slots',
    sql: 'CREATE TABLE IF NOT EXISTS slot_totals (key TEXT PRIMARY KEY, used BIGINT NOT NULL) WITHOUT ROWID',
  },
  {
    version: 95,
    name: 'allowances of messages',
    sql: `CREATE TABLE IF NOT EXISTS allowances (
      name TEXT NOT NULL, account_id TEXT NOT NULL, period BIGINT NOT NULL, used BIGINT NOT NULL,
      PRIMARY KEY (name, account_id)) WITHOUT ROWID`,
  },
  {
    version: 96,
    name: 'counts of nodes',
    sql: `CREATE TABLE IF NOT EXISTS node_counts (
      node TEXT PRIMARY KEY, version BIGINT NOT NULL, counts TEXT NOT NULL) WITHOUT ROWID`,
  },
  {
    version: 97,
    // `holder` names one claim of one call. Times by the database's clock.
    name: 'agents that calls keep busy',
    sql: `CREATE TABLE IF NOT EXISTS agent_claims (
      account_id TEXT NOT NULL, agent TEXT NOT NULL, holder TEXT NOT NULL, node TEXT NOT NULL, exclusive BIGINT NOT NULL,
      PRIMARY KEY (account_id, agent, holder)) WITHOUT ROWID`,
  },
  {
    version: 98,
    name: 'one call rings an agent',
    sql: `CREATE UNIQUE INDEX IF NOT EXISTS agent_claims_exclusive ON agent_claims (account_id, agent) WHERE exclusive = 1`,
    survived: 'The version before does not know the table, which is as new.',
  },
  {
    version: 99,
    name: 'claims of a node',
    sql: 'CREATE INDEX IF NOT EXISTS agent_claims_by_node ON agent_claims (node)',
  },
  {
    version: 100,
    name: 'since when agents are idle, and until when they rest',
    sql: `CREATE TABLE IF NOT EXISTS agent_states (
      account_id TEXT NOT NULL, agent TEXT NOT NULL, idle_since BIGINT NOT NULL, rest_until BIGINT NOT NULL, wrapup_ms BIGINT NOT NULL,
      PRIMARY KEY (account_id, agent)) WITHOUT ROWID`,
  },
  {
    version: 101,
    name: 'who was rung last',
    sql: `CREATE TABLE IF NOT EXISTS department_states (
      account_id TEXT NOT NULL, department TEXT NOT NULL, last_rung TEXT NOT NULL, at BIGINT NOT NULL,
      PRIMARY KEY (account_id, department)) WITHOUT ROWID`,
  },
  {
    version: 102,
    // In the order of their numbers. `list`: a hash of `agents`; `offer`: how many offers it had; `offered`: agents reserved for it.
    name: 'callers in queues',
    sql: `CREATE TABLE IF NOT EXISTS queue_callers (
      account_id TEXT NOT NULL, number BIGINT NOT NULL, department TEXT NOT NULL, list TEXT NOT NULL, agents TEXT NOT NULL,
      strategy TEXT NOT NULL, call_id TEXT NOT NULL, node TEXT NOT NULL, caller TEXT, since BIGINT NOT NULL, offer BIGINT NOT NULL,
      offered TEXT, PRIMARY KEY (account_id, number)) WITHOUT ROWID`,
  },
  {
    version: 103,
    name: 'queued callers of a node',
    sql: 'CREATE INDEX IF NOT EXISTS queue_callers_by_node ON queue_callers (node)',
  },
  { version: 104, name: 'nodes of bindings', sql: 'ALTER TABLE bindings ADD COLUMN node TEXT' },
  { version: 105, name: 'answers of phones', sql: 'ALTER TABLE bindings ADD COLUMN reachable BIGINT' },
  { version: 106, name: 'changes of bindings', sql: 'ALTER TABLE bindings ADD COLUMN changed_at BIGINT' },
  {
    version: 107,
    name: 'bindings by change',
    sql: 'CREATE INDEX IF NOT EXISTS bindings_by_change ON bindings (changed_at)',
  },
  {
    version: 108,
    name: 'bindings by node',
    sql: 'CREATE INDEX IF NOT EXISTS bindings_by_node ON bindings (node)',
  },
  {
    version: 109,
    // until_at by the database's clock. One row for each trunk that registers: the node that does it, and how it went.
    name: 'registrations at trunks',
    sql: `CREATE TABLE IF NOT EXISTS trunk_registrations (
      account_id TEXT NOT NULL, trunk_id TEXT NOT NULL, node TEXT NOT NULL, until_at BIGINT NOT NULL, registered BIGINT NOT NULL,
      problem TEXT, PRIMARY KEY (account_id, trunk_id)) WITHOUT ROWID`,
  },
  {
    version: 110,
    // written_at by the database's clock: the age of the call was age_ms then.
    name: 'running calls of nodes',
    sql: `CREATE TABLE IF NOT EXISTS live_calls (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL, node TEXT NOT NULL, run TEXT NOT NULL, state TEXT NOT NULL, at_node TEXT, agent TEXT,
      age_ms BIGINT NOT NULL, json TEXT NOT NULL, written_at BIGINT NOT NULL) WITHOUT ROWID`,
  },
  {
    version: 111,
    name: 'running calls by node',
    sql: 'CREATE INDEX IF NOT EXISTS live_calls_by_node ON live_calls (node, id)',
  },
  {
    version: 112,
    name: 'running calls by account',
    sql: 'CREATE INDEX IF NOT EXISTS live_calls_by_account ON live_calls (account_id, id)',
  },
  {
    version: 113,
    // The last changes of each account, by the revision of its records.
    name: 'changes of records',
    sql: `CREATE TABLE IF NOT EXISTS record_changes (
      account_id TEXT NOT NULL, revision BIGINT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (account_id, revision, kind, id)) WITHOUT ROWID`,
  },
  { version: 114, name: 'dialogs of running calls', sql: 'ALTER TABLE live_calls ADD COLUMN recovery TEXT' },
  {
    version: 115,
    name: 'pauses of agents, and departments that they are signed out of',
    sql: `CREATE TABLE IF NOT EXISTS agent_presence (
      account_id TEXT NOT NULL, eid TEXT NOT NULL, paused_at BIGINT, reason TEXT NOT NULL, signed_out TEXT NOT NULL,
      PRIMARY KEY (account_id, eid)) WITHOUT ROWID`,
  },
  {
    version: 116,
    // open_key and lease_until are null once it is over: one is open for each number and department.
    name: 'call-backs',
    sql: `CREATE TABLE IF NOT EXISTS callbacks (
      account_id TEXT NOT NULL, id TEXT NOT NULL, department TEXT NOT NULL, number TEXT NOT NULL, number_key TEXT NOT NULL,
      caller_key TEXT NOT NULL, typed BIGINT NOT NULL, asked_by TEXT NOT NULL, place BIGINT NOT NULL, asked_at BIGINT NOT NULL,
      state TEXT NOT NULL, attempts BIGINT NOT NULL, due_at BIGINT NOT NULL, call_id TEXT NOT NULL, result TEXT, ended_at BIGINT,
      open_key TEXT, node TEXT, lease_until BIGINT, PRIMARY KEY (account_id, id), UNIQUE (account_id, open_key)) WITHOUT ROWID`,
  },
  {
    version: 117,
    name: 'call-backs by age',
    sql: 'CREATE INDEX IF NOT EXISTS callbacks_by_age ON callbacks (account_id, asked_at)',
  },
  {
    version: 118,
    name: 'leases of call-backs',
    sql: 'CREATE INDEX IF NOT EXISTS callbacks_by_lease ON callbacks (lease_until)',
  },
  {
    version: 119,
    // Within a department; nodes of the version before serve in order of arrival alone.
    name: 'priorities of callers in queues',
    sql: 'ALTER TABLE queue_callers ADD COLUMN priority BIGINT NOT NULL DEFAULT 0',
  },
  {
    version: 120,
    name: 'priorities of call-backs',
    sql: 'ALTER TABLE callbacks ADD COLUMN priority BIGINT NOT NULL DEFAULT 0',
  },
  ...PEOPLE_STEPS,
  {
    version: 230,
    // open_key is null once it is closed: one is open for each type and subject.
    name: 'notifications',
    sql: `CREATE TABLE IF NOT EXISTS notifications (
      account_id TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL, facts TEXT NOT NULL,
      opened_at BIGINT NOT NULL, closed_at BIGINT, sent TEXT NOT NULL, open_key TEXT,
      PRIMARY KEY (account_id, id), UNIQUE (account_id, open_key)) WITHOUT ROWID`,
  },
  {
    version: 231,
    name: 'notifications by subject',
    sql: 'CREATE INDEX IF NOT EXISTS notifications_by_subject ON notifications (account_id, subject, id)',
  },
  {
    version: 232,
    name: 'notifications by age',
    sql: 'CREATE INDEX IF NOT EXISTS notifications_by_age ON notifications (closed_at)',
  },
  {
    version: 233,
    name: 'open notifications',
    sql: 'CREATE INDEX IF NOT EXISTS notifications_by_open_key ON notifications (open_key)',
  },
  {
    version: 260,
    name: 'deleted records',
    sql: `CREATE TABLE IF NOT EXISTS deleted_records (
      account_id TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, record_id TEXT NOT NULL, version BIGINT NOT NULL,
      created_at BIGINT NOT NULL, deleted_at BIGINT NOT NULL, deleted_by TEXT NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (account_id, id)) WITHOUT ROWID`,
  },
  {
    version: 261,
    name: 'deleted records by age',
    sql: 'CREATE INDEX IF NOT EXISTS deleted_records_by_age ON deleted_records (deleted_at)',
  },
  ...DRAFT_STEPS,
  {
    version: 290,
    name: 'variables of the service',
    sql: `CREATE TABLE IF NOT EXISTS service_variables (
      name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL, updated_at BIGINT NOT NULL) WITHOUT ROWID`,
  },
];
