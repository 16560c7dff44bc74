// docs/lint.md and the linter hold each other: every code has its paragraph, every example does what it says.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failedTests } from '../src/domain/stored-tests.ts';
import { LINT_CODES } from '../src/flow/lint/finding.ts';
import { hiddenStarCodes } from '../src/flow/lint/star-codes.ts';
import { lintFlow } from '../src/flow/lint.ts';
import { flowOfExample, type LintExample } from './support/lint-example.ts';

const text = readFileSync(new URL('../docs/lint.md', import.meta.url), 'utf8');
const [, ...sections] = text.split(/^## /m);
const paragraphs = new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]));

function example(section: string, label: 'Bad' | 'Good'): LintExample {
  const [, json] = new RegExp(`^${label}:\\n\\n\`\`\`json\\n([^]*?)\`\`\``, 'm').exec(section) ?? [];
  if (json === undefined) throw new Error(`No ${label} example.`);
  return JSON.parse(json);
}

function codesIn(found: LintExample): string[] {
  const numbers = Object.keys(found).flatMap((ref) => (ref.startsWith('number||') ? ref.slice(8) : []));
  const codes = [{ code: '*65', follows: null }];
  const hidden = hiddenStarCodes(
    numbers.map((number) => ({ number })),
    codes,
  );
  const flow = flowOfExample(found);
  const menus = Object.entries(found).map(([ref, { tests = [] }]) => ({ ref, ivr: { name: ref, tests } }));
  return [...lintFlow(flow, ['ivr||main']), ...hidden, ...failedTests(menus, flow)].map(({ code }) => code);
}

test('docs/lint.md has a paragraph for every code of the linter, and for nothing else', () => {
  expect([...paragraphs.keys()].toSorted()).toEqual([...LINT_CODES].toSorted());
});

test.each(LINT_CODES)('examples of %s in docs/lint.md do what they say', (code) => {
  const section = paragraphs.get(code) ?? '';
  expect(codesIn(example(section, 'Bad'))).toContain(code);
  expect(codesIn(example(section, 'Good')), 'the good example is good altogether').toEqual([]);
});
