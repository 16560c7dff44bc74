// The `dialtree` command: each word is a thin front on the rest.
import { parseArgs } from 'node:util';
import { readConfig, wantsStack } from '../config.ts';
import { StartError } from '../service/start-error.ts';
import { StorageError } from '../storage/storage.ts';
import { version } from '../version.ts';
import { actionsOf, type Command, CommandError, UnknownWordError, UsageError } from './command.ts';
import { allCommands, COMMANDS } from './commands.ts';
import { helpOf, helpOfAll } from './help.ts';
import { nearest } from './nearest.ts';

/** The one that was named: what is said about a fault depends on it. */
let named: Command | undefined;

async function run(words: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = words;
  if (name === '--version') return print(`${version()}\n`);
  if (['help', '--help', '-h'].includes(name)) {
    const [about] = rest.filter((word) => !word.startsWith('-'));
    return print(about === undefined ? helpOfAll(await allCommands()) : helpOf(await commandOf(about)));
  }
  const command = await commandOf(name);
  named = command;
  if (rest.includes('--help') || rest.includes('-h')) return print(helpOf(command));
  checkAction(name, command, rest);
  const config = readConfig();
  if ('faults' in config) {
    if (command.misconfigured) return command.misconfigured(rest, config.faults);
    throw new StartError(config.faults.join('\n'));
  }
  return command.run(rest, config);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

async function commandOf(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return load();
  throw new UnknownWordError(`There is no command "${name}".`, name, Object.keys(COMMANDS));
}

function checkAction(name: string, command: Command, words: readonly string[]): void {
  const actions = actionsOf(command);
  if (actions.length === 0) return;
  const { positionals } = parseArgs({
    args: [...words],
    options: command.options,
    allowPositionals: true,
    strict: false,
  });
  const [action] = positionals;
  if (action !== undefined && !actions.includes(action))
    throw new UnknownWordError(`"dialtree ${name}" has no action "${action}".`, action, actions);
}

const MAX_LISTED = 30;

/** What is unknown, what is near, how to get help. */
function unknownLines({ message, word, known }: UnknownWordError): string {
  const [name = ''] = process.argv.slice(2);
  const near = nearest(word, known);
  const isAction = named && actionsOf(named).includes(near ?? '');
  const before = isAction ? `dialtree ${name} ` : named ? '' : 'dialtree ';
  const list = known.length > MAX_LISTED ? 'No known word is like it.' : `There are: ${known.join(', ')}.`;
  const second = near === null ? list : `Did you mean "${before}${near}"?`;
  return `dialtree: ${message}\n${second}\n"dialtree help${named ? ` ${name}` : ''}" explains ${named ? 'it' : 'all commands'}.\n`;
}

function report(error: unknown): never {
  if (error instanceof UnknownWordError) process.stderr.write(unknownLines(error));
  else process.stderr.write(`dialtree: ${messageOf(error)}\n`);
  if (wantsStack() && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  if (named && error instanceof UsageError && !(error instanceof UnknownWordError))
    process.stderr.write(`\n${helpOf(named)}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** A fault that the user can correct says how. Anything else is ours: the message, and how to see more of it. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if ([StartError, StorageError, UsageError, CommandError].some((kind) => error instanceof kind)) return text;
  const sentence = text.split('\n', 1)[0]?.trimEnd().replace(/\.$/, '') || 'Something unexpected happened';
  return `${sentence}. This is not expected: run it again with DEBUG=1 for details, and report them.`;
}

// The reader may close the pipe early: `dialtree export | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Whatever we write holds hashes, digests or recordings: for its owner alone, also in a folder that others may enter.
process.umask(0o077);
// `serve` replaces these once it runs.
process.on('uncaughtException', report);
process.on('unhandledRejection', report);
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  report(error);
}
