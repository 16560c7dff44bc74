// dialtree token: the same as /v1/token, on the database itself.

import { describeToken, tokensOf } from '../api/account/token.ts';
import { TOKEN_FIELDS } from '../api/schemas/account.ts';
import { readRecord } from '../api/schemas/field.ts';
import { makeToken } from '../credentials.ts';
import { isProblem } from '../domain/problem.ts';
import { type Command, findAccount, parseWords, table, UsageError, withStorage } from './command.ts';

const OPTIONS = {
  name: { type: 'string' },
  days: { type: 'string' },
  account: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const token: Command = {
  usage: [
    [
      'token create --name <name> [--days <n>] [--account <a>]',
      'make an access token and print it, this once',
    ],
    ['token list [--account <a>] [--json]', 'list tokens: never the secrets, only their names and dates'],
    ['token revoke <id> [--account <a>]', 'revoke a token; it fails on the next request'],
  ],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [action, id] = positionals;
    return withStorage(config, async (storage) => {
      const account = await findAccount(storage, values.account);
      switch (action) {
        case 'create': {
          const input = readRecord(TOKEN_FIELDS, { name: values.name, expires_in_days: values.days });
          if (isProblem(input)) throw new UsageError(input.message);
          const { secret, token: made } = makeToken(
            account.id,
            input.name,
            Date.now(),
            input.expires_in_days,
          );
          await storage.createToken({ token: made });
          // The token alone on standard output, so that a script can take it.
          process.stderr.write(`Token ${made.id} of account ${account.name}, shown this once:\n`);
          process.stdout.write(`${secret}\n`);
          return 0;
        }
        case 'list': {
          const tokens = tokensOf(account.id, await storage.listTokens()).map(describeToken);
          const rows = tokens.map((one) => Object.values(one).map((cell) => cell ?? '-'));
          const heads = ['ID', 'NAME', 'CREATED', 'EXPIRES', 'LAST USED'];
          process.stdout.write(
            values.json ? `${JSON.stringify(tokens, null, 2)}\n` : `${table([heads, ...rows])}\n`,
          );
          return 0;
        }
        case 'revoke': {
          if (!id) throw new UsageError('Say which token: "dialtree token list" shows their ids.');
          const { revoked } = await storage.revokeToken({ accountId: account.id, id });
          process.stderr.write(
            revoked ? `Token ${id} is revoked.\n` : `Account ${account.name} has no token ${id}.\n`,
          );
          return revoked ? 0 : 1;
        }
        default:
          throw new UsageError('Say what to do with tokens: create, list or revoke.');
      }
    });
  },
};
