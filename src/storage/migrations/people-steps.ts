// Steps of the schema for users; migrations.ts has the rules.
import type { Migration } from './migration.ts';

export const PEOPLE_STEPS: readonly Migration[] = [
  {
    version: 200,
    name: 'users',
    sql: `CREATE TABLE IF NOT EXISTS users (
      account_id TEXT NOT NULL, id TEXT NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, agent TEXT,
      disabled BIGINT NOT NULL, credentials TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
      last_sign_in_at BIGINT, PRIMARY KEY (account_id, id), UNIQUE (account_id, email)) WITHOUT ROWID`,
  },
  {
    version: 201,
    name: 'links that invite users or reset their password',
    sql: `CREATE TABLE IF NOT EXISTS user_links (
      account_id TEXT NOT NULL, id TEXT NOT NULL, user_id TEXT NOT NULL, purpose TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (account_id, id)) WITHOUT ROWID`,
  },
  { version: 202, name: 'users of tokens', sql: 'ALTER TABLE tokens ADD COLUMN user_id TEXT' },
  { version: 203, name: 'browsers of sessions', sql: 'ALTER TABLE tokens ADD COLUMN browser TEXT' },
  { version: 204, name: 'users in the audit', sql: 'ALTER TABLE audit ADD COLUMN user_id TEXT' },
  { version: 205, name: 'differences in the audit', sql: 'ALTER TABLE audit ADD COLUMN difference TEXT' },
];
