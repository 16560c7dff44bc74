// What a command of the command line is.
import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { openStorage } from '../service/open-storage.ts';
import { acting } from '../storage/decorators.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import type { Storage } from '../storage/storage.ts';

export interface Command {
  /** Words and what they do, for the help text. */
  readonly usage: readonly (readonly [words: string, does: string])[];
  /** Further lines of `dialtree <command> --help`. */
  readonly details?: readonly string[];
  /** The exit code. */
  run(words: readonly string[], config: Config): Promise<number>;
  /** Instead of the usual one line per fault of the configuration and exit code 1. */
  misconfigured?(words: readonly string[], faults: readonly string[]): number;
}

/** The words make no sense: answered with the help text and exit code 2. */
export class UsageError extends Error {}

/** The words are right, but it cannot be done: one line and exit code 1. */
export class CommandError extends Error {}

export function parseWords<T extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Opens the database for one piece of work; the service may be running meanwhile. */
export async function withStorage<T>(config: Config, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(config);
  // What is changed from here stands in the audit too, under the name of this machine's user.
  const by = { id: 'command line', name: userName(), requestId: '', atMs: Date.now() };
  try {
    return await work(acting(storage, by));
  } finally {
    await storage.close();
  }
}

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
        'There is no account yet: start the service once, or run "dialtree account create <name>".',
      );
    if (others.length > 0) throw new UsageError(`Say which account with --account <name>: ${names}.`);
    return only;
  }
  const found = accounts.filter(({ id, name }) => id === wanted || name === wanted);
  const [account] = found;
  if (!account) throw new UsageError(`There is no account "${wanted}"; there are: ${names || 'none'}.`);
  if (found.length > 1)
    throw new UsageError(`Several accounts are called "${wanted}"; use the id from "dialtree account list".`);
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
