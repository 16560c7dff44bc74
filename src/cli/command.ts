// What a command of the command line is.
import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { ownCommand } from '../kit/own-command.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import type { Storage } from '../storage/storage.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;

/** Help, completion and the check of words are made from this. */
export interface Command {
  /** Words and what they do. A second word without < or [ is an action: `agent block|unblock <eid>` has two. */
  readonly usage: readonly (readonly [words: string, does: string])[];
  readonly options: Options;
  /** What can be typed after "dialtree ", in the help text. */
  readonly examples: readonly string[];
  /** Further lines of `dialtree <command> --help`. */
  readonly details?: readonly string[];
  /** What the first word can be where it is no action and no file, such as the name of an operation. */
  readonly firstWords?: readonly string[];
  /** The exit code. */
  run(words: readonly string[], config: Config): Promise<number>;
  /** Instead of the usual one line per fault of the configuration and exit code 1. */
  misconfigured?(words: readonly string[], faults: readonly string[]): number;
}

/** In the order of the help text. */
export function actionsOf({ usage }: Command): string[] {
  return usage.flatMap(([words]) => {
    const [, second = ''] = words.split(' ');
    return /^[a-z][a-z|-]*$/.test(second) ? second.split('|') : [];
  });
}

/** The words make no sense: answered with the help text and exit code 2. */
export class UsageError extends Error {}

/** A word that is not known: answered with three lines and exit code 2. */
export class UnknownWordError extends UsageError {
  readonly word: string;
  readonly known: readonly string[];

  /** `message` is the first line. */
  constructor(message: string, word: string, known: readonly string[]) {
    super(message);
    this.word = word;
    this.known = known;
  }
}

/** The words are right, but it cannot be done: one line and exit code 1. */
export class CommandError extends Error {}

export function parseWords<T extends Options>(words: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [, flag = ''] = /'(-[^' ]*)/.exec(message) ?? [];
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(message);
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UnknownWordError(`There is no option "${flag}" here.`, flag, known);
  }
}

/** Opens the database for one piece of work; the service may be running meanwhile. `create`: also where there is none yet. */
export async function withStorage<T>(
  config: Config,
  work: (storage: Storage) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  // Loaded here: a command that asks a service needs no database of its own.
  const [{ openExistingStorage, openStorage }, { StoragePipeline }] = await Promise.all([
    import('../service/open-storage.ts'),
    import('../storage/pipeline.ts'),
  ]);
  const storage = await (create ? openStorage(config, { isBrief: true }) : openExistingStorage(config));
  try {
    const actor = { ...operator(), requestId: '', atMs: Date.now() };
    return await work(new StoragePipeline(storage).storage({ actor }));
  } finally {
    await storage.close();
  }
}

/** What is changed from here stands in the audit too, under the name of this machine's user. */
export const operator = () => ({ id: 'command line', name: userName() });

/** In a container the number that one runs under may have no name at all. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The account by name or id; without one, the only account there is. */
export async function findAccount(storage: Storage, wanted: string | undefined): Promise<StoredAccount> {
  const accounts = await storage.listAccounts();
  const names = accounts.map(({ name }) => name).join(', ');
  if (wanted === undefined) {
    const [only, ...others] = accounts;
    if (!only)
      throw new UsageError(
        `There is no account yet: start the service once, or run "${ownCommand()} account create <name>".`,
      );
    if (others.length > 0) throw new UsageError(`Say which account with --account <name>: ${names}.`);
    return only;
  }
  const found = accounts.filter(({ id, name }) => id === wanted || name === wanted);
  const [account] = found;
  if (!account) throw new UsageError(`There is no account "${wanted}"; there are: ${names || 'none'}.`);
  if (found.length > 1)
    throw new UsageError(
      `Several accounts are called "${wanted}"; use the id from "${ownCommand()} account list".`,
    );
  return account;
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `1 menu`, `2 menus`. */
export function count(many: number, noun: string): string {
  return `${many} ${noun}${many === 1 ? '' : 's'}`;
}
