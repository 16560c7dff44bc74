// Who asks: `Authorization: Bearer <token>` → an account. Tokens are held in memory by their hashes, and every request
// asks the database whether they have changed (together with all others of that moment), so a revoked token fails on
// the next request, on every node.
import { hash, randomBytes } from 'node:crypto';
import { type Account, DEFAULT_SETTINGS, type Token } from '../domain/account.ts';
import { type Problem, problem } from '../domain/problem.ts';
import type { Storage, Topic } from '../storage/storage.ts';

const CHALLENGE = 'Bearer realm="dialtree"';
const TOUCH_MS = 30_000;

export interface Identity {
  readonly account: Account;
  readonly token: Token;
  /** Of the account's directory, answered calls and records, read together with the check of the token. */
  readonly directoryRevision: number;
  readonly answeredRevision: number;
  readonly recordsRevision: number;
}

export function hashToken(secret: string): string {
  return hash('sha256', secret);
}

/** 256 random bits behind a prefix that secret scanners can find. */
export function makeSecret(): string {
  return `dialtree_${randomBytes(32).toString('base64url')}`;
}

interface Known {
  readonly account: Account;
  readonly token: Token;
  /** What every request with this token asks the revisions of; made once. */
  readonly topics: readonly Topic[];
}

const UNKNOWN_TOPICS: readonly Topic[] = ['access'];

export class Access {
  readonly #storage: Storage;
  readonly #used = new Set<string>();
  readonly #touching: NodeJS.Timeout;
  #revision = -1;
  #known: ReadonlyMap<string, Known> = new Map();
  #loading: Promise<void> | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#touching = setInterval(() => void this.touch(), TOUCH_MS);
    this.#touching.unref();
  }

  async identify(authorization: string | undefined): Promise<Identity | Problem> {
    const secret = bearer(authorization);
    if (secret === null) {
      return problem(
        'token_missing',
        'Send the header "Authorization: Bearer <token>" with an access token.',
        {
          headers: { 'www-authenticate': CHALLENGE },
        },
      );
    }
    const digest = hashToken(secret);
    const guess = this.#known.get(digest);
    const topics = guess?.topics ?? UNKNOWN_TOPICS;
    const [revision = 0, directoryRevision = -1, answeredRevision = 0, recordsRevision = 0] =
      await this.#storage.revisions(topics);
    if (revision > this.#revision) await this.#load(revision);
    const known = this.#known.get(digest);
    if (!known || (known.token.expiresAtMs !== null && known.token.expiresAtMs <= Date.now())) {
      return problem('token_invalid', 'This access token is unknown, revoked or expired.', {
        headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
      });
    }
    this.#used.add(known.token.id);
    const { account, token } = known;
    if (directoryRevision >= 0)
      return { account, token, directoryRevision, answeredRevision, recordsRevision };
    const [, directory = 0, answered = 0, records = 0] = await this.#storage.revisions(known.topics);
    return {
      account,
      token,
      directoryRevision: directory,
      answeredRevision: answered,
      recordsRevision: records,
    };
  }

  /** Writes down which tokens were used; once in a while, since the time of last use needs no precision. */
  async touch(): Promise<void> {
    const ids = [...this.#used];
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
        const [accounts, tokens] = await Promise.all([
          this.#storage.listAccounts(),
          this.#storage.listTokens(),
        ]);
        const byId = new Map(
          accounts.map(({ id, name, settings }) => [
            id,
            { id, name, settings: { ...DEFAULT_SETTINGS, ...settings } },
          ]),
        );
        const known = new Map<string, Known>();
        for (const token of tokens) {
          const account = byId.get(token.accountId);
          if (account) known.set(token.hash, { account, token, topics: topicsOf(account.id) });
        }
        this.#known = known;
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
