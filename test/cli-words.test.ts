// The words of the command line: help, unknown words, folders that do not exist, completion. No service runs.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../client/operations.ts';
import { actionsOf } from '../src/cli/command.ts';
import { allCommands } from '../src/cli/commands.ts';
import { nearest } from '../src/cli/nearest.ts';
import { ownCommand } from '../src/kit/own-command.ts';
import { version } from '../src/kit/version.ts';
import { runDialtree, runProcess } from './support/service.ts';

const COMMANDS = await allCommands();
const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const absent = join(folder, 'absent');
const dialtree = (words: readonly string[], env: Record<string, string> = {}) =>
  runDialtree(words, { env: { DATA_DIR: absent, ...env } });

describe('help', () => {
  it('--version prints the version of the package', async () => {
    expect(await dialtree(['--version'])).toEqual({ code: 0, out: `${version()}\n`, err: '' });
  });

  it('dialtree help <command> and --help print the same, with an example', async () => {
    const help = await dialtree(['help', 'agent']);
    expect(help).toEqual(await dialtree(['agent', '--help']));
    expect(help.out).toContain('\nExamples:\n  dialtree agent add "Asha Rao" --intercom 1009\n');
  });

  it.each(Object.entries(COMMANDS))(
    'of %s has examples, and names no option that it has not',
    (name, command) => {
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) expect(example.split(' ')[0]).toBe(name);
      const options = [...Object.keys(command.options), 'help'];
      const text = [...command.usage.flat(), ...command.examples, ...(command.details ?? [])].join('\n');
      const named = [...text.matchAll(/(?:^|[\s[(])--([a-z][\w-]*)/g)].map(([, option = '']) => option);
      expect(named.filter((option) => !options.includes(option) && option !== 'global')).toEqual([]);
      for (const [words] of command.usage) expect(words.split(' ')[0]).toBe(name);
    },
  );
});

describe('an unknown word gets three lines and code 2', () => {
  const UNKNOWN: readonly { words: readonly string[]; lines: readonly (string | RegExp)[] }[] = [
    {
      words: ['agnet', 'list'],
      lines: [
        'There is no command "agnet".',
        'Did you mean "dialtree agent"?',
        '"dialtree help" explains all commands.',
      ],
    },
    {
      words: ['agent', 'lst'],
      lines: [
        '"dialtree agent" has no action "lst".',
        'Did you mean "dialtree agent list"?',
        '"dialtree help agent" explains it.',
      ],
    },
    {
      words: ['token', 'list', '--jason'],
      lines: [
        'There is no option "--jason" here.',
        'Did you mean "--json"?',
        '"dialtree help token" explains it.',
      ],
    },
    {
      words: ['help', 'tokn'],
      lines: [
        'There is no command "tokn".',
        'Did you mean "dialtree token"?',
        '"dialtree help" explains all commands.',
      ],
    },
    {
      words: ['constructor'],
      lines: [
        'There is no command "constructor".',
        /^There are: serve, call, .*\.$/,
        '"dialtree help" explains all commands.',
      ],
    },
    {
      words: ['api', 'getAgnet'],
      lines: [
        /^There is no operation "getAgnet"; /,
        'Did you mean "getAgent"?',
        '"dialtree help api" explains it.',
      ],
    },
    {
      words: ['serve', 'now'],
      lines: ['"dialtree serve" takes no "now".', 'There are: --help.', '"dialtree help serve" explains it.'],
    },
  ];
  it.each(UNKNOWN)('$words', async ({ words, lines }) => {
    const { code, out, err } = await dialtree(words);
    expect([code, out]).toEqual([2, '']);
    const said = err.replace(/^dialtree: /, '').split('\n');
    expect(said).toHaveLength(4);
    for (const [at, line] of lines.entries())
      if (typeof line === 'string') expect(said[at]).toBe(line);
      else expect(said[at]).toMatch(line);
  });

  it('the nearest word is found by its beginning, or by letters that are missing, wrong or swapped', () => {
    const known = ['list', 'add', 'remove', 'password'];
    expect(['lsit', 'ad', 'remov', 'pass', 'dance'].map((word) => nearest(word, known))).toEqual([
      'list',
      'add',
      'remove',
      'password',
      null,
    ]);
  });
});

describe('a folder that does not exist', () => {
  it.each([
    ['token', 'list'],
    ['token', 'create', '--name', 'x'],
    ['account', 'list'],
    ['account', 'limits', 'default'],
    ['export'],
    ['import', 'examples/office.json', '--dry-run'],
    ['lint'],
    ['test'],
    ['simulate', '--id', 'main'],
    ['sign-in'],
    ['sign-out'],
  ])('is not made by %s %s', async (...words) => {
    const { code, err } = await dialtree(words);
    expect([code, err]).toEqual([
      1,
      `dialtree: There is no database in DATA_DIR ${absent}: is it the folder of the service? ` +
        `Start the service once ("${ownCommand()} serve"), or set DIALTREE_URL to ask one that runs elsewhere.\n`,
    ]);
    expect(existsSync(absent)).toBe(false);
  });

  it('nor is a file put into one that is there and empty', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    expect((await dialtree(['token', 'list'], { DATA_DIR: empty })).code).toBe(1);
    expect(readdirSync(empty)).toEqual([]);
  });
});

/** The file that --version reads cannot be read. */
const UNREADABLE = `data:text/javascript,${encodeURIComponent(
  `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
   fs.readFileSync = () => { throw new Error('the disk is broken.\\nmore'); }; syncBuiltinESMExports();`,
)}`;

describe('an error that is not expected', () => {
  const NODE_OPTIONS = `--import ${UNREADABLE}`;
  it('is one sentence and what to do; DEBUG=1 shows the stack', async () => {
    const line =
      'dialtree: the disk is broken. This is not expected: run it again with DEBUG=1 for details, and report them.\n';
    expect(await runProcess(['--version'], { env: { NODE_OPTIONS } })).toEqual({
      code: 1,
      out: '',
      err: line,
    });
    const { err } = await runProcess(['--version'], { env: { NODE_OPTIONS, DEBUG: '1' } });
    expect(err.startsWith(line)).toBe(true);
    expect(err).toMatch(/^\s+at .*/m);
  });
});

/** CI has all three shells; a developer may not. */
function shellMissing(shell: string): boolean {
  if (spawnSync(shell, ['--version']).status === 0) return false;
  if (process.env['CI']) throw new Error(`${shell} is not installed.`);
  console.warn(`\n!!! ${shell} is not installed: its completion IS NOT TRIED.\n`);
  return true;
}

describe('dialtree completion', () => {
  const shells = ['bash', 'zsh', 'fish'] as const;
  const fileOf = (shell: string): string => join(folder, `completion.${shell}`);
  beforeAll(async () => {
    for (const shell of shells) {
      const { code, out } = await dialtree(['completion', shell]);
      expect(code).toBe(0);
      writeFileSync(fileOf(shell), out);
    }
  });

  const run = (program: string, words: readonly string[]): string[] =>
    execFileSync(program, words, {
      encoding: 'utf8',
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n');

  /** What the shell offers for the last word of each line. */
  const offered: Record<(typeof shells)[number], (lines: readonly string[]) => string[][]> = {
    bash: (lines) =>
      lines.map((line) => {
        const words = line.split(' ').map((word) => `'${word}'`);
        const script = `source ${fileOf('bash')}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _dialtree; printf '%s\\n' "\${COMPREPLY[@]}"`;
        return run('bash', ['--noprofile', '--norc', '-c', script]);
      }),
    // In a terminal of its own: zsh completes only where a line is edited. Its compadd writes down what it is given.
    zsh(lines) {
      const out = join(folder, 'zsh.out');
      const script = `
        zmodload zsh/zpty
        zpty z 'TERM=dumb PS1= zsh -f -i'
        zpty -w z 'stty -echo; autoload -Uz compinit && compinit -u -D && source ${fileOf('zsh')}'
        zpty -w z 'compadd() { builtin compadd -O found "$@"; print -rl -- "\${(@)found}" >> ${out}; builtin compadd "$@"; }'
        complete() {
          : > ${out}; zpty -w -n z "$1"$'\\t'
          for i in {1..200}; do [[ -s ${out} ]] && break; sleep 0.05; done
          sleep 0.1; cat ${out}; echo =; zpty -w -n z $'\\x15'
        }
        ${lines.map((line) => `complete '${line}'`).join('\n')}
        zpty -d z`;
      return run('zsh', ['-f', '-c', script])
        .join('\n')
        .split('=\n')
        .map((text) => text.split('\n'));
    },
    fish: (lines) =>
      lines.map((line) =>
        run('fish', ['--no-config', '-c', `source ${fileOf('fish')}; complete -C "${line}"`]).map(
          (text) => text.split('\t')[0] ?? '',
        ),
      ),
  };

  const EXPECTED: readonly (readonly [line: string, offered: readonly string[]])[] = [
    ['dialtree ag', ['agent']],
    ['dialtree sign-', ['sign-in', 'sign-out']],
    ['dialtree ', [...Object.keys(COMMANDS), 'help']],
    ['dialtree agent ', COMMANDS['agent'] ? actionsOf(COMMANDS['agent']) : []],
    ['dialtree agent add --in', ['--intercom']],
    ['dialtree help tok', ['token']],
    ['dialtree api createIv', ['createIvr']],
    ['dialtree api ', Object.keys(OPERATIONS)],
  ];
  for (const shell of shells)
    it.skipIf(shellMissing(shell))(`${shell} completes commands, actions, options and operations`, () => {
      const found = offered[shell](EXPECTED.map(([line]) => line));
      for (const [at, [line, expected]] of EXPECTED.entries()) {
        const words = [...new Set(found[at]?.filter(Boolean))].sort();
        expect([line, words]).toEqual([line, [...expected].sort()]);
      }
    });
});
