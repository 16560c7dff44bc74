// The browser runs the machine, and a replayed call must be the same call: src/flow reads no clock, draws no
// chance, and imports nothing from outside itself.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../src/flow');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'))
  .map((name) => join(root, name));

test.each(sources)('%s imports nothing from outside src/flow', (path) => {
  const text = readFileSync(path, 'utf8');
  for (const [, from = ''] of text.matchAll(/^(?:import|export)[^;]*? from '([^']+)';/gm)) {
    expect(from).toMatch(/^\.{1,2}\/.*\.ts$/);
    expect(resolve(dirname(path), from).startsWith(`${root}/`)).toBe(true);
  }
});

test.each(sources)('%s reads no clock and draws no chance', (path) => {
  const text = readFileSync(path, 'utf8');
  expect(text).not.toMatch(
    /Date\.now|new Date\(\)|Math\.random|performance\.|process\.|set(Timeout|Interval)\(/,
  );
});
