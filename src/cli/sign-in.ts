// dialtree sign-in: a link that opens the console, signed in; sign-out: the opposite, for every browser. Both
// work on the database of this machine, or ask the service that DIALTREE_URL or --token names.
import type { Config } from '../config/config.ts';
import { consoleLink, LINK_MS, makeLink } from '../kit/credentials.ts';
import { type Command, count, findAccount, parseWords, UsageError, withStorage } from './command.ts';
import { print, remark } from './io.ts';
import { asksService, REMOTE_OPTIONS, serviceUrl, withService } from './remote.ts';

const { url, token } = REMOTE_OPTIONS;
const OPTIONS = { account: { type: 'string' }, url, token } as const;

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values'];

const ACCOUNT_DETAIL =
  '--account <a>     name or id, in the database of this machine; needed where there are several.';
const SERVICE_DETAIL =
  'With DIALTREE_URL, or a token (DIALTREE_TOKEN, --token), the running service is asked, and the link may do what the token may.';

export const signIn: Command = {
  usage: [
    [
      'sign-in [--account <a>] [--url <address>]',
      'print a link that signs a browser in to the console, once',
    ],
  ],
  details: [
    `The link works once, within ${LINK_MS / 60_000} minutes; it signs a browser in for 7 days. It is not written into the log.`,
    SERVICE_DETAIL,
    '',
    ACCOUNT_DETAIL,
    '--url <address>   where the browser finds the service; default: DIALTREE_URL, or this machine, at PORT.',
  ],
  options: OPTIONS,
  examples: ['sign-in', 'sign-in --url https://phones.example.com'],
  async run(words, config) {
    const values = read(words);
    const address = serviceUrl(config, values);
    const secret = isRemote(config, values)
      ? await withService(config, values, async (dialtree) => (await dialtree.createSignInLink()).code)
      : await linkHere(config, values.account);
    // The link alone on standard output, so that a script can take it.
    remark(`Open this in a browser, within ${LINK_MS / 60_000} minutes; it works once:\n`);
    print(`${consoleLink(address, secret)}\n`);
    return 0;
  },
};

async function linkHere(config: Config, account: string | undefined): Promise<string> {
  return withStorage(config, async (storage) => {
    const { secret, token } = makeLink((await findAccount(storage, account)).id, Date.now());
    await storage.createToken({ token });
    return secret;
  });
}

export const signOut: Command = {
  usage: [['sign-out [--account <a>]', 'sign every browser out of the console, and end links that wait']],
  details: [SERVICE_DETAIL, '', ACCOUNT_DETAIL],
  options: OPTIONS,
  examples: ['sign-out'],
  async run(words, config) {
    const values = read(words);
    if (isRemote(config, values))
      return withService(config, values, async (dialtree) => {
        remark(`${(await dialtree.deleteSessions()).Message}\n`);
        return 0;
      });
    return withStorage(config, async (storage) => {
      const { id: accountId, name } = await findAccount(storage, values.account);
      const tokens = (await storage.listTokens()).filter(
        (token) => token.accountId === accountId && token.use !== 'api',
      );
      for (const { id } of tokens) await storage.revokeToken({ accountId, id });
      const browsers = count(tokens.filter(({ use }) => use === 'session').length, 'browser');
      remark(`Signed ${browsers} out of account ${name}.\n`);
      return 0;
    });
  },
};

/** --url alone says where browsers find the service whose database is here. */
function isRemote(config: Config, { account, token }: Values): boolean {
  const { remoteUrl = token ?? config.remoteToken } = config;
  return asksService({ ...config, remoteUrl }, { account });
}

function read(words: readonly string[]): Values {
  const { values, positionals } = parseWords(words, OPTIONS);
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one word too many.`);
  return values;
}
