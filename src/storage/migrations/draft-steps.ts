// Steps of drafts and publications.
import type { Migration } from './migration.ts';

export const DRAFT_STEPS: readonly Migration[] = [
  {
    version: 270,
    name: 'drafts of records',
    sql: `CREATE TABLE IF NOT EXISTS draft_records (
      account_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, base_version BIGINT, json TEXT, edits BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, editor_id TEXT NOT NULL, editor_name TEXT NOT NULL,
      PRIMARY KEY (account_id, kind, id)) WITHOUT ROWID`,
  },
  {
    version: 271,
    name: 'publications of drafts',
    sql: `CREATE TABLE IF NOT EXISTS publications (
      account_id TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, reason TEXT NOT NULL, publisher_id TEXT NOT NULL,
      publisher_name TEXT NOT NULL, rolls_back TEXT, rolled_back_by TEXT, summary TEXT NOT NULL, changes TEXT NOT NULL,
      PRIMARY KEY (account_id, id)) WITHOUT ROWID`,
  },
];
