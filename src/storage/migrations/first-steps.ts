// Steps 1 to 36 of the schema; migrations.ts has the rules and the later ones.
import type { Migration } from './migration.ts';

export const FIRST_STEPS: readonly Migration[] = [
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
];
