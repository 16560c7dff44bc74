// dialtree account: accounts are made here and not over HTTP, since no token stands above all accounts.
import { makeToken } from '../credentials.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { newId } from '../domain/id.ts';
import { type Command, table, UsageError, withStorage } from './command.ts';

export const account: Command = {
  usage: [
    ['account create <name>', 'make an account and print its first token, this once'],
    ['account list', 'list accounts'],
  ],
  async run([action, name], config) {
    return withStorage(config, async (storage) => {
      if (action === 'list') {
        const rows = (await storage.listAccounts()).map((one) => [
          one.id,
          one.name,
          new Date(one.createdAtMs).toISOString(),
        ]);
        process.stdout.write(`${table([['ID', 'NAME', 'CREATED'], ...rows])}\n`);
        return 0;
      }
      if (action !== 'create') throw new UsageError('Say what to do with accounts: create or list.');
      if (!name || name.startsWith('-')) throw new UsageError('Say the name of the new account.');
      const taken = (await storage.listAccounts()).some((one) => one.name === name);
      if (taken) throw new UsageError(`There is an account "${name}" already.`);
      const nowMs = Date.now();
      const id = newId(nowMs);
      const { secret, token } = makeToken(id, 'first token', nowMs);
      await storage.createAccount({
        account: { id, name, createdAtMs: nowMs, settings: DEFAULT_SETTINGS },
        token,
      });
      process.stderr.write(`Account ${name} (${id}) is made. Its access token, shown this once:\n`);
      process.stdout.write(`${secret}\n`);
      return 0;
    });
  },
};
