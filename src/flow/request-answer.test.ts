import { expect, test } from 'vitest';
import { readAnswer } from './request-answer.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const SAVE = [{ variable: 'all', pointer: '/all' }];

test('an answer that is nested too deeply is malformed, and says so', () => {
  const deep = { ok: false, failure: 'malformed', detail: 'the answer is nested too deeply' };
  expect(readAnswer(`{"all":${nested(30_000)}}`, SAVE)).toEqual(deep);
  expect(readAnswer(`{"all":${nested(100)}}`, SAVE)).toEqual(deep);
  expect(readAnswer(`{"all":${nested(99)}}`, SAVE)).toEqual({
    ok: true,
    choice: null,
    values: { all: nested(99) },
  });
});
