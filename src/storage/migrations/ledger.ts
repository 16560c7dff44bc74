// Compares the steps that a database has with those of this program. A step is the same when number, name and checksum are.
import { createHash } from 'node:crypto';
import type { SqlValue } from '../sql/tx.ts';
import { StorageError } from '../storage.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * The table of steps that have run. The checksum came later: `adopted` marks steps that ran before. `expands` is 1 for steps that a
 * program without them survives.
 */
export const LEDGER = [
  'CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
  "ALTER TABLE migrations ADD COLUMN checksum TEXT NOT NULL DEFAULT 'adopted'",
  'ALTER TABLE migrations ADD COLUMN expands BIGINT NOT NULL DEFAULT 0',
] as const;
export const ADD_TO_LEDGER =
  'INSERT INTO migrations (version, name, applied_at, checksum, expands) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING';
/** The values of ADD_TO_LEDGER. */
export const ledgerRow = (step: Migration): SqlValue[] => [
  step.version,
  step.name,
  Date.now(),
  checksumOf(step),
  expands(step) ? 1 : 0,
];
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
  readonly expands?: unknown;
}

export interface LedgerStep {
  readonly version: number;
  readonly name: string;
  readonly expands?: boolean;
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
  const applied = rows.map(({ version, name, checksum = ADOPTED, expands = 0 }) => ({
    version: Number(version),
    name: String(name),
    checksum: String(checksum),
    expands: Number(expands) === 1,
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

/** Why this program must not read all of the database, as a backup does; null: it may. */
export function refusalOf({ unknown, changed }: LedgerReview): string | null {
  if (unknown.length > 0)
    return `a newer version of Dialtree wrote this database, with ${list(unknown)}. Start that version, or restore a backup from before the upgrade.`;
  if (changed.length > 0)
    return `the database was made with another text of ${list(changed)}: the checksum differs. Start the version that made it.`;
  return null;
}

/** Why a service of this program must not start on the database. Steps of a newer one that only add do not matter. */
export function startRefusalOf(review: LedgerReview): string | null {
  return refusalOf({ ...review, unknown: review.unknown.filter(({ expands }) => !expands) });
}

export function checkLedger(review: LedgerReview): void {
  const refusal = startRefusalOf(review);
  if (refusal !== null) throw new StorageError('unavailable', refusal);
}

function list(steps: readonly LedgerStep[]): string {
  const names = steps.map(({ version, name }) => `${version} (${name})`);
  return `${names.length === 1 ? 'step' : 'steps'} ${names.join(', ')} of its schema`;
}

/**
 * Whether a program that does not know the step goes on as before (docs/decisions/0017): a new table; an index that refuses no
 * row; a column that rows may lack.
 */
export function expands({ sql, survived }: Pick<Migration, 'sql' | 'survived'>): boolean {
  if (survived !== undefined || /^CREATE (?:TABLE|INDEX) IF NOT EXISTS /.test(sql)) return true;
  const [alter, table, , add, column, , type = '', ...rest] = sql.split(' ');
  return (
    [alter, table, add, column].join(' ') === 'ALTER TABLE ADD COLUMN' &&
    TYPES.has(type) &&
    (rest.length === 0 || /^NOT NULL DEFAULT (?:'[^']*'|-?\d+)$/.test(rest.join(' ')))
  );
}

/** The words behind a statement's first ones; none for other statements. */
function wordsAfter(start: string, sql: string): string[] {
  const words = (sql.match(/\w+/g) ?? []).filter((word) => word !== 'UNIQUE');
  const count = start.split(' ').length;
  return words.slice(0, count).join(' ') === start ? words.slice(count) : [];
}

/** The index that a step makes, null for other statements. */
export function createdIndex(sql: string): { readonly name: string; readonly table: string } | null {
  const [name, , table] = wordsAfter('CREATE INDEX IF NOT EXISTS', sql);
  return name !== undefined && table !== undefined ? { name, table } : null;
}

/** The table and column that a step adds, null for other statements. */
export function addedColumn(sql: string): { readonly table: string; readonly column: string } | null {
  const [table, add, , column] = wordsAfter('ALTER TABLE', sql);
  return table !== undefined && add === 'ADD' && column !== undefined ? { table, column } : null;
}

/** Every table with its columns, as the steps make them. */
export function tablesOf(migrations: readonly Migration[] = MIGRATIONS): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const { sql } of migrations) {
    const [created] = wordsAfter('CREATE TABLE IF NOT EXISTS', sql);
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
