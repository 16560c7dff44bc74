// dialtree lint: what the linter says about files or about the whole account, with an exit code for CI.
import type { Client } from '../../client/client.ts';
import { failedTests } from '../domain/stored-tests.ts';
import type { Finding } from '../flow/lint/finding.ts';
import { missingEntries, missingMusic } from '../flow/lint/missing.ts';
import { unreachedMenus } from '../flow/lint/unreached.ts';
import { lintNode } from '../flow/lint.ts';
import { withAccount } from './account-api.ts';
import { findingsOfAccount, namesOf } from './account-flow.ts';
import { type Command, count, parseWords, table, UsageError } from './command.ts';
import { print, remark } from './io.ts';
import { EITHER_DETAILS, REMOTE_OPTIONS } from './remote.ts';
import type { Subject } from './subject.ts';
import { subjectsOf } from './subjects.ts';

/** The API lists no more of an account. */
const MOST_FINDINGS = 1_000;

const OPTIONS = {
  ...REMOTE_OPTIONS,
  account: { type: 'string' },
  'max-warnings': { type: 'string' },
} as const;

interface Found extends Finding {
  readonly file: string | null;
  readonly name: string;
}

export const lint: Command = {
  usage: [['lint [file…] [--account <a>] [--max-warnings <n>] [--json]', 'say what will annoy callers']],
  details: [
    'Files are payloads of POST /v1/ivr, or what "dialtree export" wrote; without files, all menus of the account.',
    'The exit code is 1 when there are errors, more warnings than --max-warnings, or more findings of an account than',
    'are listed (1,000). Every code: docs/lint.md.',
    '',
    ...EITHER_DETAILS,
  ],
  options: OPTIONS,
  examples: ['lint menu.json', 'lint --max-warnings 0'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const maxWarnings = limitOf(values['max-warnings']);
    const { found, faulty } =
      positionals.length === 0
        ? { found: await withAccount(config, values, foundInAccount), faulty: false }
        : foundInFiles(positionals);
    const errors = found.filter(({ severity }) => severity === 'error').length;
    const warnings = found.length - errors;
    if (values.json) print(`${JSON.stringify({ data: found }, null, 2)}\n`);
    else print(`${grouped(found)}${count(errors, 'error')}, ${count(warnings, 'warning')}\n`);
    const isCut = positionals.length === 0 && found.length >= MOST_FINDINGS;
    if (isCut) remark(`These are the first ${MOST_FINDINGS} findings: fix some, and run it again.\n`);
    return faulty || isCut || errors > 0 || warnings > maxWarnings ? 1 : 0;
  },
};

function foundInFiles(files: readonly string[]) {
  const { subjects, faulty } = subjectsOf(files);
  return { found: subjects.flatMap(findingsIn), faulty };
}

async function foundInAccount(dialtree: Client<'minimal'>): Promise<Found[]> {
  const findings = await findingsOfAccount(dialtree);
  const names = await namesOf(
    dialtree,
    findings.map(({ node }) => node),
  );
  return findings.map((finding) => ({ file: null, name: names.get(finding.node) ?? '', ...finding }));
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--max-warnings is a whole number, not "${text}".`);
  return Number(text);
}

function findingsIn(subject: Subject): Found[] {
  const { file, flow } = subject;
  return flowFindings(subject).map((finding) => ({
    file,
    name: flow.nodes.get(finding.node)?.name ?? '',
    ...finding,
  }));
}

export function flowFindings({ flow, menus, numbers, music, assumed }: Subject): Finding[] {
  // When a menu stands alone, only the menu is checked: the rest is made up.
  const nodes =
    assumed.length > 0 ? menus.flatMap(({ ref }) => flow.nodes.get(ref) ?? []) : [...flow.nodes.values()];
  const findings = [...missingMusic(flow, music), ...nodes.flatMap((node) => lintNode(flow, node))];
  if (assumed.length === 0) findings.push(...failedTests(menus, flow));
  if (numbers === null) return findings;
  const entries = new Set(numbers.map(({ destination }) => destination));
  return [...findings, ...missingEntries(flow, numbers), ...unreachedMenus(flow, entries)];
}

/** As other linters print it: the record, and below it one line per finding. */
function grouped(found: readonly Found[]): string {
  const groups = new Map<string, Found[]>();
  for (const one of found) {
    const place = [...(one.file === null ? [] : [one.file]), one.node].join(': ');
    // In a file the reference has the name in it already.
    const title = one.name === '' || one.node.endsWith(`||${one.name}`) ? place : `${place} “${one.name}”`;
    groups.set(title, [...(groups.get(title) ?? []), one]);
  }
  return [...groups]
    .map(([title, findings]) => {
      const rows = findings.map(({ severity, code, pointer, message }) => [
        `  ${severity}`,
        code,
        pointer || '-',
        message,
      ]);
      return `${title}\n${table(rows)}\n\n`;
    })
    .join('');
}
