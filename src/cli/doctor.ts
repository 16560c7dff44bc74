// dialtree doctor: everything that a call needs, checked and tried, with a report.

import { type Finding, fail, warn } from '../service/checks/finding.ts';
import { type Command, count, parseWords, UsageError } from './command.ts';
import type { Wanted } from './doctor/examine.ts';
import { io, print } from './io.ts';
import { misspeltVariables } from './misspelt.ts';

const OPTIONS = {
  json: { type: 'boolean' },
  ports: { type: 'string' },
  number: { type: 'string' },
  'no-call': { type: 'boolean' },
} as const;

interface DoctorWords extends Wanted {
  readonly json: boolean;
}

export const doctor: Command = {
  usage: [
    ['doctor [--json] [--ports free] [--number <n>] [--no-call]', 'say what is wrong, and how to correct it'],
  ],
  details: [
    'Looks at the configuration, the machine, the data, the ports and the addresses, then calls itself through real sockets:',
    'a phone registers, a caller hears a menu, presses a key, talks to an agent and hangs up. That needs nothing of your data,',
    'and changes nothing in it. Where a Dialtree runs already, its first number that leads to a menu is called instead.',
    '',
    '--ports free   make the call on ports that the system chooses, even if the configured ones are in use.',
    '--number <n>   which number of the running Dialtree to call. --no-call makes no call.',
    '',
    'The exit code is 0 unless something fails; warnings do not count.',
  ],
  options: OPTIONS,
  examples: ['doctor', 'doctor --ports free'],
  async run(words, config) {
    const wanted = readWords(words);
    const report = new Report(wanted.json);
    report.add(...misspelt());
    // Loaded here: what it tries is most of the program, and the help text needs none of it.
    const { examine } = await import('./doctor/examine.ts');
    await examine(config, wanted, report);
    return report.close();
  },
  misconfigured(words, faults) {
    const report = new Report(readWords(words).json);
    for (const fault of faults) report.add(fail('configuration', fault));
    report.add(...misspelt());
    return report.close();
  },
};

const misspelt = (): Finding[] =>
  misspeltVariables(io().environment).map((line) => warn('configuration', line));

function readWords(words: readonly string[]): DoctorWords {
  const { values, positionals } = parseWords(words, OPTIONS);
  const { json = false, ports, number, 'no-call': noCall = false } = values;
  if (positionals.length > 0) throw new UsageError(`doctor takes options alone, not "${positionals[0]}".`);
  if (ports !== undefined && ports !== 'free') throw new UsageError('--ports can be "free" alone.');
  return { json, isFree: ports === 'free', number, isCalling: !noCall };
}

/** Prints each finding as it is made: the whole takes some seconds. */
class Report {
  readonly #json: boolean;
  readonly #findings: Finding[] = [];

  constructor(json: boolean) {
    this.#json = json;
  }

  add(...findings: readonly (Finding | null)[]): void {
    for (const finding of findings) {
      if (!finding) continue;
      this.#findings.push(finding);
      if (this.#json) continue;
      const { state, check, message } = finding;
      print(`${state.padEnd(4)}  ${check.padEnd(COLUMN)}  ${message}\n`);
    }
  }

  close(): number {
    const of = (state: Finding['state']): number =>
      this.#findings.filter((each) => each.state === state).length;
    const fails = of('fail');
    if (this.#json) print(`${JSON.stringify({ ok: fails === 0, checks: this.#findings }, null, 2)}\n`);
    else
      print(
        `\n${count(of('ok'), 'check')} well, ${count(of('warn'), 'warning')}, ${count(fails, 'fault')}\n`,
      );
    return fails === 0 ? 0 : 1;
  }
}

const COLUMN = 19;
