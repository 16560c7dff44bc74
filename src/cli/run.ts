// One command: its words, what it printed where, and the exit code.
import { parseArgs } from 'node:util';
import { readConfig, wantsStack } from '../config/config.ts';
import { version } from '../kit/version.ts';
import { StartError } from '../service/start-error.ts';
import { StorageError } from '../storage/storage.ts';
import { actionsOf, type Command, CommandError, UnknownWordError, UsageError } from './command.ts';
import { allCommands, COMMANDS } from './commands.ts';
import { helpOf, helpOfAll } from './help.ts';
import { type Io, io, print, remark, within } from './io.ts';
import { nearest } from './nearest.ts';

/** Within a program that runs several commands: each has an `Io` of its own. */
export function runCommand(words: readonly string[], own: Io): Promise<number> {
  return within(own, async () => {
    try {
      return await run(words);
    } catch (error) {
      return report(error, words);
    }
  });
}

/** The exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = words;
  if (name === '--version') return shown(`${version()}\n`);
  if (['help', '--help', '-h'].includes(name)) {
    const [about] = rest.filter((word) => !word.startsWith('-'));
    return shown(about === undefined ? helpOfAll(await allCommands()) : helpOf(await commandOf(about)));
  }
  const command = await commandOf(name);
  if (rest.includes('--help') || rest.includes('-h')) return shown(helpOf(command));
  checkAction(name, command, rest);
  const config = readConfig(io().environment);
  if ('faults' in config) {
    if (command.misconfigured) return command.misconfigured(rest, config.faults);
    throw new StartError(config.faults.join('\n'));
  }
  return command.run(rest, config);
}

function shown(text: string): number {
  print(text);
  return 0;
}

const loaderOf = (name: string) => (Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined);

async function commandOf(name: string): Promise<Command> {
  const load = loaderOf(name);
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
function unknownLines(error: UnknownWordError, name: string, named: Command | undefined): string {
  const { message, word, known } = error;
  const near = nearest(word, known);
  const isAction = named && actionsOf(named).includes(near ?? '');
  const before = isAction ? `dialtree ${name} ` : named ? '' : 'dialtree ';
  const list = known.length > MAX_LISTED ? 'No known word is like it.' : `There are: ${known.join(', ')}.`;
  const second = near === null ? list : `Did you mean "${before}${near}"?`;
  return `dialtree: ${message}\n${second}\n"dialtree help${named ? ` ${name}` : ''}" explains ${named ? 'it' : 'all commands'}.\n`;
}

/** Says what went wrong; what is said depends on the command that was named. */
export async function report(error: unknown, words: readonly string[]): Promise<number> {
  const [name = ''] = words;
  const named = await loaderOf(name)?.();
  if (error instanceof UnknownWordError) remark(unknownLines(error, name, named));
  else remark(`dialtree: ${messageOf(error)}\n`);
  if (wantsStack(io().environment) && error instanceof Error) remark(`${error.stack}\n`);
  if (named && error instanceof UsageError && !(error instanceof UnknownWordError))
    remark(`\n${helpOf(named)}`);
  return error instanceof UsageError ? 2 : 1;
}

/** A fault that the user can correct says how. Anything else is ours: the message, and how to see more of it. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if ([StartError, StorageError, UsageError, CommandError].some((kind) => error instanceof kind)) return text;
  const sentence = text.split('\n', 1)[0]?.trimEnd().replace(/\.$/, '') || 'Something unexpected happened';
  return `${sentence}. This is not expected: run it again with DEBUG=1 for details, and report them.`;
}
