// Writes docs/reliability.md: runs the tests that docs/threat-model.md names for each threat and fault, and says what they showed.
//
//   npm run reliability              every row; about 40 minutes
//   npm run reliability -- T37 R26   these rows; the others keep what their last run showed
//   RESULTS=folder                   where vitest's results are kept; a suite whose result is there is not run again
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Result, readRows, rowLine, SUITES, suiteOf } from './rows.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = join(root, 'docs/reliability.md');
const folder = process.env['RESULTS'] ?? mkdtempSync(join(tmpdir(), 'dialtree-reliability-'));
mkdirSync(folder, { recursive: true });

const testFiles = ['src', 'test'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(top, name)),
);
const all = readRows(readFileSync(join(root, 'docs/threat-model.md'), 'utf8'), filesOf);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((number) => !all.some((row) => row.number === number));
if (unknown.length > 0) throw new Error(`docs/threat-model.md has no row ${unknown.join(', ')}.`);
const chosen = wanted.length === 0 ? all : all.filter((row) => wanted.includes(row.number));

const figuresFile = join(folder, 'figures.jsonl');
const results = SUITES.flatMap((suite) => {
  const files = new Set(chosen.flatMap((row) => row.files).filter((file) => suiteOf(file) === suite));
  return files.size === 0 ? [] : runSuite(suite, [...files].sort());
});
const figures = existsSync(figuresFile)
  ? readFileSync(figuresFile, 'utf8')
      .trim()
      .split('\n')
      .map((line): { row: string; text: string } => JSON.parse(line))
  : [];

const today = new Date().toISOString().slice(0, 10);
const former = existsSync(document) ? readFileSync(document, 'utf8').split('\n') : [];
const lines = all.map((row) =>
  chosen.includes(row)
    ? rowLine(row, results, figures, today)
    : (former.find((line) => line.startsWith(`| ${row.number} |`)) ?? rowLine(row, [], [], '')),
);
writeFileSync(
  document,
  `# Reliability: what each run showed

Written by \`npm run reliability\` (\`test/reliability/run.ts\`), never by hand. The rows are those of [threat-model.md](threat-model.md), which says what
each of them means and what must hold. Figures depend on the machine: ratios compare, absolute values do not.

| # | threat or fault | command | shown | date |
|---|---|---|---|---|
${lines.join('\n')}
`,
);
const red = lines.filter((line) => /FAILED|NOT RUN/.test(line));
console.log(`${lines.length} rows, ${red.length} of them red or not run. Results: ${folder}`);
for (const line of red) console.log(line);
process.exit(red.length > 0 ? 1 : 0);

/** The test files that a name of the column `shown by` stands for: a file, a folder, or a pattern with one `*`. */
function filesOf(name: string): readonly string[] {
  const [before = '', after = ''] = name.endsWith('.ts') ? name.split('*') : [`${name}/`];
  return testFiles.filter(
    (file) => file === name || (file.startsWith(before) && file.endsWith(after) && before !== name),
  );
}

function runSuite(suite: string, files: readonly string[]): readonly Result[] {
  const output = join(folder, `${suite.replace(':', '-')}.json`);
  if (!existsSync(output)) {
    console.log(`npm run ${suite}: ${files.length} files`);
    spawnSync(
      'npm',
      ['run', suite, '--', ...files, '--reporter=default', '--reporter=json', `--outputFile=${output}`],
      { cwd: root, stdio: 'inherit', env: { ...process.env, CI: 'true', DIALTREE_FIGURES: figuresFile } },
    );
  }
  if (!existsSync(output)) return [];
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as {
    testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
  };
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ file: relative(root, name), test: fullName, status })),
  );
}
