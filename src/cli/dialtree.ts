// The `dialtree` command: each word is a thin front on the rest.
import { readConfig } from '../config.ts';
import { StartError } from '../main.ts';
import { StorageError } from '../storage/storage.ts';
import { account } from './account.ts';
import { type Command, UsageError } from './command.ts';
import { serveCommand } from './serve.ts';
import { token } from './token.ts';

const COMMANDS: Readonly<Record<string, Command>> = { serve: serveCommand, token, account };

function help(): string {
  const lines = Object.values(COMMANDS).flatMap(({ usage }) =>
    usage.map(([words, does]) => `  dialtree ${words.padEnd(58)} ${does}`),
  );
  return `dialtree: a call-flow service for telephones\n\n${lines.join('\n')}\n\nConfiguration comes from the environment: see README.md.\n`;
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
    process.stdout.write(
      `${command.usage.map(([usage, does]) => `dialtree ${usage}\n    ${does}`).join('\n')}\n`,
    );
    return 0;
  }
  const config = readConfig();
  if ('faults' in config) throw new StartError(config.faults.join('\n'));
  return command.run(rest, config);
}

// Whatever we write holds hashes, digests or recordings: for its owner alone, also in a folder that others may enter.
process.umask(0o077);
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const known = error instanceof StartError || error instanceof StorageError || error instanceof UsageError;
  // A fault that a person can mend is one line; anything else is ours, and needs its stack.
  process.stderr.write(
    known ? `dialtree: ${error.message}\n` : `dialtree: ${(error as Error).stack ?? String(error)}\n`,
  );
  if (error instanceof UsageError) process.stderr.write(`\n${help()}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
