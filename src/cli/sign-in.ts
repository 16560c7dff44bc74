// dialtree sign-in: a link that opens the console, signed in; sign-out: the opposite, for every browser. Both
// work on the database itself.
import { consoleLink, LINK_MS, makeLink } from '../credentials.ts';
import { type Command, count, findAccount, parseWords, UsageError, withStorage } from './command.ts';
import { addressOf } from './remote.ts';

const OPTIONS = { account: { type: 'string' }, url: { type: 'string' } } as const;

export const signIn: Command = {
  usage: [
    [
      'sign-in [--account <a>] [--url <address>]',
      'print a link that signs a browser in to the console, once',
    ],
  ],
  details: [
    `The link works once, within ${LINK_MS / 60_000} minutes; it signs a browser in for 7 days. It is not written into the log.`,
    '',
    '--account <a>     name or id; needed where there are several.',
    '--url <address>   where the browser finds the service; default: this machine, at PORT.',
  ],
  options: OPTIONS,
  examples: ['sign-in', 'sign-in --url https://phones.example.com'],
  async run(words, config) {
    const values = read(words);
    return withStorage(config, async (storage) => {
      const account = await findAccount(storage, values.account);
      const { secret, token } = makeLink(account.id, Date.now());
      await storage.createToken({ token });
      // The link alone on standard output, so that a script can take it.
      process.stderr.write(`Open this in a browser, within ${LINK_MS / 60_000} minutes; it works once:\n`);
      process.stdout.write(`${consoleLink(values.url ?? addressOf(config), secret)}\n`);
      return 0;
    });
  },
};

export const signOut: Command = {
  usage: [['sign-out [--account <a>]', 'sign every browser out of the console, and end links that wait']],
  options: OPTIONS,
  examples: ['sign-out'],
  async run(words, config) {
    const values = read(words);
    return withStorage(config, async (storage) => {
      const { id: accountId, name } = await findAccount(storage, values.account);
      const tokens = (await storage.listTokens()).filter(
        (token) => token.accountId === accountId && token.use !== 'api',
      );
      for (const { id } of tokens) await storage.revokeToken({ accountId, id });
      const browsers = count(tokens.filter(({ use }) => use === 'session').length, 'browser');
      process.stderr.write(`Signed ${browsers} out of account ${name}.\n`);
      return 0;
    });
  },
};

function read(words: readonly string[]): { account?: string | undefined; url?: string | undefined } {
  const { values, positionals } = parseWords(words, OPTIONS);
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one word too many.`);
  return values;
}
