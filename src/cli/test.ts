// dialtree test: runs the tests that menus carry, of files or of the whole account, with an exit code for CI.

import { type Config, wantsColour } from '../config/config.ts';
import { resultJson, storedTestResults } from '../domain/stored-tests.ts';
import { plain, renderTimeline } from '../flow/timeline.ts';
import { type Command, parseWords } from './command.ts';
import { io, print } from './io.ts';
import { asksService, EITHER_DETAILS, REMOTE_OPTIONS, withService } from './remote.ts';
import { type MenuResults, testService } from './remote-flow.ts';
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
    const { menus, faulty } =
      positionals.length === 0 && asksService(config, values)
        ? { menus: await withService(config, values, testService), faulty: false }
        : await resultsHere(positionals, values.account, config);
    const all = menus.flatMap(({ results }) => results);
    const passed = all.filter((result) => result.passed).length;
    const failed = all.length - passed;
    print(values.json ? asJson(menus, passed, failed) : asText(menus, passed, failed));
    return faulty || failed > 0 ? 1 : 0;
  },
};

async function resultsHere(files: readonly string[], account: string | undefined, config: Config) {
  const { subjects, faulty } = await subjectsOf(files, account, config);
  return { menus: subjects.flatMap(resultsIn), faulty };
}

function resultsIn({ file, flow, menus }: Subject): MenuResults[] {
  return menus
    .map(({ ref, ivr }) => ({ file, ref, name: ivr.name, results: storedTestResults(ivr, ref, flow) }))
    .filter(({ results }) => results.length > 0);
}

type Result = MenuResults['results'][number];

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
  const timeline = trace ? `\n${renderTimeline(trace, { colour })}` : '';
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
    tests: results.map(({ trace, ...result }) => (trace ? resultJson({ ...result, trace }) : result)),
  }));
  return `${JSON.stringify({ passed, failed, data }, null, 2)}\n`;
}
