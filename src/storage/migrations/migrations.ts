// The schema, step by step, the same for both databases. One statement per step; each is safe to repeat (ADD COLUMN is
// skipped where the column exists). A step that has landed never changes: sealed.txt has its checksum, a test and every
// start compare it. New steps only add (expand, then contract a release later), so that an older node keeps working.
// The portable subset: text ids, times as epoch milliseconds, JSON as text, account_id leading every key.

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'accounts',
    sql: `CREATE TABLE IF NOT EXISTS accounts (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL, settings TEXT NOT NULL)`,
  },
  {
    version: 2,
    name: 'tokens',
    sql: `CREATE TABLE IF NOT EXISTS tokens (
      account_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL, expires_at BIGINT, last_used_at BIGINT, PRIMARY KEY (account_id, id))`,
  },
  {
    version: 3,
    name: 'records',
    sql: `CREATE TABLE IF NOT EXISTS records (
      account_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, version BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (account_id, kind, id))`,
  },
  {
    version: 4,
    name: 'record versions',
    sql: `CREATE TABLE IF NOT EXISTS record_versions (
      account_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, version BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (account_id, kind, id, version))`,
  },
  {
    version: 5,
    name: 'unique keys of records',
    sql: `CREATE TABLE IF NOT EXISTS record_keys (
      account_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (account_id, kind, name, value))`,
  },
  {
    version: 6,
    name: 'number series',
    sql: `CREATE TABLE IF NOT EXISTS counters (
      account_id TEXT NOT NULL, series TEXT NOT NULL, value BIGINT NOT NULL, PRIMARY KEY (account_id, series))`,
  },
  {
    version: 7,
    name: 'idempotency keys',
    sql: `CREATE TABLE IF NOT EXISTS idempotency (
      account_id TEXT NOT NULL, route TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL, answer TEXT NOT NULL,
      created_at BIGINT NOT NULL, PRIMARY KEY (account_id, route, key))`,
  },
  {
    version: 8,
    name: 'idempotency keys by age',
    sql: 'CREATE INDEX IF NOT EXISTS idempotency_by_age ON idempotency (created_at)',
  },
  {
    version: 9,
    name: 'revisions',
    sql: 'CREATE TABLE IF NOT EXISTS revisions (topic TEXT PRIMARY KEY, revision BIGINT NOT NULL)',
  },
  {
    version: 10,
    name: 'call records',
    sql: `CREATE TABLE IF NOT EXISTS calls (
      account_id TEXT NOT NULL, id TEXT NOT NULL, started_at BIGINT NOT NULL, ended_at BIGINT NOT NULL,
      direction TEXT NOT NULL, caller TEXT, dialled TEXT NOT NULL, entry TEXT NOT NULL, end_code TEXT NOT NULL,
      cause BIGINT NOT NULL, answered_by TEXT, ring_ms BIGINT NOT NULL, talk_ms BIGINT NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (account_id, id))`,
  },
  {
    version: 11,
    name: 'call records by time',
    sql: 'CREATE INDEX IF NOT EXISTS calls_by_start ON calls (account_id, started_at, id)',
  },
  {
    version: 12,
    name: 'answered calls of each agent',
    sql: `CREATE TABLE IF NOT EXISTS answered_calls (
      account_id TEXT NOT NULL, eid TEXT NOT NULL, calls BIGINT NOT NULL, PRIMARY KEY (account_id, eid))`,
  },
  {
    version: 13,
    name: 'captures: voicemail messages and recorded calls',
    sql: `CREATE TABLE IF NOT EXISTS captures (
      account_id TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, call_id TEXT NOT NULL, box TEXT, eid TEXT,
      caller TEXT, caller_name TEXT NOT NULL, dialled TEXT NOT NULL, started_at BIGINT NOT NULL,
      duration_ms BIGINT NOT NULL, bytes BIGINT NOT NULL, heard_at BIGINT, PRIMARY KEY (account_id, id))`,
  },
  {
    version: 14,
    name: 'captures by time',
    sql: 'CREATE INDEX IF NOT EXISTS captures_by_start ON captures (account_id, kind, started_at, id)',
  },
  {
    version: 15,
    name: 'captures by call',
    sql: 'CREATE INDEX IF NOT EXISTS captures_by_call ON captures (account_id, call_id)',
  },
  {
    version: 16,
    name: 'captures by voicemail box',
    sql: 'CREATE INDEX IF NOT EXISTS captures_by_box ON captures (account_id, box, started_at, id)',
  },
  {
    version: 17,
    name: 'text messages',
    sql: `CREATE TABLE IF NOT EXISTS messages (
      account_id TEXT NOT NULL, id TEXT NOT NULL, call_id TEXT, recipient TEXT NOT NULL, template_id TEXT, text TEXT NOT NULL,
      parts BIGINT NOT NULL, state TEXT NOT NULL, error TEXT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
      sent_at BIGINT, PRIMARY KEY (account_id, id))`,
  },
  {
    version: 18,
    name: 'text messages by recipient',
    sql: 'CREATE INDEX IF NOT EXISTS messages_by_recipient ON messages (account_id, recipient, id)',
  },
  {
    version: 19,
    name: 'text messages of a call',
    sql: 'CREATE INDEX IF NOT EXISTS messages_by_call ON messages (account_id, call_id) WHERE call_id IS NOT NULL',
  },
  {
    version: 20,
    name: 'text messages by age',
    sql: 'CREATE INDEX IF NOT EXISTS messages_by_age ON messages (created_at)',
  },
  {
    version: 21,
    name: 'parts of text messages',
    sql: `CREATE TABLE IF NOT EXISTS message_parts (
      account_id TEXT NOT NULL, message_id TEXT NOT NULL, part BIGINT NOT NULL, gateway_id TEXT NOT NULL, state TEXT NOT NULL,
      PRIMARY KEY (account_id, message_id, part))`,
  },
  {
    version: 22,
    name: 'parts by what the gateway calls them',
    sql: 'CREATE INDEX IF NOT EXISTS message_parts_by_gateway ON message_parts (gateway_id)',
  },
  {
    version: 23,
    name: 'outbox',
    sql: `CREATE TABLE IF NOT EXISTS outbox (
      account_id TEXT NOT NULL, id TEXT NOT NULL, lane TEXT NOT NULL, subject TEXT NOT NULL,
      order_key TEXT NOT NULL, state TEXT NOT NULL, attempts BIGINT NOT NULL, due_at BIGINT NOT NULL, created_at BIGINT NOT NULL, queued_at BIGINT NOT NULL,
      settled_at BIGINT, worker TEXT, error TEXT, failures BIGINT NOT NULL DEFAULT 0,
      json TEXT NOT NULL, PRIMARY KEY (account_id, id))`,
  },
  {
    version: 24,
    name: 'outbox by what is due',
    sql: "CREATE INDEX IF NOT EXISTS outbox_by_due ON outbox (lane, due_at, id) WHERE state = 'waiting'",
  },
  {
    version: 25,
    name: 'outbox in order',
    sql: `CREATE INDEX IF NOT EXISTS outbox_in_order ON outbox (lane, account_id, order_key, id)
      WHERE state = 'waiting' AND order_key <> ''`,
  },
  {
    version: 26,
    name: 'finished jobs by age',
    sql: 'CREATE INDEX IF NOT EXISTS outbox_by_age ON outbox (state, settled_at) WHERE settled_at IS NOT NULL',
  },
  {
    version: 27,
    name: 'how many jobs wait',
    sql: `CREATE TABLE IF NOT EXISTS outbox_counts (
      account_id TEXT NOT NULL, lane TEXT NOT NULL, waiting BIGINT NOT NULL, dead BIGINT NOT NULL,
      PRIMARY KEY (account_id, lane))`,
  },
  {
    version: 28,
    name: 'outbox by what it is for',
    sql: 'CREATE INDEX IF NOT EXISTS outbox_by_subject ON outbox (account_id, lane, subject, id)',
  },
  { version: 29, name: 'outcome of calls', sql: 'ALTER TABLE calls ADD COLUMN outcome TEXT' },
  { version: 30, name: 'name of callers', sql: 'ALTER TABLE calls ADD COLUMN caller_name TEXT' },
  {
    version: 31,
    name: 'words that calls are found by',
    sql: `CREATE TABLE IF NOT EXISTS call_words (
      account_id TEXT NOT NULL, word TEXT NOT NULL, started_at BIGINT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (account_id, word, started_at, id)) WITHOUT ROWID`,
  },
  {
    version: 32,
    name: 'what is searched in calls, without their trails',
    sql: `CREATE INDEX IF NOT EXISTS calls_to_scan
      ON calls (account_id, started_at, id, ended_at, caller, dialled, caller_name)`,
  },
  {
    version: 33,
    name: 'statistics by hour, in quarters',
    sql: `CREATE TABLE IF NOT EXISTS call_counts (
      account_id TEXT NOT NULL, subject TEXT NOT NULL, hour BIGINT NOT NULL, counts TEXT NOT NULL,
      PRIMARY KEY (account_id, subject, hour)) WITHOUT ROWID`,
  },
  {
    version: 34,
    name: 'statistics by day, for comparing agents and departments',
    sql: `CREATE TABLE IF NOT EXISTS call_days (
      account_id TEXT NOT NULL, kind TEXT NOT NULL, day BIGINT NOT NULL, subject TEXT NOT NULL, counts TEXT NOT NULL,
      PRIMARY KEY (account_id, kind, day, subject)) WITHOUT ROWID`,
  },
  {
    version: 35,
    name: 'audit',
    sql: `CREATE TABLE IF NOT EXISTS audit (
      account_id TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, actor_id TEXT NOT NULL, actor_name TEXT NOT NULL,
      request_id TEXT NOT NULL, action TEXT NOT NULL, kind TEXT NOT NULL, record_id TEXT NOT NULL, version BIGINT,
      PRIMARY KEY (account_id, id))`,
  },
  {
    version: 36,
    name: 'audit of one record',
    sql: 'CREATE INDEX IF NOT EXISTS audit_by_record ON audit (account_id, kind, record_id, id)',
  },
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
];
