// dialtree test: runs the tests that menus carry, of files or of the whole account, with an exit code for CI.

import { wantsColour } from '../config/config.ts';
import { storedTestResults } from '../domain/stored-tests.ts';
import { traceJson } from '../flow/simulation/trace.ts';
import { plain, renderTimeline } from '../flow/timeline.ts';
import { withAccount } from './account-api.ts';
import { type MenuResults, type Result, testAccount } from './account-flow.ts';
import { type Command, parseWords } from './command.ts';
import { io, print } from './io.ts';
import { EITHER_DETAILS, REMOTE_OPTIONS } from './remote.ts';
import type { Subject } from './subject.ts';
import { subjectsOf } from './subjects.ts';

const OPTIONS = { ...REMOTE_OPTIONS, account: { type: 'string' } } as const;

export const test: Command = {
  usage: [['test [file…] [--account <a>] [--json]', 'run the tests that menus carry']],
  details: [
    'Files are payloads of POST /v1/ivr, or what "dialtree export" wrote; without files, all menus of the account.',
    'The exit code is 1 when a test fails. How tests are written: docs/call-flow.md.',
    '',
    ...EITHER_DETAILS,
  ],
  options: OPTIONS,
  examples: ['test menus.json', 'test --json'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const traces = values.json ? 'all' : 'failed';
    const { menus, faulty } =
      positionals.length === 0
        ? {
            menus: await withAccount(config, values, (dialtree) => testAccount(dialtree, traces)),
            faulty: false,
          }
        : resultsOfFiles(positionals);
    const all = menus.flatMap(({ results }) => results);
    const passed = all.filter((result) => result.passed).length;
    const failed = all.length - passed;
    print(values.json ? asJson(menus, passed, failed) : asText(menus, passed, failed));
    return faulty || failed > 0 ? 1 : 0;
  },
};

function resultsOfFiles(files: readonly string[]) {
  const { subjects, faulty } = subjectsOf(files);
  return { menus: subjects.flatMap(resultsIn), faulty };
}

function resultsIn({ file, flow, menus }: Subject): MenuResults[] {
  return menus
    .map(({ ref, ivr }) => {
      const results = storedTestResults(ivr, ref, flow).map(({ trace, ...result }) => ({
        ...result,
        trace: { shown: trace, json: traceJson(trace) },
      }));
      return { file, ref, name: ivr.name, results };
    })
    .filter(({ results }) => results.length > 0);
}

function asText(menus: readonly MenuResults[], passed: number, failed: number): string {
  const colour = wantsColour(io().isTerminal, io().environment);
  const blocks = menus.map(({ file, name, results }) => {
    const title = file === null ? name : `${file}: ${name}`;
    return `${title}\n${results.map((result) => resultText(result, colour)).join('')}\n`;
  });
  const none = passed + failed === 0 ? 'There are no tests.\n' : '';
  return `${blocks.join('')}${none}${passed} passed, ${failed} failed\n`;
}

function resultText({ name, passed, differences, trace }: Result, colour: boolean): string {
  if (passed) return `  ✓ ${plain(name)}\n`;
  const timeline = trace ? `\n${renderTimeline(trace.shown, { colour })}` : '';
  return `  ✗ ${plain(name)}\n${indented(`${differences.map(plain).join('\n')}\n${timeline}`)}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '      ');
}

function asJson(menus: readonly MenuResults[], passed: number, failed: number): string {
  const data = menus.map(({ file, ref, name, results }) => ({
    file,
    ivr: ref,
    name,
    tests: results.map(({ trace, ...result }) => (trace ? { ...result, trace: trace.json } : result)),
  }));
  return `${JSON.stringify({ passed, failed, data }, null, 2)}\n`;
}
