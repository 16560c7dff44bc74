// Compares the steps that a database has with those of this program. A step is the same when number, name and checksum are.
import { createHash } from 'node:crypto';
import { StorageError } from '../storage.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';

/** The table of steps that have run. The checksum came later: `adopted` marks steps that ran before. */
export const LEDGER = [
  'CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
  "ALTER TABLE migrations ADD COLUMN checksum TEXT NOT NULL DEFAULT 'adopted'",
] as const;
export const ADD_TO_LEDGER =
  'INSERT INTO migrations (version, name, applied_at, checksum) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
export const FORGET_STEP = 'DELETE FROM migrations WHERE version = $1 AND name = $2';
const TYPES: ReadonlySet<string> = new Set(['TEXT', 'BIGINT']);
const ADOPTED = 'adopted';

/** Steps of early databases that other steps have replaced. */
const RETIRED: ReadonlySet<string> = new Set(['what jobs are for']);

/** White space does not count: indentation may change. */
export function checksumOf({ version, name, sql }: Migration): string {
  const text = `${version} ${name} ${sql.replace(/\s+/g, ' ')}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A row of the ledger as the database returns it. Without a checksum where the column is missing. */
export interface LedgerRow {
  readonly version?: unknown;
  readonly name?: unknown;
  readonly checksum?: unknown;
}

export interface LedgerStep {
  readonly version: number;
  readonly name: string;
}

export interface LedgerReview {
  readonly missing: readonly Migration[];
  /** Early databases have steps under other numbers. Every step is safe to repeat: they run again under their number. */
  readonly renumbered: readonly LedgerStep[];
  /** Only a newer program has these. */
  readonly unknown: readonly LedgerStep[];
  readonly changed: readonly Migration[];
}

export function reviewLedger(
  rows: readonly LedgerRow[],
  migrations: readonly Migration[] = MIGRATIONS,
): LedgerReview {
  const applied = rows.map(({ version, name, checksum = ADOPTED }) => ({
    version: Number(version),
    name: String(name),
    checksum: String(checksum),
  }));
  const done = new Map(applied.map(({ version, name, checksum }) => [`${version} ${name}`, checksum]));
  const byName = new Map(migrations.map((step) => [step.name, step]));
  const elsewhere = applied.filter(({ version, name }) => byName.get(name)?.version !== version);
  const isRenumbered = ({ name }: LedgerStep): boolean => byName.has(name) || RETIRED.has(name);
  return {
    missing: migrations.filter(({ version, name }) => !done.has(`${version} ${name}`)),
    renumbered: elsewhere.filter(isRenumbered),
    unknown: elsewhere.filter((step) => !isRenumbered(step)),
    changed: migrations.filter((step) => {
      const checksum = done.get(`${step.version} ${step.name}`) ?? ADOPTED;
      return checksum !== ADOPTED && checksum !== checksumOf(step);
    }),
  };
}

/** Why this program must not use the database; null: it may. */
export function refusalOf({ unknown, changed }: LedgerReview): string | null {
  if (unknown.length > 0)
    return `a newer version of Dialtree wrote this database, with ${list(unknown)}. Start that version, or restore a backup from before the upgrade.`;
  if (changed.length > 0)
    return `the database was made with another text of ${list(changed)}: the checksum differs. Start the version that made it.`;
  return null;
}

export function checkLedger(review: LedgerReview): void {
  const refusal = refusalOf(review);
  if (refusal !== null) throw new StorageError('unavailable', refusal);
}

function list(steps: readonly LedgerStep[]): string {
  const names = steps.map(({ version, name }) => `${version} (${name})`);
  return `${names.length === 1 ? 'step' : 'steps'} ${names.join(', ')} of its schema`;
}

/** The table and column that a step adds, null for other statements. */
export function addedColumn(sql: string): { readonly table: string; readonly column: string } | null {
  const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(sql) ?? [];
  return table !== undefined && column !== undefined ? { table, column } : null;
}

/** Every table with its columns, as the steps make them. */
export function tablesOf(migrations: readonly Migration[] = MIGRATIONS): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const { sql } of migrations) {
    const created = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql)?.[1];
    if (created !== undefined) tables.set(created, columnsIn(sql));
    const added = addedColumn(sql);
    // A step that repairs early databases repeats a column.
    if (added && !tables.get(added.table)?.includes(added.column))
      tables.get(added.table)?.push(added.column);
  }
  return tables;
}

/** Columns are what stands before a type. */
function columnsIn(sql: string): string[] {
  const words = sql.match(/\w+/g) ?? [];
  return words.filter((_, index) => TYPES.has(words[index + 1] ?? ''));
}

/** Names every column of every table and reads no row: fails where one is missing, whatever the ledger says. */
export const READ_SCHEMA = `SELECT ${[...tablesOf()]
  .map(
    ([table, columns]) =>
      `(SELECT count(*) FROM (SELECT ${columns.join(', ')} FROM ${table} WHERE 1 = 0) AS t)`,
  )
  .join(' + ')} AS found`;
