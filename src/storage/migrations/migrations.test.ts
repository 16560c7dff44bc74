import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checksumOf, type LedgerRow, refusalOf, reviewLedger, tablesOf } from './ledger.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { newSeals } from './sealed.ts';

const SEALED = readFileSync(new URL('sealed.txt', import.meta.url), 'utf8');
const STEPS: readonly Migration[] = [
  { version: 1, name: 'a', sql: 'CREATE TABLE IF NOT EXISTS a (id TEXT PRIMARY KEY, size BIGINT)' },
  { version: 2, name: 'b', sql: 'ALTER TABLE a ADD COLUMN colour TEXT' },
];
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
