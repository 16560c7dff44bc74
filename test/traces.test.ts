// Every trace in README.md and docs/ is what the command above it prints, to the letter: the commands are run.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
);
const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

interface Shown {
  readonly document: string;
  readonly command: string;
  readonly output: string;
}

function shownIn(document: string): Shown[] {
  return [...read(document).matchAll(BLOCK)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return { document, command: part.slice(0, end), output: part.slice(end + 1) };
      }),
  );
}

const read = (document: string): string => readFileSync(join(root, document), 'utf8');

/** What a terminal would show, errors among the rest. A pipe is no terminal, so there are no colours. */
function run(command: string, dataDir: string): Promise<string> {
  const typed = command.replace('node bin/dialtree.js', `"${process.execPath}" dist/dialtree.js`);
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile('sh', ['-c', `exec 2>&1\n${typed}`], { cwd: root, env }, (_error, stdout) => resolve(stdout));
  });
}

describe('commands shown in the documentation', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
  beforeAll(async () => {
    // As it is for a newcomer after `npm start`: the demonstration is there.
    const service = await startService({ dataDir, env: { DEMO: 'on' } });
    await service.stop();
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const shown = documents.flatMap(shownIn);

  it('docs/command-line.md and docs/call-flow.md show some', () => {
    expect(new Set(shown.map(({ document }) => document))).toEqual(
      new Set(['docs/command-line.md', 'docs/call-flow.md']),
    );
    for (const { command } of shown) expect(command).toMatch(/^node bin\/dialtree\.js /);
  });

  it.each(shown)('$document: $command prints what is shown below it', async ({ command, output }) => {
    expect(await run(command, dataDir)).toBe(output);
  });
});

it.each(documents)('%s shows no trace without its command', (document) => {
  expect(read(document).replace(BLOCK, '')).not.toMatch(/^\s*\d+:\d\d\.\d{3} /m);
});
