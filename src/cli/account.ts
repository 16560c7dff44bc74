// dialtree account: accounts are made and limited here and not over HTTP, since no token stands above all accounts.

import { NEW_ACCOUNT_SETTINGS } from '../domain/account.ts';
import {
  ACCOUNT_LIMITS,
  LIMIT_NAMES,
  type LimitChanges,
  type LimitName,
  limitText,
  rangeOf,
  readLimit,
} from '../domain/account-limits.ts';
import { newId } from '../domain/id.ts';
import { makeToken } from '../kit/credentials.ts';
import type { Storage } from '../storage/storage.ts';
import {
  type Command,
  CommandError,
  findAccount,
  parseWords,
  table,
  UsageError,
  withStorage,
} from './command.ts';
import { print, remark } from './io.ts';

export const account: Command = {
  usage: [
    ['account create <name>', 'make an account and print its first token, this once'],
    ['account list', 'list accounts'],
    ['account limits <account> [name=value…]', 'show or set the limits of an account'],
  ],
  details: [
    'Limits, which take effect at once in a running service (value "default": as if it was never set):',
    ...LIMIT_NAMES.map((name) => `  ${name}=<${rangeOf(name)}>  ${ACCOUNT_LIMITS[name].meaning}`),
  ],
  options: {},
  examples: ['account create "Acme Ltd"', 'account limits acme max_calls=200 private_networks=on'],
  async run(words, config) {
    const [action, name, ...rest] = parseWords(words, {}).positionals;
    if (config.remoteUrl !== undefined)
      throw new CommandError(
        'Accounts are made and limited on the database, since no token stands above them: run this on the machine of the service, without DIALTREE_URL.',
      );
    const work = async (storage: Storage): Promise<number> => {
      if (action === 'list') {
        const rows = (await storage.listAccounts()).map((one) => [
          one.id,
          one.name,
          new Date(one.createdAtMs).toISOString(),
        ]);
        print(`${table([['ID', 'NAME', 'CREATED'], ...rows])}\n`);
        return 0;
      }
      if (action === 'limits') return limits(storage, name, rest);
      if (action !== 'create') throw new UsageError('Say what to do with accounts: create, list or limits.');
      if (!name || name.startsWith('-')) throw new UsageError('Say the name of the new account.');
      const taken = (await storage.listAccounts()).some((one) => one.name === name);
      if (taken) throw new UsageError(`There is an account "${name}" already.`);
      const nowMs = Date.now();
      const id = newId(nowMs);
      const { secret, token } = makeToken(id, 'first token', nowMs);
      await storage.createAccount({
        account: { id, name, createdAtMs: nowMs, settings: NEW_ACCOUNT_SETTINGS },
        token,
      });
      remark(`Account ${name} (${id}) is made. Its access token, shown this once:\n`);
      print(`${secret}\n`);
      return 0;
    };
    return withStorage(config, work, { create: action === 'create' });
  },
};

async function limits(
  storage: Storage,
  account: string | undefined,
  words: readonly string[],
): Promise<number> {
  if (account === undefined || account.includes('='))
    throw new UsageError('Say which account, by its name or id.');
  const changes = readChanges(words);
  const { id: accountId } = await findAccount(storage, account);
  if (words.length > 0) await storage.changeLimits({ accountId, changes });
  const { limits: now } = await findAccount(storage, accountId);
  const rows = LIMIT_NAMES.map((name) => [name, limitText(now[name]), ACCOUNT_LIMITS[name].meaning]);
  print(`${table([['LIMIT', 'VALUE', 'MEANING'], ...rows])}\n`);
  return 0;
}

function readChanges(words: readonly string[]): LimitChanges {
  const changes = words.map((word): [LimitName, number | boolean | null] => {
    const [wanted = '', text = ''] = word.split('=', 2);
    const name = LIMIT_NAMES.find((each) => each === wanted);
    if (!name) throw new UsageError(`There is no limit "${wanted}"; there are: ${LIMIT_NAMES.join(', ')}.`);
    const value = readLimit(name, text);
    if (value === undefined) throw new UsageError(`${name} must be ${rangeOf(name)}, or default.`);
    return [name, value];
  });
  return Object.fromEntries(changes);
}
