// The rows of docs/threat-model.md, and the line that a run writes for each of them into docs/reliability.md.

export interface Row {
  readonly number: string;
  readonly title: string;
  /** What the column `shown by` names, in its words. */
  readonly names: readonly string[];
  readonly files: readonly string[];
}

export interface Result {
  readonly file: string;
  readonly test: string;
  /** As vitest says: passed, failed, skipped … */
  readonly status: string;
}

/** The npm scripts, and what each of them runs. The first whose folder fits. */
const SUITE_OF: readonly (readonly [folder: string, suite: string])[] = [
  ...['calls', 'pages', 'faults', 'phones', 'hostile', 'attacks', 'nodes'].map((name): [string, string] => [
    `test/${name}/`,
    `test:${name}`,
  ]),
  ['', 'test'],
];
export const SUITES: readonly string[] = SUITE_OF.map(([, suite]) => suite);

export function suiteOf(file: string): string {
  return SUITE_OF.find(([folder]) => file.startsWith(folder))?.[1] ?? 'test';
}

export function readRows(threatModel: string, filesOf: (name: string) => readonly string[]): readonly Row[] {
  return [...threatModel.matchAll(/^\| ([TR]\d+b?) \| (.*?) \| .* \| (.*?) \|$/gm)].map(
    ([, number = '', title = '', shownBy = '']) => {
      const names = [...shownBy.matchAll(/`((?:src|test)\b[^`]*)`/g)].map(([, name = '']) => name);
      return { number, title, names, files: names.flatMap((name) => filesOf(name)) };
    },
  );
}

/** Tests that name the row count for it; where none does, every test of its files. */
export function rowLine(
  row: Row,
  results: readonly Result[],
  figures: readonly { readonly row: string; readonly text: string }[],
  date: string,
): string {
  const named = new RegExp(`\\b${row.number}\\b`);
  const inFiles = results.filter(({ file }) => row.files.includes(file));
  const own = inFiles.filter(({ test }) => named.test(test));
  const counted = own.length > 0 ? own : inFiles;
  const failed = counted.filter(({ status }) => status === 'failed');
  const passed = counted.filter(({ status }) => status === 'passed').length;
  const skipped = counted.length - passed - failed.length;
  const outcome =
    row.names.length === 0
      ? 'no test: see the threat model'
      : counted.length === 0
        ? 'NOT RUN'
        : [
            `${passed} passed`,
            ...(skipped > 0 ? [`${skipped} skipped`] : []),
            ...(failed.length > 0 ? [`FAILED: ${failed.map(({ test }) => test).join('; ')}`] : []),
          ].join(', ');
  const texts = [...new Set(figures.filter((one) => one.row === row.number).map(({ text }) => text))];
  const cells = [row.number, row.title, commandsOf(row), [outcome, ...texts].join('. '), date];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function commandsOf(row: Row): string {
  return SUITES.map((suite) => ({
    suite,
    names: row.names.filter((name) => suiteOf(name.endsWith('.ts') ? name : `${name}/`) === suite),
  }))
    .filter(({ names }) => names.length > 0)
    .map(({ suite, names }) => `\`npm run ${suite} -- ${names.join(' ')}\``)
    .join(', ');
}
