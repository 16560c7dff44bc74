import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Token } from '../../domain/account.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import type { User } from '../../domain/user.ts';
import { isProblem } from '../../kinds/problem.ts';
import { hashToken } from '../../kit/credentials.ts';
import type { StoredAccount } from '../../storage/ports/accounts.ts';
import type { Topic } from '../../storage/ports/revisions.ts';
import { Access, LINK_INVALID } from './auth.ts';

const NOW = Date.UTC(2026, 0, 1);

function tokenOf(secret: string, more: Partial<Token> = {}): Token {
  return {
    id: secret,
    accountId: 'acme',
    name: secret,
    use: 'api',
    parentId: null,
    scopes: ['admin'],
    hash: hashToken(secret),
    createdAtMs: 0,
    expiresAtMs: null,
    lastUsedAtMs: null,
    ...more,
  };
}

/** Storage as far as Access uses it; every change raises the revision of `access`. */
class Stored {
  tokens: Token[] = [];
  access = 1;
  loads = 0;
  asked: (readonly Topic[])[] = [];
  touched: { ids: readonly string[]; atMs: number }[] = [];
  failing = false;
  /** Awaited by the next load. */
  loading: Promise<void> = Promise.resolve();

  set(...tokens: Token[]): void {
    this.tokens = tokens;
    this.access += 1;
  }
  async revisions(topics: readonly Topic[]): Promise<number[]> {
    this.asked.push(topics);
    return topics.map((topic) => (topic === 'access' ? this.access : topic.length));
  }
  async listAccounts(): Promise<StoredAccount[]> {
    this.loads += 1;
    await this.loading;
    return [
      { id: 'acme', name: 'Acme', settings: { ring_seconds: 9 }, limits: DEFAULT_LIMITS, createdAtMs: 0 },
      { id: 'other', name: 'Other', settings: {}, limits: DEFAULT_LIMITS, createdAtMs: 0 },
    ];
  }
  users: User[] = [];
  async listUsers(): Promise<User[]> {
    return this.users;
  }
  async listTokens(): Promise<Token[]> {
    return this.tokens;
  }
  async touchTokens(input: { ids: readonly string[]; atMs: number }): Promise<void> {
    if (this.failing) throw new Error('away');
    this.touched.push(input);
  }
}

let stored: Stored;
let access: Access;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  stored = new Stored();
  access = new Access(stored);
});
afterEach(async () => {
  await access.close();
  vi.useRealTimers();
});

const bearer = async (header: string | undefined) => {
  const found = await access.identify(header);
  return isProblem(found) ? found.problem : found.token.id;
};
const browser = async (
  cookie: string | undefined,
  headers: Record<string, string> = {},
  method = 'GET',
  named?: unknown,
) => {
  const found = await access.identifyBrowser(method, { ...(cookie ? { cookie } : {}), ...headers }, named);
  return isProblem(found) ? found.problem : `${found.account.id} ${found.token.id}`;
};

describe('a bearer token', () => {
  it.each([
    ['Bearer good', 'good'],
    ['bearer good', 'good'],
    ['BEARER  good ', 'good'],
    [undefined, 'token_missing'],
    ['', 'token_missing'],
    ['good', 'token_missing'],
    ['Bearer', 'token_missing'],
    ['Bearer ', 'token_missing'],
    ['bearers', 'token_missing'],
    ['Basic good', 'token_missing'],
    ['Bearer two words', 'token_missing'],
    ['Bearer gööd', 'token_missing'],
    [`Bearer ${'x'.repeat(505)}`, 'token_invalid'],
    [`Bearer ${'x'.repeat(506)}`, 'token_missing'],
    ['Bearer bad', 'token_invalid'],
  ])('%j gives %s', async (header, outcome) => {
    stored.set(tokenOf('good'));
    expect(await bearer(header)).toBe(outcome);
  });

  it('gives the account with its settings, and the revisions of that account', async () => {
    stored.set(tokenOf('good'));
    const first = await access.identify('Bearer good');
    expect(first).toEqual({
      user: null,
      account: {
        id: 'acme',
        name: 'Acme',
        settings: { ...DEFAULT_SETTINGS, ring_seconds: 9 },
        limits: DEFAULT_LIMITS,
      },
      token: stored.tokens[0],
      directoryRevision: 'directory:acme'.length,
      answeredRevision: 'answered:acme'.length,
      recordsRevision: 'records:acme'.length,
    });
    stored.asked = [];
    expect(await access.identify('Bearer good')).toEqual(first);
    expect(stored.asked).toEqual([['access', 'directory:acme', 'answered:acme', 'records:acme']]);
    expect(stored.loads).toBe(1);
  });

  it('is found in a database in which nothing ever changed, by one question each time after the first', async () => {
    stored.tokens = [tokenOf('good')];
    stored.access = 0;
    vi.spyOn(stored, 'revisions').mockImplementation(async (topics) => topics.map(() => 0));
    expect(await bearer('Bearer good')).toBe('good');
    vi.mocked(stored.revisions).mockClear();
    expect(await access.identify('Bearer good')).toMatchObject({ directoryRevision: 0 });
    expect(stored.revisions).toHaveBeenCalledTimes(1);
  });

  it('fails on the next request after it is revoked, and until it is known', async () => {
    expect(await bearer('Bearer good')).toBe('token_invalid');
    stored.set(tokenOf('good'));
    expect(await bearer('Bearer good')).toBe('good');
    stored.set();
    expect(await bearer('Bearer good')).toBe('token_invalid');
  });

  it('expires at its moment', async () => {
    stored.set(tokenOf('short', { expiresAtMs: NOW + 1000 }));
    expect(await bearer('Bearer short')).toBe('short');
    vi.setSystemTime(NOW + 999);
    expect(await bearer('Bearer short')).toBe('short');
    vi.setSystemTime(NOW + 1000);
    expect(await bearer('Bearer short')).toBe('token_invalid');
  });

  it('of another account after a change gets the revisions of that account', async () => {
    stored.set(tokenOf('good'));
    await access.identify('Bearer good');
    stored.set(tokenOf('good', { accountId: 'other' }));
    expect(await access.identify('Bearer good')).toMatchObject({
      account: { id: 'other' },
      directoryRevision: 'directory:other'.length,
      answeredRevision: 'answered:other'.length,
      recordsRevision: 'records:other'.length,
    });
  });

  it('is neither a session nor a link, nor one of an account that is gone', async () => {
    stored.set(
      tokenOf('session', { use: 'session' }),
      tokenOf('link', { use: 'link' }),
      tokenOf('gone', { accountId: 'gone' }),
    );
    for (const secret of ['session', 'link', 'gone'])
      expect(await bearer(`Bearer ${secret}`)).toBe('token_invalid');
    expect(await access.prove(['session', 'link', 'gone'], 'api')).toEqual([null, null, null]);
  });

  it('is loaded once for all requests of a moment, and again for those that came during the load', async () => {
    let finish = () => {};
    stored.loading = new Promise((resolve) => {
      finish = resolve;
    });
    stored.set(tokenOf('good'));
    const first = [bearer('Bearer good'), bearer('Bearer good')];
    await vi.waitFor(() => expect(stored.loads).toBe(1));
    stored.set(tokenOf('good'), tokenOf('new'));
    const second = bearer('Bearer new');
    await vi.advanceTimersByTimeAsync(0);
    finish();
    expect(await Promise.all([...first, second])).toEqual(['good', 'good', 'new']);
    expect(stored.loads).toBe(2);
  });
});

describe("the console's cookie", () => {
  const session = (secret: string, more: Partial<Token> = {}) => tokenOf(secret, { use: 'session', ...more });
  const cookie = 'dialtree_session=mine.theirs';
  beforeEach(() => stored.set(session('mine'), session('theirs', { accountId: 'other' }), tokenOf('api')));

  it('gives the first account, or the one that the request names', async () => {
    expect(await browser(cookie)).toBe('acme mine');
    expect(await browser(cookie, { 'dialtree-account': 'other' })).toBe('other theirs');
    expect(await browser(cookie, {}, 'GET', 'other')).toBe('other theirs');
    expect(await browser(cookie, { 'dialtree-account': 'acme' }, 'GET', 'other')).toBe('acme mine');
    expect(await browser(cookie, { 'dialtree-account': 'none' })).toBe('token_invalid');
  });

  it('is no access token, and skips sessions that are over', async () => {
    expect(await browser('dialtree_session=api')).toBe('token_invalid');
    expect(await browser(undefined)).toBe('token_missing');
    stored.set(session('mine', { expiresAtMs: NOW }), session('theirs', { accountId: 'other' }));
    expect(await browser(cookie)).toBe('other theirs');
  });

  it('needs the account of a write, and none of another site', async () => {
    expect(await browser(cookie, {}, 'POST')).toBe('csrf_refused');
    expect(await browser(cookie, { 'sec-fetch-site': 'cross-site' })).toBe('csrf_refused');
    expect(await browser(cookie, { 'dialtree-account': 'acme' }, 'POST')).toBe('acme mine');
  });

  it('ends with the access token that it was made with', async () => {
    const parent = tokenOf('parent');
    stored.set(parent, session('mine', { parentId: 'parent' }));
    expect(await browser('dialtree_session=mine')).toBe('acme mine');
    stored.set(session('mine', { parentId: 'parent' }));
    expect(await browser('dialtree_session=mine')).toBe('token_invalid');
  });

  it('ends with the token that its token was made with (T43)', async () => {
    const family = [
      tokenOf('root', { expiresAtMs: NOW + 1000 }),
      tokenOf('child', { parentId: 'root' }),
      session('mine', { parentId: 'child' }),
    ];
    stored.set(...family);
    expect(await browser('dialtree_session=mine')).toBe('acme mine');
    vi.setSystemTime(NOW + 1000);
    expect(await browser('dialtree_session=mine')).toBe('token_invalid');
    vi.setSystemTime(NOW);
    stored.set(...family.slice(1));
    expect(await browser('dialtree_session=mine')).toBe('token_invalid');
  });

  it('a parent of another account, or parents in a circle, are none (T43)', async () => {
    stored.set(tokenOf('foreign', { accountId: 'other' }), session('mine', { parentId: 'foreign' }));
    expect(await browser('dialtree_session=mine')).toBe('token_invalid');
    stored.set(
      tokenOf('a', { parentId: 'b' }),
      tokenOf('b', { parentId: 'a' }),
      session('mine', { parentId: 'a' }),
    );
    expect(await browser('dialtree_session=mine')).toBe('token_invalid');
  });
});

describe('proofs and uses', () => {
  it('proves what a secret is for, now', async () => {
    stored.set(tokenOf('api'), tokenOf('link', { use: 'link', expiresAtMs: NOW + 1 }));
    const proofs = async (use: Token['use']) =>
      (await access.prove(['api', 'link', 'none'], use)).map((proven) => proven?.token.id ?? null);
    expect(await proofs('api')).toEqual(['api', null, null]);
    expect(await proofs('link')).toEqual([null, 'link', null]);
    expect(await proofs('session')).toEqual([null, null, null]);
    expect(stored.loads).toBe(1);
    vi.setSystemTime(NOW + 1);
    expect(await proofs('link')).toEqual([null, null, null]);
    stored.set();
    expect(await proofs('api')).toEqual([null, null, null]);
  });

  it('writes which tokens were used every 30 seconds and at the end, each once', async () => {
    stored.set(tokenOf('a'), tokenOf('b'), tokenOf('unused'));
    await bearer('Bearer a');
    await bearer('Bearer a');
    await access.prove(['b'], 'api');
    await vi.advanceTimersByTimeAsync(29_999);
    expect(stored.touched).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(stored.touched).toEqual([{ ids: ['a', 'b'], atMs: NOW + 30_000 }]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(stored.touched).toHaveLength(1);
    await bearer('Bearer b');
    await access.close();
    expect(stored.touched.at(-1)?.ids).toEqual(['b']);
    await bearer('Bearer b');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stored.touched).toHaveLength(2);
  });

  it('survives a database that is away while uses are written', async () => {
    stored.set(tokenOf('a'));
    await bearer('Bearer a');
    stored.failing = true;
    await expect(access.touch()).resolves.toBeUndefined();
  });
});

it('does not keep the process alive', async () => {
  vi.useRealTimers();
  const started = vi.spyOn(globalThis, 'setInterval');
  const idle = new Access(stored);
  const [timer] = started.mock.results;
  expect(timer?.type === 'return' && timer.value.hasRef()).toBe(false);
  started.mockRestore();
  await idle.close();
});

it('refuses a link that is used or old by a problem of its own', () => {
  expect(LINK_INVALID).toMatchObject({ problem: 'link_invalid' });
});
