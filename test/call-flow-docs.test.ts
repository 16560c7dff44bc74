// docs/call-flow.md lists every way a call can end, with its cause.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OWN_END_CODES, ownEnd } from '../src/calls/records/call-record.ts';
import { END_CODES, endReason } from '../src/flow/trail.ts';

const rows = readFileSync(new URL('../docs/call-flow.md', import.meta.url), 'utf8').split('\n');

test.each(END_CODES)('docs/call-flow.md gives the cause of %s', (code) => {
  const { cause, word } = endReason(code);
  expect(rows.some((row) => row.includes(`\`${code}\``) && row.includes(`| ${cause} ${word} |`))).toBe(true);
});

test.each(OWN_END_CODES)('docs/call-flow.md gives the cause of %s, which only calls have', (code) => {
  const { cause, word } = ownEnd(code);
  expect(rows.some((row) => row.includes(`\`${code}\``) && row.includes(`| ${cause} ${word} |`))).toBe(true);
});
