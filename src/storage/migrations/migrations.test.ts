import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  checksumOf,
  expands,
  type LedgerRow,
  refusalOf,
  reviewLedger,
  startRefusalOf,
  tablesOf,
} from './ledger.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';
import { newSeals } from './sealed.ts';

const SEALED = readFileSync(new URL('sealed.txt', import.meta.url), 'utf8');
const STEPS: readonly Migration[] = [
  { version: 1, name: 'a', sql: 'CREATE TABLE IF NOT EXISTS a (id TEXT PRIMARY KEY, size BIGINT)' },
  { version: 2, name: 'b', sql: 'ALTER TABLE a ADD COLUMN colour TEXT' },
];
/** Steps up to this one are older than the rule; all versions that ran them have ended. */
const BEFORE_THE_RULE = 85;
const [FIRST, SECOND] = STEPS as [Migration, Migration];
const rowOf = (step: Migration): LedgerRow => ({ ...step, checksum: checksumOf(step) });

describe('R27: migrations that have landed', () => {
  it('have not changed since, and new ones are sealed', () => {
    const unsealed = newSeals(SEALED, MIGRATIONS);
    expect(unsealed, 'run `npm run migrations:seal` and commit sealed.txt').toEqual([]);
  });

  it('have rising numbers and names of their own', () => {
    const versions = MIGRATIONS.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
  });

  it('are refused when one changes, goes or gets another number; new ones are appended', () => {
    const sealed = newSeals('', STEPS).join('\n');
    const edited = { ...SECOND, sql: `${SECOND.sql} NOT NULL DEFAULT ''` };
    expect(() => newSeals(sealed, [FIRST, edited])).toThrow('Migration 2 b has landed');
    expect(() => newSeals(sealed, [FIRST, edited])).toThrow('Append a new step');
    expect(() => newSeals(sealed, [SECOND])).toThrow('Migration 1 a');
    expect(() => newSeals(sealed, [FIRST, { ...SECOND, version: 3 }])).toThrow('Migration 2 b');
    const third = { version: 3, name: 'c', sql: 'CREATE INDEX IF NOT EXISTS c ON a (size)' };
    expect(newSeals(sealed, [...STEPS, third])).toEqual([`${checksumOf(third)} 3 c`]);
  });

  it('only add to what the former version uses, so that it can serve beside this one (docs/decisions/0017)', () => {
    const others = MIGRATIONS.filter((step) => step.version > BEFORE_THE_RULE && !expands(step));
    expect(others, 'a step that drops, renames, tightens or rewrites has `survived`: why it may').toEqual([]);
  });

  it('expand by new tables, indexes that refuse no row and columns that rows may lack, and by nothing else', () => {
    const expanding = [
      'CREATE TABLE IF NOT EXISTS nodes (id TEXT PRIMARY KEY)',
      'CREATE INDEX IF NOT EXISTS a_by_size ON a (size)',
      'ALTER TABLE a ADD COLUMN colour TEXT',
      "ALTER TABLE a ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",
      'ALTER TABLE a ADD COLUMN size BIGINT NOT NULL DEFAULT 0',
    ];
    expect(expanding.filter((sql) => !expands({ sql }))).toEqual([]);
    const others = [
      'DROP TABLE a',
      'ALTER TABLE a DROP COLUMN colour',
      'ALTER TABLE a RENAME COLUMN colour TO hue',
      'ALTER TABLE a RENAME TO b',
      'ALTER TABLE a ADD COLUMN colour TEXT NOT NULL',
      'ALTER TABLE a ADD COLUMN colour TEXT UNIQUE',
      'ALTER TABLE a ADD COLUMN colour TEXT, DROP COLUMN size',
      'CREATE UNIQUE INDEX IF NOT EXISTS one_size ON a (size)',
      'UPDATE a SET size = 1',
      'DELETE FROM a',
    ];
    expect(others.filter((sql) => expands({ sql }))).toEqual([]);
  });

  it('have the same checksum with other indentation', () => {
    expect(checksumOf({ ...FIRST, sql: FIRST.sql.replaceAll(', ', ',\n    ') })).toBe(checksumOf(FIRST));
  });
});

describe('R27: the ledger of a database', () => {
  it('of this program lacks nothing', () => {
    const review = reviewLedger(STEPS.map(rowOf), STEPS);
    expect(review).toEqual({ missing: [], renumbered: [], unknown: [], changed: [] });
    expect(refusalOf(review)).toBeNull();
  });

  it('from before checksums is adopted, with or without the column', () => {
    const rows = [
      { version: 1, name: 'a' },
      { version: '2', name: 'b', checksum: 'adopted' },
    ];
    expect(refusalOf(reviewLedger(rows, STEPS))).toBeNull();
  });

  it('of a newer program is refused by the step’s name', () => {
    const review = reviewLedger([...STEPS.map(rowOf), { version: 3, name: 'c', checksum: 'x' }], STEPS);
    expect(refusalOf(review)).toContain('a newer version of Dialtree wrote this database, with step 3 (c)');
  });

  it('of a newer program that only added may be used, and not be backed up', () => {
    const review = reviewLedger([...STEPS.map(rowOf), { version: 3, name: 'c', expands: '1' }], STEPS);
    expect(startRefusalOf(review)).toBeNull();
    expect(refusalOf(review)).toContain('with step 3 (c)');
    const more = [
      ...STEPS.map(rowOf),
      { version: 3, name: 'c', expands: 1 },
      { version: 4, name: 'd', expands: 0 },
    ];
    expect(startRefusalOf(reviewLedger(more, STEPS))).toContain('with step 4 (d) of');
  });

  it('with another checksum is refused by the step’s name', () => {
    const review = reviewLedger([rowOf(FIRST), { ...rowOf(SECOND), checksum: 'x' }], STEPS);
    expect(refusalOf(review)).toContain('another text of step 2 (b)');
  });

  it('with steps under other numbers has them run again', () => {
    const rows = [rowOf(FIRST), { version: 9, name: 'b' }, { version: 30, name: 'what jobs are for' }];
    const review = reviewLedger(rows, STEPS);
    expect(review.missing).toEqual([SECOND]);
    expect(review.renumbered).toMatchObject([{ version: 9, name: 'b' }, { version: 30 }]);
    expect(refusalOf(review)).toBeNull();
  });
});

it('R27: the columns of every table are read off the steps', () => {
  expect([...tablesOf(STEPS)]).toEqual([['a', ['id', 'size', 'colour']]]);
  expect(tablesOf().get('outbox')).toContain('failures');
});
