// ARCHITECTURE.md against the folders, and the index of decisions against its files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { withImportTable } from './support/import-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const below = (path: string): readonly string[] =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
const isFolder = (path: string): boolean => statSync(join(root, path)).isDirectory();

/** The drawing of the folders. */
const tree = read('ARCHITECTURE.md').split('```')[1] ?? '';
/** Deeper lines continue the text of an entry. */
const DEEPEST = 4;

interface Entry {
  readonly path: string;
  text: string;
}

function entriesOf(drawing: string): readonly Entry[] {
  const entries: Entry[] = [];
  const folders: { readonly indent: number; readonly path: string }[] = [];
  for (const line of drawing.split('\n')) {
    const [, spaces = '', name] = /^( *)((?:[\w.-]+\/)+|(?:[\w-]+\/)*[\w-]+\.ts)(?:\s|$)/.exec(line) ?? [];
    const indent = spaces.length;
    const last = entries.at(-1);
    if (name === undefined || indent > DEEPEST) {
      if (last) last.text += ` ${line.trim()}`;
      continue;
    }
    while ((folders.at(-1)?.indent ?? -1) >= indent) folders.pop();
    const path = join(folders.at(-1)?.path ?? '', name);
    if (name.endsWith('/')) folders.push({ indent, path });
    entries.push({ path, text: line });
  }
  return entries;
}

test('the table of imports in ARCHITECTURE.md is made from the rules: run `npm run imports`', () => {
  const document = read('ARCHITECTURE.md');
  expect(withImportTable(document)).toBe(document);
});

describe('the drawing in ARCHITECTURE.md', () => {
  const entries = entriesOf(tree);
  const files = ['src', 'console/src', 'client', 'bin', 'test'].flatMap(below);

  it('names every folder of src', () => {
    const folders = below('src').filter((path) => isFolder(path) && !path.includes('testing'));
    expect(folders.length).toBeGreaterThan(80);
    const named = new Set([...tree.matchAll(/([\w-]+)\//g)].map(([, name]) => name));
    expect(folders.filter((path) => !named.has(basename(path)))).toEqual([]);
  });

  it('names folders and files that exist, each below its own folder', () => {
    expect(entries.length).toBeGreaterThan(80);
    expect(entries.map(({ path }) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const missing = entries.flatMap(({ path, text }) => {
      const folder = isFolder(path) ? path : dirname(path);
      const isThere = (name: string): boolean =>
        files.includes(`src/${name}`) ||
        files.some((file) => file.startsWith(folder) && file.endsWith(`/${name}`));
      const names = [...text.matchAll(/(?<![\w.*-])((?:[\w-]+\/)*[\w-]+\.tsx?)\b/g)].map(
        ([, name = '']) => name,
      );
      return names.filter((name) => !isThere(name)).map((name) => `${path}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});

describe('the decisions', () => {
  const names = readdirSync(join(root, 'docs/decisions')).filter((name) => name !== 'README.md');
  const numberOf = (name: string): number => Number(/^(\d{4})-/.exec(name)?.[1]);

  it('are numbered from 1 without a gap, each number once, as their headings say', () => {
    expect(names.map(numberOf)).toEqual(names.map((_, index) => index + 1));
    for (const name of names)
      expect(read(`docs/decisions/${name}`).startsWith(`# ${numberOf(name)}. `), name).toBe(true);
  });

  it('are all in the index, by number and title', () => {
    const rows = names.map((name) => {
      const title = read(`docs/decisions/${name}`)
        .split('\n')[0]
        ?.replace(/^# \d+\. /, '');
      return `| ${numberOf(name)} | [${title}](${name}) |`;
    });
    expect(
      read('docs/decisions/README.md')
        .split('\n')
        .filter((line) => /^\| \d/.test(line)),
    ).toEqual(rows);
  });
});
