// Who asks: `Authorization: Bearer <token>`, or the console's cookie → an account. Tokens are held in memory by their
// hashes, and every request asks the database whether they have changed (together with all others of that moment), so a
// revoked token, or the session of a browser that came of it, fails on the next request, on every node.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Account,
  DEFAULT_SETTINGS,
  type Scope,
  type Token,
  type TokenUse,
} from '../../domain/account.ts';
import type { Role } from '../../domain/roles.ts';
import type { User } from '../../domain/user.ts';
import { type Problem, problem } from '../../kinds/problem.ts';
import { earlier, hashToken } from '../../kit/credentials.ts';
import type { Topic } from '../../storage/ports/revisions.ts';
import type { Storage } from '../../storage/storage.ts';
import { ACCOUNT_HEADER, crossSite, sessionSecrets } from './session-cookie.ts';

export const CHALLENGE = 'Bearer realm="dialtree"';
const TOUCH_MS = 30_000;

export interface Identity {
  readonly account: Account;
  readonly token: Token;
  /** Null if the token belongs to the account as a whole. */
  readonly user: User | null;
  /** The revisions of the account's directory, answered calls and records, read together with the check of the token. */
  readonly directoryRevision: number;
  readonly answeredRevision: number;
  readonly recordsRevision: number;
}

export interface Proven {
  readonly account: Account;
  readonly token: Token;
  readonly user: User | null;
}

export interface KnownUser {
  readonly account: Account;
  readonly user: User;
}

interface Known extends Proven {
  /** What every request with this token asks the revisions of; made once. */
  readonly topics: readonly Topic[];
}

type KnownTokens = ReadonlyMap<string, Known>;

/** By what they are for: a session is no access token, nor the other way round. */
type KnownByUse = Readonly<Record<TokenUse, KnownTokens>>;
const NO_TOKENS: KnownByUse = { api: new Map(), session: new Map(), link: new Map() };

const UNKNOWN_TOPICS: readonly Topic[] = ['access'];

type AccessStorage = Pick<Storage, 'revisions' | 'listAccounts' | 'listTokens' | 'listUsers' | 'touchTokens'>;

export class Access {
  readonly #storage: AccessStorage;
  readonly #used = new Set<string>();
  readonly #touching: NodeJS.Timeout;
  #revision = -1;
  #known = NO_TOKENS;
  #users: readonly KnownUser[] = [];
  #byId: ReadonlyMap<string, Known> = new Map();
  #accounts: ReadonlyMap<string, Account> = new Map();
  #loading: Promise<void> | undefined;

  constructor(storage: AccessStorage) {
    this.#storage = storage;
    this.#touching = setInterval(() => void this.touch(), TOUCH_MS);
    this.#touching.unref();
  }

  identify(authorization: string | undefined): Promise<Identity | Problem> {
    const secret = bearer(authorization);
    if (secret === null) return Promise.resolve(TOKEN_MISSING);
    const digest = hashToken(secret);
    return this.#identity(() => this.#known.api.get(digest), TOKEN_INVALID);
  }

  /**
   * By the console's cookie: the account that the request names, or the current one where it only reads. A sound that a page
   * plays is asked for by the browser itself, which sends no header of ours: `named` is what stood in its address.
   */
  async identifyBrowser(
    method: string,
    headers: IncomingHttpHeaders,
    named?: unknown,
  ): Promise<Identity | Problem> {
    const digests = sessionSecrets(headers.cookie).map(hashToken);
    if (digests.length === 0) return TOKEN_MISSING;
    const refusal = crossSite(method, headers);
    if (refusal) return refusal;
    const wanted = headers[ACCOUNT_HEADER] ?? named;
    const find = (): Known | undefined => {
      for (const digest of digests) {
        const known = this.#known.session.get(digest);
        if (known && isAlive(known.token) && (wanted === undefined || known.account.id === wanted))
          return known;
      }
      return undefined;
    };
    return this.#identity(find, NOT_SIGNED_IN);
  }

  /** For a command on the machine of the service, which needs no token: `token` names it and its account. */
  identifyOperator(token: Token): Promise<Identity | Problem> {
    const find = (): Known | undefined => {
      const account = this.#accounts.get(token.accountId);
      return account && { account, token, user: null, topics: topicsOf(account.id) };
    };
    return this.#identity(find, TOKEN_INVALID);
  }

  async prove(secrets: readonly string[], use: TokenUse): Promise<(Proven | null)[]> {
    const [revision = 0] = await this.#storage.revisions(UNKNOWN_TOPICS);
    if (revision > this.#revision) await this.#load(revision);
    return secrets.map((secret) => {
      const known = this.#known[use].get(hashToken(secret));
      if (!known || !isAlive(known.token)) return null;
      this.#used.add(known.token.id);
      return known;
    });
  }

  /** What byId() and accountNow() know is as new as this call. */
  async refresh(): Promise<void> {
    const [revision = 0] = await this.#storage.revisions(UNKNOWN_TOPICS);
    if (revision > this.#revision) await this.#load(revision);
  }

  /** A token or session that is alive. */
  byId(id: string): Proven | null {
    const known = this.#byId.get(id);
    return known && isAlive(known.token) ? known : null;
  }

  accountNow(id: string): Account | null {
    return this.#accounts.get(id) ?? null;
  }

  /** Users as they are now, with their accounts. */
  async users(fits: (user: User) => boolean): Promise<KnownUser[]> {
    const [revision = 0] = await this.#storage.revisions(UNKNOWN_TOPICS);
    if (revision > this.#revision) await this.#load(revision);
    return this.#users.filter(({ user }) => fits(user));
  }

  /** What is found now is probably meant: its revisions are asked for at once. After the answer it is looked for again. */
  async #identity(find: () => Known | undefined, refusal: Problem): Promise<Identity | Problem> {
    const guess = find();
    const topics = guess?.topics ?? UNKNOWN_TOPICS;
    const [revision = 0, directoryRevision = -1, answeredRevision = 0, recordsRevision = 0] =
      await this.#storage.revisions(topics);
    if (revision > this.#revision) await this.#load(revision);
    const known = find();
    if (!known || !isAlive(known.token)) return refusal;
    this.#used.add(known.token.id);
    const { account, token, user } = known;
    if (directoryRevision >= 0 && known.account.id === guess?.account.id)
      return { account, token, user, directoryRevision, answeredRevision, recordsRevision };
    const [, directory = 0, answered = 0, records = 0] = await this.#storage.revisions(known.topics);
    return {
      account,
      token,
      user,
      directoryRevision: directory,
      answeredRevision: answered,
      recordsRevision: records,
    };
  }

  /** Writes down which tokens were used; once in a while, since the time of last use needs no precision. */
  async touch(): Promise<void> {
    const ids = [...this.#used].filter((id) => this.#byId.has(id));
    this.#used.clear();
    // Lost in an outage, it is written after the next use.
    if (ids.length > 0) await this.#storage.touchTokens({ ids, atMs: Date.now() }).catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#touching);
    await this.touch();
  }

  async #load(revision: number): Promise<void> {
    this.#loading ??= (async () => {
      try {
        const [accounts, tokens, users] = await Promise.all([
          this.#storage.listAccounts(),
          this.#storage.listTokens(),
          this.#storage.listUsers(),
        ]);
        const usersById = new Map(users.map((user) => [`${user.accountId} ${user.id}`, user]));
        const byId = new Map(
          accounts.map(({ id, name, settings, limits }) => [
            id,
            { id, name, settings: { ...DEFAULT_SETTINGS, ...settings }, limits },
          ]),
        );
        const known = {
          api: new Map<string, Known>(),
          session: new Map<string, Known>(),
          link: new Map<string, Known>(),
        };
        const tokensById = new Map(tokens.map((token) => [token.id, token]));
        for (const stored of tokens) {
          const account = byId.get(stored.accountId);
          const token = withinParents(stored, tokensById);
          const user =
            token?.userId === undefined ? null : usersById.get(`${token.accountId} ${token.userId}`);
          if (!account || !token || user === undefined || user?.disabled) continue;
          known[token.use].set(token.hash, { account, token, user, topics: topicsOf(account.id) });
        }
        this.#known = known;
        this.#accounts = byId;
        this.#byId = new Map(
          Object.values(known).flatMap((all) =>
            [...all.values()].map((each) => [each.token.id, each] as const),
          ),
        );
        this.#users = users.flatMap((user) => {
          const account = byId.get(user.accountId);
          return account ? [{ user, account }] : [];
        });
        this.#revision = revision;
      } finally {
        this.#loading = undefined;
      }
    })();
    await this.#loading;
    // Another request may have started the loading for an older revision.
    if (this.#revision < revision) await this.#load(revision);
  }
}

const TOKEN_MISSING = problem(
  'token_missing',
  'Send the header "Authorization: Bearer <token>" with an access token.',
  { headers: { 'www-authenticate': CHALLENGE } },
);
const INVALID = { headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` } };
export const TOKEN_INVALID = problem(
  'token_invalid',
  'This access token is unknown, revoked or expired.',
  INVALID,
);
/** RFC 6750, section 3.1: the response names the scope that is needed. */
export function scopeMissing(scope: Scope, { scopes }: Token): Problem {
  return problem(
    'scope_missing',
    `This needs a token with the scope ${scope}; this one has ${scopes.join(', ')}.`,
    {
      headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
      details: { Scope: scope },
    },
  );
}
export function roleRefused(role: Role): Problem {
  return problem('role_refused', `The role ${role} may not do this.`, {
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` },
  });
}
const NOT_SIGNED_IN = problem(
  'token_invalid',
  'This browser is not signed in to the account any more.',
  INVALID,
);
export const LINK_INVALID = problem(
  'link_invalid',
  'This link was used already, or is older than 15 minutes. Make a new one with "dialtree sign-in".',
  INVALID,
);

const isAlive = ({ expiresAtMs }: Token): boolean => expiresAtMs === null || expiresAtMs > Date.now();

/** A token expires no later than those it came of. Null: one of them is gone, as when it was revoked at that very moment. */
function withinParents(token: Token, tokens: ReadonlyMap<string, Token>): Token | null {
  let { parentId, expiresAtMs } = token;
  for (let depth = 0; parentId !== null; depth++) {
    const parent = tokens.get(parentId);
    if (parent?.accountId !== token.accountId || depth > tokens.size) return null;
    expiresAtMs = earlier(expiresAtMs, parent.expiresAtMs);
    parentId = parent.parentId;
  }
  return expiresAtMs === token.expiresAtMs ? token : { ...token, expiresAtMs };
}

function topicsOf(accountId: string): Topic[] {
  return ['access', `directory:${accountId}`, `answered:${accountId}`, `records:${accountId}`];
}

/** The token of a bearer header; null when there is none or it is malformed. The scheme's name is in any case. */
function bearer(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > 512) return null;
  const space = authorization.indexOf(' ');
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== 'bearer') return null;
  const secret = authorization.slice(space + 1).trim();
  return /^[\x21-\x7e]+$/.test(secret) ? secret : null;
}
