// T31: every regular expression of the sources is checked by recheck: none needs more than linear time, whatever the input.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { NUMBERING_PLANS } from '../src/domain/numbering-plans.ts';
import { figure } from './support/figure.ts';

// Without Java and without a program of its own.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where the automaton is too large, recheck tries generated inputs: fewer than by default, which takes seconds for each. */
const PATIENCE = { timeout: 60_000, maxIteration: 2, maxInitialGenerationSize: 50, seedingLimit: 200 };
/** Made at run time, of constants: the form of a number, a literal with another flag, the table of numbering plans. */
const DYNAMIC = ['src/api/schemas/number.ts', 'src/domain/number-text.ts', 'src/domain/numbering.ts'];

interface Found {
  readonly path: string;
  readonly pattern: string;
  readonly flags: string;
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name))
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|contract)\.ts$|\/testing\//.test(path));

/** Calls `visit` with every node of a syntax tree. */
function walk(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const each of Object.values(value)) walk(each, visit);
}

function expressionsOf(path: string): { literals: Found[]; isDynamic: boolean } {
  const literals: Found[] = [];
  let isDynamic = false;
  walk(parseAst(readFileSync(join(root, path), 'utf8'), { lang: 'ts' }), ({ regex, type, callee }) => {
    if (regex) literals.push({ path, ...(regex as Pick<Found, 'pattern' | 'flags'>) });
    const isMade = type === 'NewExpression' || type === 'CallExpression';
    if (isMade && (callee as { name?: string }).name === 'RegExp') isDynamic = true;
  });
  return { literals, isDynamic };
}

const found = sources.map((path) => ({ path, ...expressionsOf(path) }));

test('T31: no regular expression of the sources backtracks on input', () => {
  const distinct = new Map(
    found.flatMap(({ literals }) => literals).map((each) => [`/${each.pattern}/${each.flags}`, each]),
  );
  expect(distinct.size).toBeGreaterThan(50);
  const unsafe = [...distinct].flatMap(([text, { path, pattern, flags }]) => {
    const checked = checkSync(pattern, flags.replace('d', ''), PATIENCE);
    if (checked.status === 'safe') return [];
    const why = checked.status === 'vulnerable' ? checked.complexity.summary : checked.error.kind;
    return [`${path}: ${text} is ${checked.status} (${why})`];
  });
  expect(unsafe).toEqual([]);
  figure('T31', `${distinct.size} regular expressions checked by recheck, 0 vulnerable`);
}, 300_000);

test('T31: expressions are literals, which the check can read', () => {
  expect(
    found
      .filter(({ isDynamic }) => isDynamic)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(DYNAMIC);
});

test('T31: expressions of numbering plans repeat a bounded number of times', () => {
  const unbounded = Object.entries(NUMBERING_PLANS).filter(([, [, exit, national, , removed]]) =>
    [exit, national, removed].some((text) => /[*+]|\{\d+,\}/.test(text)),
  );
  expect(unbounded.map(([country]) => country)).toEqual([]);
});
