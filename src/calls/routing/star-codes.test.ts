import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FeatureName, STAR_CODES, type StarCodeRow, starCodeOf } from './star-codes.ts';

const rows: readonly StarCodeRow[] = STAR_CODES;

describe('the table of star codes', () => {
  /** Intercom numbers are digits alone: no agent can have a code as the number. */
  it('has each code and each feature once, written as a star and one to three digits', () => {
    for (const { code } of rows) expect(code).toMatch(/^\*(\*|[0-9]{1,3})$/);
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length);
    expect(new Set(rows.map(({ feature }) => feature)).size).toBe(rows.length);
  });

  it('has no code that digits behind another code would make', () => {
    const ambiguous = rows.filter(({ code, follows }) =>
      rows.some((other) => follows !== null && other.code !== code && other.code.startsWith(code)),
    );
    expect(ambiguous).toEqual([]);
  });

  it('is that of docs/star-codes.md', () => {
    const text = readFileSync(new URL('../../../docs/star-codes.md', import.meta.url), 'utf8');
    const written = [...text.matchAll(/^\| `(\*[0-9*]+)` \| (.*?) \| (.*?) \|$/gm)].map((line) =>
      line.slice(1),
    );
    const wanted = rows.map(({ code, follows, optional, meaning }) => [
      code,
      follows === null ? 'none' : follows + (optional ? ', or none' : ''),
      meaning,
    ]);
    expect(written).toEqual(wanted);
  });
});

describe('a dialled code', () => {
  const row = (code: string, follows: string | null, optional?: true) => ({
    code,
    feature: code as FeatureName,
    follows,
    meaning: '',
    ...(optional ? { optional } : {}),
  });
  const TABLE = [row('*1', null), row('*12', 'a number'), row('*3', 'a number', true)];

  it.each([
    ['*1', { code: '*1', digits: '' }],
    ['*11', null],
    ['*12', 'incomplete'],
    ['*12345', { code: '*12', digits: '345' }],
    ['*3', { code: '*3', digits: '' }],
    ['*39', { code: '*3', digits: '9' }],
    ['*3#9', null],
    ['*3*', null],
    [`*3${'1'.repeat(21)}`, null],
    ['*9', null],
    ['1', null],
    ['+1', null],
    ['', null],
  ])('%s is %o', (dialled, expected) => {
    const got = starCodeOf(dialled, TABLE);
    if (expected === null || typeof expected === 'string') expect(got).toBe(expected);
    else expect(got).toMatchObject(expected);
  });
});

it.each([...Array.from({ length: 10 }, (_, digit) => `digit-${digit}`), 'star-code-failed'])(
  'the prompt %s exists',
  (name) => expect(existsSync(new URL(`../../../assets/prompts/${name}.wav`, import.meta.url))).toBe(true),
);
