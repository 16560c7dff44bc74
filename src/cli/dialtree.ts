// The `dialtree` command: each word is a thin front on the rest.
import { readConfig } from '../config.ts';
import { StartError } from '../service/start-error.ts';
import { StorageError } from '../storage/storage.ts';
import { account } from './account.ts';
import { agent } from './agent.ts';
import { api } from './api.ts';
import { call } from './call.ts';
import { live, records } from './calls.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { lint } from './lint.ts';
import { number } from './number.ts';
import { recording } from './recording.ts';
import { serveCommand } from './serve.ts';
import { signIn, signOut } from './sign-in.ts';
import { simulateCommand } from './simulate.ts';
import { test } from './test.ts';
import { token } from './token.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  call,
  doctor,
  simulate: simulateCommand,
  lint,
  test,
  export: exportCommand,
  import: importCommand,
  'sign-in': signIn,
  'sign-out': signOut,
  token,
  account,
  agent,
  number,
  recording,
  records,
  live,
  api,
};

const COLUMN = 58;

function help(): string {
  // Words that are too long for the column have their explanation on a line of its own.
  const lines = Object.values(COMMANDS).flatMap(({ usage }) =>
    usage.map(([words, does]) =>
      words.length <= COLUMN
        ? `  dialtree ${words.padEnd(COLUMN)} ${does}`
        : `  dialtree ${words}\n${' '.repeat(COLUMN + 12)}${does}`,
    ),
  );
  return `dialtree: a call-flow service for telephones\n\n${lines.join('\n')}\n\nConfiguration comes from the environment: see docs/configuration.md.\n`;
}

function helpOf({ usage, details = [] }: Command): string {
  const lines = usage.map(([words, does]) => `dialtree ${words}\n    ${does}`);
  return `${[...lines, ...(details.length > 0 ? ['', ...details] : [])].join('\n')}\n`;
}

async function run(words: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = words;
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(help());
    return 0;
  }
  const command = COMMANDS[name];
  if (!command) throw new UsageError(`There is no command "${name}".`);
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(helpOf(command));
    return 0;
  }
  const config = readConfig();
  if ('faults' in config) {
    if (command.misconfigured) return command.misconfigured(rest, config.faults);
    throw new StartError(config.faults.join('\n'));
  }
  return command.run(rest, config);
}

// The reader may close the pipe early: `dialtree export | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Whatever we write holds hashes, digests or recordings: for its owner alone, also in a folder that others may enter.
process.umask(0o077);
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const known = [StartError, StorageError, UsageError, CommandError].some((kind) => error instanceof kind);
  // A fault that the user can correct is one line; anything else is ours, and needs its stack.
  process.stderr.write(
    known
      ? `dialtree: ${(error as Error).message}\n`
      : `dialtree: ${(error as Error).stack ?? String(error)}\n`,
  );
  if (error instanceof UsageError) {
    const command = COMMANDS[process.argv[2] ?? ''];
    process.stderr.write(`\n${command ? helpOf(command) : help()}`);
  }
  process.exit(error instanceof UsageError ? 2 : 1);
}
