// The type scale of tokens.css is the one list of sizes: no rule of the console has a size of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../console/src', import.meta.url));
const TOKENS = join('look', 'tokens.css');
const filesOf = (ending: RegExp): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name));
const textOf = (name: string): string =>
  readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');

const sheets = filesOf(/\.css$/).map((name) => ({ name, text: textOf(name) }));
const tokens = sheets.find(({ name }) => name === TOKENS)?.text ?? '';
const scale = new Map(
  [...(tokens.match(/:root \{[\s\S]*?\n\}/)?.[0] ?? '').matchAll(/--text-(\w+): ([^;]+);/g)].map(
    ([, step = '', size = '']) => [step, size] as const,
  ),
);
/** What sets the size of text, with its value. */
const SIZES = /(?<![\w-])(?:font-size|font): ([^;}]+)[;}]/g;
const sizesOf = (text: string): readonly string[] => [...text.matchAll(SIZES)].map(([, value = '']) => value);

it('every size of text is a step of the scale', () => {
  const sizes = sheets.flatMap(({ name, text }) => sizesOf(text).map((value) => ({ name, value })));
  expect(sizes.length).toBeGreaterThan(60);
  const outside = sizes.filter(({ value }) => {
    const step = value.match(/^(?:\d+ )?var\(--text-(\w+)\)/)?.[1];
    return value !== 'inherit' && (step === undefined || !scale.has(step));
  });
  expect(outside).toEqual([]);
});

it('the scale is one list, each step clearly larger than the one before, and none is unused', () => {
  const steps = ['tiny', 'note', 'small', 'body', 'section', 'page', 'figure'];
  const sizes = steps.map((step) => Number.parseFloat(scale.get(step) ?? ''));
  for (const [index, size] of sizes.entries())
    if (index > 0) expect(size / (sizes[index - 1] ?? 0), steps[index]).toBeGreaterThan(1.08);
  expect([...scale.keys()].toSorted()).toEqual([...steps, 'root', 'code'].toSorted());
  const used = sheets.map(({ text }) => text).join('\n');
  expect([...scale.keys()].filter((step) => !used.includes(`var(--text-${step})`))).toEqual([]);
  const elsewhere = sheets.filter(({ name, text }) => name !== TOKENS && /--text-\w+:/.test(text));
  expect(elsewhere.map(({ name }) => name)).toEqual([]);
});

it('components set no size of text', () => {
  const components = filesOf(/\.tsx$/);
  expect(components.length).toBeGreaterThan(100);
  expect(components.filter((name) => /fontSize/.test(textOf(name)))).toEqual([]);
});
