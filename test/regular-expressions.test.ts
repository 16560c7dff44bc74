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
const PATIENCE = { timeout: null, maxIteration: 2, maxInitialGenerationSize: 50, seedingLimit: 200 };
/** Made at run time, of constants: the form of a number, a literal with another flag, the table of numbering plans. */
const DYNAMIC = ['src/domain/numbering.ts', 'src/kinds/common-fields.ts', 'src/kinds/number-text.ts'];

/**
 * Each takes recheck some seconds, together most of a minute. `npm run .ci/full fuzz` checks them again (ALL_EXPRESSIONS); one that is
 * changed is another, and is checked at once.
 */
const CHECKED: readonly string[] = [
  '/(?:^|&)privacy=[^&]*history/i',
  '/(?:^|&)reason=[^&]*?;cause=([0-9]{1,4})/i',
  String.raw`/\b(inline:)([^|\s]+)/gi`,
  String.raw`/\b(response|rspauth)([ \t]*=[ \t]*"?)([0-9a-f]+)/gi`,
  String.raw`/^(?:call-id|i)[ \t]*:([^\r\n]*)/im`,
  String.raw`/^(a=ice-pwd:)([^\r\n]+)/gim`,
  String.raw`/^(m=audio [0-9]+) RTP\/AVP /m`,
  String.raw`/^Max open files\s+(\d+)/m`,
  String.raw`/^\d+ (?:path|size|linkpath)=|GNU\.sparse/m`,
  String.raw`/^server[ \t]*:[ \t]*(.*?)\r?$/im`,
];

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
  expect(CHECKED.filter((text) => !distinct.has(text))).toEqual([]);
  if (!process.env['ALL_EXPRESSIONS']) for (const text of CHECKED) distinct.delete(text);
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
