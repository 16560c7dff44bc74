import { expect, it } from 'vitest';
import { flag, integer, integerOrNull, json, text, textOrNull } from './columns.ts';

it('a column is the same from SQLite, which gives numbers, and from PostgreSQL, which gives a BIGINT as text', () => {
  expect([1700000000000, '1700000000000'].map(integer)).toEqual([1700000000000, 1700000000000]);
  expect([0, '0', 1, '1', null].map(flag)).toEqual([false, false, true, true, false]);
  expect([7, '7'].map(text)).toEqual(['7', '7']);
  expect(json<object>('{"a":1}')).toEqual({ a: 1 });
});

it('a column that is empty, or that the row lacks, is null where it may be', () => {
  expect([textOrNull(null), textOrNull(undefined), textOrNull('')]).toEqual([null, null, '']);
  expect([integerOrNull(null), integerOrNull(undefined), integerOrNull('0')]).toEqual([null, null, 0]);
});
