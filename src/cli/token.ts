// dialtree token: the same as /v1/token, for an account of this machine or of the service that DIALTREE_URL names.

import { all, type Client, type Output } from '../../client/client.ts';
import { tooMany } from '../api/account/token.ts';
import { TOKEN_FIELDS } from '../api/schemas/account.ts';
import { ASSISTANT_SCOPES, SCOPES } from '../domain/account.ts';
import { readRecord } from '../kinds/field.ts';
import { isProblem } from '../kinds/problem.ts';
import { DAY_MS, makeToken } from '../kit/credentials.ts';
import { ownCommand } from '../kit/own-command.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import type { Storage } from '../storage/storage.ts';
import { withAccount } from './account-api.ts';
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
import { asksService, EITHER_DETAILS, REMOTE_OPTIONS, toArray, withService } from './remote.ts';

const OPTIONS = {
  ...REMOTE_OPTIONS,
  name: { type: 'string' },
  days: { type: 'string' },
  expires: { type: 'string' },
  scopes: { type: 'string' },
  assistant: { type: 'boolean' },
  account: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values'];

export const token: Command = {
  usage: [
    [
      'token create --name <name> [--scopes <s,…>|--assistant] [--expires <when>] [--account <a>]',
      'make an access token and print it, this once',
    ],
    [
      'token list [--account <a>] [--json]',
      'list tokens: scopes, dates and what made them, never the secrets',
    ],
    [
      'token revoke <id> [--account <a>]',
      'revoke a token and all that were made with it, from the next request on',
    ],
  ],
  details: [
    `--scopes <s,…>    of ${SCOPES.join(', ')} (default: admin, which is everything). docs/tokens.md explains them.`,
    `--assistant       for an assistant (dialtree mcp): --scopes ${ASSISTANT_SCOPES.join(',')}.`,
    '--expires <when>  12h, 90d or a date such as 2030-01-31 (default: never). --days <n> is the same as --expires <n>d.',
    '',
    ...EITHER_DETAILS,
  ],
  options: OPTIONS,
  examples: ['token create --name ci --scopes read,write --expires 90d', 'token list'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [action, id] = positionals;
    switch (action) {
      case 'create':
        if (asksService(config, values))
          return withService(config, values, (dialtree) => createThere(dialtree, values));
        // No token can make one that outlives it: those of the operator belong to none, and are made in the database.
        return withStorage(config, async (storage) =>
          createHere(storage, await findAccount(storage, values.account), values),
        );
      case 'list':
        return withAccount(config, values, async (dialtree) =>
          printTokens(await toArray(all(dialtree.listTokens)), values.json),
        );
      case 'revoke':
        if (!id) throw new UsageError(WHICH);
        return withAccount(config, values, async (dialtree) => {
          remark(`${(await dialtree.revokeToken({ params: { id } })).Message}\n`);
          return 0;
        });
      default:
        throw new UsageError('Say what to do with tokens: create, list or revoke.');
    }
  },
};

const WHICH = `Say which token: "${ownCommand()} token list" shows their ids.`;

type Listed = Output<'listTokens'>['data'][number];

function printTokens(tokens: readonly Listed[], json: boolean | undefined): number {
  const rows = tokens.map((one) => Object.values(one).map((cell) => String(cell ?? '-')));
  const heads = ['ID', 'NAME', 'SCOPES', 'PARENT', 'CREATED', 'EXPIRES', 'LAST USED'];
  print(json ? `${JSON.stringify(tokens, null, 2)}\n` : `${table([heads, ...rows])}\n`);
  return 0;
}

async function createThere(dialtree: Client<'minimal'>, values: Values): Promise<number> {
  const { name, scopes } = readGiven(values);
  const days = wholeDays(values);
  const made = await dialtree.createToken({
    body: {
      name,
      ...(scopes ? { scopes: [...scopes] } : {}),
      ...(days === null ? {} : { expires_in_days: days }),
    },
  });
  remark(`Token ${made.id}, shown this once:\n`);
  print(`${made.token}\n`);
  return 0;
}

/** Over HTTP tokens expire after whole days. Null: never. */
function wholeDays({ days, expires }: Values): number | null {
  const [, count] = /^([1-9]\d{0,4})d$/.exec(expires ?? `${days ?? ''}d`) ?? [];
  if (count) return Number(count);
  if (days === undefined && expires === undefined) return null;
  throw new UsageError('A service that is asked makes tokens for whole days: --expires 90d or --days 90.');
}

interface NewToken {
  readonly name?: string | undefined;
  readonly scopes?: string | undefined;
  readonly assistant?: boolean | undefined;
  readonly days?: string | undefined;
  readonly expires?: string | undefined;
}

function readGiven({
  name,
  assistant,
  scopes = assistant ? ASSISTANT_SCOPES.join(',') : undefined,
  days,
}: NewToken) {
  const given = { name, expires_in_days: days, scopes: scopes?.split(',').map((scope) => scope.trim()) };
  const input = readRecord(TOKEN_FIELDS, given);
  if (isProblem(input)) throw new UsageError(input.message);
  return input;
}

async function createHere(storage: Storage, account: StoredAccount, values: NewToken): Promise<number> {
  const { expires } = values;
  const input = readGiven(values);
  const nowMs = Date.now();
  const inDays = input.expires_in_days === null ? null : nowMs + input.expires_in_days * DAY_MS;
  const { secret, token } = makeToken(account.id, input.name, nowMs, {
    ...(input.scopes ? { scopes: input.scopes } : {}),
    expiresAtMs: expires === undefined ? inDays : momentOf(expires, nowMs),
  });
  const most = account.limits.max_tokens;
  const { outcome } = await storage.createToken({ token, most });
  if (outcome !== 'created') throw new CommandError(tooMany(most).message);
  // The token alone on standard output, so that a script can take it.
  remark(`Token ${token.id} of account ${account.name}, shown this once:\n`);
  print(`${secret}\n`);
  return 0;
}

const UNITS_MS: Record<string, number> = { h: DAY_MS / 24, d: DAY_MS };

/** `12h` and `90d` from now, or a date. */
function momentOf(text: string, nowMs: number): number {
  const [, count, unit = ''] = /^([1-9][0-9]{0,4})([hd])$/.exec(text) ?? [];
  const atMs = count ? nowMs + Number(count) * (UNITS_MS[unit] ?? 0) : dateOf(text);
  if (atMs > nowMs) return atMs;
  throw new UsageError(
    `--expires must be like 12h, 90d or a date to come such as 2030-01-31; it was "${text}".`,
  );
}

const dateOf = (text: string): number => (/^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN);
