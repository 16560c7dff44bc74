// Browsers that are signed in (T15, T20, T33): by a token or a link, to several accounts, safe from other sites.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, makeLink, sessionOf, tokenOf } from '../../src/kit/credentials.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onAnyDatabase } from '../support/databases.ts';
import {
  type CallOptions,
  call,
  runDialtree,
  type Service,
  startService,
  TOKEN,
} from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';

const DAY_MS = 24 * 3600 * 1000;

onAnyDatabase((database) => {
  let service: Service;
  let env: Record<string, string>;
  let storage: Storage;
  let second: { readonly token: string; readonly id: string };
  /** Whatever must be in no log and no answer but the one that sets it. */
  const secrets: string[] = [];
  beforeAll(async () => {
    env = await database.environment();
    service = await startService({ env: { ...env, LOG_LEVEL: 'trace' } });
    const url = env['DATABASE_URL'];
    storage = url ? await openPostgres({ url }) : await openSqlite(env['DATA_DIR'] ?? '');
    const made = await runDialtree(['account', 'create', 'second'], { env });
    const id = (await storage.listAccounts()).find(({ name }) => name === 'second')?.id ?? '';
    second = { token: made.out.trim(), id };
  });
  afterAll(async () => {
    await storage?.close();
    await service?.remove();
  });

  const ask = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, { token: null, ...options });

  const newBrowser = () => new Browser(() => service.url, secrets);

  async function signedIn(token = TOKEN): Promise<Browser> {
    const browser = newBrowser();
    expect((await browser.signIn(token)).status).toBe(201);
    return browser;
  }

  const agents = (browser: Browser, account?: string) =>
    browser.ask('GET', '/v1/agents', account === undefined ? {} : { account });
  const newToken = async (body: object = {}) =>
    (await call(service.url, 'POST', '/v1/token', { body: { name: 'x', ...body } })).json;

  describe('signing in', () => {
    it('without a cookie no account is listed, and a wrong token is refused', async () => {
      const browser = newBrowser();
      expect(await browser.accounts()).toEqual([]);
      const reply = await browser.signIn('dialtree_nobody-has-this-one');
      expectFailure(reply, 'token_invalid');
      expect(reply.headers.get('set-cookie')).toBeNull();
      expectFailure(await browser.ask('POST', '/v1/session', { body: {} }), 'fields_invalid');
      expectFailure(await agents(browser), 'token_missing');
    });

    it('makes a cookie that no script reads and no other site sends, and that works at once', async () => {
      const browser = newBrowser();
      const reply = await browser.signIn(TOKEN);
      expect(reply.status).toBe(201);
      expect(reply.json).toEqual({
        Success: true,
        Message: 'Signed in to default.',
        account: { id: 'default', name: 'default' },
      });
      expect(reply.headers.get('set-cookie')).toMatch(
        /^dialtree_session=dialtree_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
      );
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(await browser.accounts()).toEqual(['default']);
      expect((await agents(browser)).status).toBe(200);
      const team = { body: { name: 'Made in the console' }, account: 'default' };
      expect((await browser.ask('POST', '/v1/team', team)).status).toBe(201);
      const { json } = await call(service.url, 'GET', '/v1/audit?kind=team&limit=1');
      expect(json.data[0]).toMatchObject({ action: 'create', actor_name: 'console (ACCESS_TOKEN)' });
    });

    it('over TLS the cookie is for TLS alone', async () => {
      const { host } = new URL(service.url);
      const reply = await ask('POST', '/v1/session', {
        body: { token: TOKEN },
        headers: { origin: `https://${host}` },
      });
      expect(reply.headers.get('set-cookie')).toMatch(/; SameSite=Strict; Secure$/);
    });

    it('a session is no access token, nor the other way round; and neither is in the list of tokens', async () => {
      const browser = await signedIn();
      expectFailure(await ask('GET', '/v1/agents', { token: browser.secrets[0] ?? '' }), 'token_invalid');
      expectFailure(await browser.signIn(browser.secrets[0] ?? ''), 'token_invalid');
      const cookie = `dialtree_session=${TOKEN}`;
      expectFailure(await ask('GET', '/v1/agents', { headers: { cookie } }), 'token_invalid');
      const { json } = await call(service.url, 'GET', '/v1/tokens?limit=500');
      const listed = json.data.map(({ name }: { name: string }) => name);
      expect(listed.filter((name: string) => /console|link/.test(name))).toEqual([]);
      expect((await runDialtree(['token', 'list', '--account', 'default'], { env })).out).not.toMatch(
        /console|link/,
      );
    });

    it('an Authorization header counts alone: a wrong one is not made good by the cookie', async () => {
      const browser = await signedIn();
      expectFailure(await browser.ask('GET', '/v1/agents', { token: 'wrong' }), 'token_invalid');
      expect((await browser.ask('POST', '/v1/team', { token: TOKEN, body: { name: 'x' } })).status).toBe(201);
    });

    it('again, to the same account, replaces the session and ends the former', async () => {
      const browser = await signedIn();
      const [former = ''] = browser.secrets;
      expect((await browser.signIn(TOKEN)).status).toBe(201);
      expect(browser.secrets).toHaveLength(1);
      const cookie = `dialtree_session=${former}`;
      expectFailure(await ask('GET', '/v1/agents', { headers: { cookie } }), 'token_invalid');
      expect((await agents(browser)).status).toBe(200);
    });

    it('is limited for an address: ten in a minute, then one must wait', async () => {
      const limited = await startService({ env: { RATE_LIMIT: '100' } });
      const body = { token: 'wrong' };
      const tries = await Promise.all(
        Array.from({ length: 12 }, () => call(limited.url, 'POST', '/v1/session', { token: null, body })),
      );
      expect(tries.filter(({ status }) => status === 401)).toHaveLength(10);
      const refused = tries.find(({ status }) => status === 429);
      expect(refused?.json.Code).toBe('rate_limited');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      // Who has a token is not kept out by strangers behind the same proxy; who is signed in may ask all the same.
      const right = { token: null, body: { token: TOKEN } };
      expect((await call(limited.url, 'POST', '/v1/session', right)).status).toBe(201);
      expect((await call(limited.url, 'GET', '/v1/session', { token: null })).status).toBe(200);
      await limited.remove();
    });
  });

  describe('several accounts in one browser', () => {
    it('the newest is current; each request may choose, and one can be made the current one', async () => {
      const browser = await signedIn();
      await browser.signIn(second.token);
      expect(await browser.accounts()).toEqual(['second', 'default']);
      const names = async (account?: string) =>
        (await browser.ask('GET', '/v1/teams', account === undefined ? {} : { account })).json.data.length;
      expect(await names('default')).toBeGreaterThan(0);
      expect(await names()).toBe(0);
      expect(await names(second.id)).toBe(0);
      const move = { body: { account: 'default' }, account: 'default' };
      expect((await browser.ask('POST', '/v1/session/current', move)).status).toBe(200);
      expect(await browser.accounts()).toEqual(['default', 'second']);
      expect(await names()).toBeGreaterThan(0);
      const nowhere = { body: { account: 'nobody' }, account: 'default' };
      expectFailure(await browser.ask('POST', '/v1/session/current', nowhere), 'record_unknown');
    });

    it('an address may name the account where it is only read: a page that plays a sound sends no header', async () => {
      const browser = await signedIn();
      await browser.signIn(second.token);
      const teams = async (query: string) => browser.ask('GET', `/v1/teams${query}`);
      expect((await teams('?dialtree-account=default')).json.data.length).toBeGreaterThan(0);
      expect((await teams(`?dialtree-account=${second.id}`)).json.data).toEqual([]);
      for (const query of ['?dialtree-account=nobody', '?dialtree-account=default&dialtree-account=default'])
        expectFailure(await teams(query), 'token_invalid');
      const written = { body: { name: 'x' } };
      expectFailure(await browser.ask('POST', '/v1/team?dialtree-account=default', written), 'csrf_refused');
      // It chooses among the cookie's accounts, and means nothing to an access token.
      const other = await ask('GET', `/v1/teams?dialtree-account=${second.id}`, { token: TOKEN });
      expect(other.json.data.length).toBeGreaterThan(0);
    });

    it('an account that the browser is not signed in to is not entered', async () => {
      const browser = await signedIn();
      expectFailure(await agents(browser, second.id), 'token_invalid');
      const team = { body: { name: 'x' }, account: second.id };
      expectFailure(await browser.ask('POST', '/v1/team', team), 'token_invalid');
    });

    it('signing out ends one, or all, at once and for good', async () => {
      const browser = await signedIn();
      await browser.signIn(second.token);
      const before = [...browser.secrets];
      expectFailure(await browser.ask('DELETE', '/v1/session'), 'csrf_refused');
      expect((await browser.ask('DELETE', '/v1/session', { account: second.id })).status).toBe(200);
      expect(await browser.accounts()).toEqual(['default']);
      await browser.signIn(second.token);
      before.push(...browser.secrets);
      const out = await browser.ask('DELETE', '/v1/session?all=true', { account: 'default' });
      expect(out.headers.get('set-cookie')).toBe(
        'dialtree_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
      );
      expect(await browser.accounts()).toEqual([]);
      for (const secret of before) {
        const headers = { cookie: `dialtree_session=${secret}` };
        expect((await ask('GET', '/v1/session', { headers })).json.accounts).toEqual([]);
        expectFailure(await ask('GET', '/v1/agents', { headers }), 'token_invalid');
      }
      // In the audit of the second account stands its own token, not one of the first.
      const { json } = await call(service.url, 'GET', '/v1/audit?kind=session&limit=1', {
        token: second.token,
      });
      expect(json.data[0]).toMatchObject({ action: 'delete', actor_name: 'console (first token)' });
    });

    it('what the cookie does not prove any more is left out of the next one; there are eight at most', async () => {
      const nowMs = Date.now();
      const made: string[] = [];
      for (let at = 0; at < 8; at++) {
        const id = `${database.name}-${at}`;
        const account = { id, name: id, createdAtMs: nowMs + at, settings: {} };
        const token = tokenOf(`a-token-of-account-${at}`, id, 'x', nowMs).token;
        await storage.createAccount({ account, token });
        made.push(id);
      }
      const browser = await signedIn();
      for (let at = 0; at < 8; at++) await browser.signIn(`a-token-of-account-${at}`);
      expect(browser.secrets).toHaveLength(8);
      expect(await browser.accounts()).toEqual(made.toReversed());
      await storage.revokeToken({
        accountId: made[7] ?? '',
        id:
          (await storage.listTokens()).find(({ accountId, use }) => accountId === made[7] && use === 'api')
            ?.id ?? '',
      });
      await browser.signIn(TOKEN);
      expect(browser.secrets).toHaveLength(8);
      expect(await browser.accounts()).toEqual(['default', ...made.slice(0, 7).toReversed()]);
    });
  });

  describe('a session ends', () => {
    it('with the token it came of, at the next request', async () => {
      const { token, id } = await newToken();
      const browser = await signedIn(token);
      expect((await agents(browser)).status).toBe(200);
      await call(service.url, 'DELETE', `/v1/token/${id}`);
      expectFailure(await agents(browser), 'token_invalid');
      expect(await browser.accounts()).toEqual([]);
    });

    it('when its time is over, which is no later than that of its token', async () => {
      const { token, id } = await newToken({ expires_in_days: 2 });
      await signedIn(token);
      await signedIn();
      const all = await storage.listTokens();
      const parent = all.find((one) => one.id === id);
      expect(all.find(({ parentId }) => parentId === id)?.expiresAtMs).toBe(parent?.expiresAtMs);
      const [latest] = all
        .filter(({ use }) => use === 'session')
        .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
      expect((latest?.expiresAtMs ?? 0) - (latest?.createdAtMs ?? 0)).toBe(7 * DAY_MS);
      const first = all.find(({ hash }) => hash === hashToken(TOKEN));
      if (!first) throw new Error('The first token is not there.');
      const { secret, token: old } = sessionOf(first, Date.now() - 7 * DAY_MS);
      await storage.createSession({ session: old, most: 50 });
      const browser = newBrowser();
      browser.secrets = [secret];
      expectFailure(await agents(browser), 'token_invalid');
      expect(await browser.accounts()).toEqual([]);
    });

    it('when it was made while its token was being revoked', async () => {
      const { token } = tokenOf('x', 'default', 'gone', Date.now());
      const { secret, token: orphan } = sessionOf(token, Date.now());
      await storage.createSession({ session: orphan, most: 50 });
      const browser = newBrowser();
      browser.secrets = [secret];
      expectFailure(await agents(browser), 'token_invalid');
    });

    it('by making room: an account has 500 at most, and the oldest go', async () => {
      const [first, ...more] = await Promise.all(Array.from({ length: 3 }, () => signedIn(second.token)));
      const newest = more.at(-1);
      if (!first || !newest) throw new Error('Nobody is signed in.');
      const parent = (await storage.listTokens()).find(({ hash }) => hash === hashToken(second.token));
      if (!parent) throw new Error('The second account has no token.');
      const fill = Array.from({ length: 499 }, () => sessionOf(parent, Date.now()).token);
      for (const session of fill) await storage.createSession({ session, most: 500 });
      await newest.signIn(second.token);
      expect((await agents(newest)).status).toBe(200);
      expectFailure(await agents(first), 'token_invalid');
      const sessions = (await storage.listTokens()).filter(
        ({ accountId, use }) => accountId === second.id && use === 'session',
      );
      expect(sessions).toHaveLength(500);
    });
  });

  describe('a one-time link', () => {
    const use = (link: string) => newBrowser().ask('POST', '/v1/session', { body: { link } });
    const codeOf = (text: string): string => {
      const code = /\/#\/sign-in\/(dialtree_[\w-]{43})$/m.exec(text)?.[1] ?? '';
      secrets.push(code);
      return code;
    };

    it('is not printed where no terminal reads it (T46), is made by a command, and signs in once', async () => {
      const said = service.said.join('');
      expect(said).toMatch(new RegExp(`^Console: ${service.url}/$`, 'm'));
      expect(said).not.toContain('dialtree_');
      const link = codeOf((await runDialtree(['sign-in', '--account', 'default'], { env })).out);
      const browser = newBrowser();
      expect((await browser.ask('POST', '/v1/session', { body: { link } })).status).toBe(201);
      expect(await browser.accounts()).toEqual(['default']);
      expectFailure(await use(link), 'link_invalid');
      expect((await agents(browser)).status).toBe(200);
      expectFailure(await ask('GET', '/v1/agents', { token: link }), 'token_invalid');
    });

    it('is made by dialtree sign-in, for the account that is named', async () => {
      const missing = await runDialtree(['sign-in'], { env });
      expect([missing.code, missing.out]).toEqual([2, '']);
      expect(missing.err).toContain('--account');
      const words = ['sign-in', '--account', 'second', '--url', 'https://dial.example/'];
      const made = await runDialtree(words, { env });
      expect(made.code).toBe(0);
      expect(made.out).toMatch(/^https:\/\/dial\.example\/#\/sign-in\/dialtree_[\w-]{43}\n$/);
      expect(made.err).toContain('15 minutes');
      const browser = newBrowser();
      const reply = await browser.ask('POST', '/v1/session', { body: { link: codeOf(made.out) } });
      expect(reply.json.account).toEqual({ id: second.id, name: 'second' });
      const own = await runDialtree(['sign-in', '--account', second.id], { env: { ...env, PORT: '8123' } });
      expect(own.out).toMatch(/^http:\/\/127\.0\.0\.1:8123\/#\/sign-in\//);
      expect((await runDialtree(['sign-in', 'now'], { env })).code).toBe(2);
      expect((await runDialtree(['sign-in', '--help'], { env })).out).toContain('works once');
    });

    it('makes one session, however many use it at the same moment', async () => {
      const { secret, token } = makeLink('default', Date.now());
      await storage.createToken({ token });
      const replies = await Promise.all(Array.from({ length: 10 }, () => use(secret)));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(replies.filter(({ json }) => json.Code === 'link_invalid')).toHaveLength(9);
    });

    it('is worth nothing after 15 minutes', async () => {
      const { secret, token } = makeLink('default', Date.now() - 15 * 60_000);
      await storage.createToken({ token });
      expectFailure(await use(secret), 'link_invalid');
    });
  });

  it('dialtree sign-out ends every session and link of an account, and no access token', async () => {
    const [mine, theirs] = await Promise.all([signedIn(), signedIn(second.token)]);
    const { secret, token } = makeLink(second.id, Date.now());
    await storage.createToken({ token });
    const out = await runDialtree(['sign-out', '--account', 'second'], { env });
    expect([out.code, out.err]).toEqual([
      0,
      expect.stringMatching(/^Signed \d+ browsers out of account second\.\n$/),
    ]);
    expectFailure(await agents(theirs), 'token_invalid');
    expectFailure(await ask('POST', '/v1/session', { body: { link: secret } }), 'link_invalid');
    expect((await agents(mine)).status).toBe(200);
    expect((await signedIn(second.token)).secrets).toHaveLength(1);
  });

  it('a later start prints no link either, and a token of the environment that is replaced ends its sessions', async () => {
    const browser = await signedIn();
    await service.stop();
    const next = await startService({
      env: { ...env, LOG_LEVEL: 'trace', ACCESS_TOKEN: 'another-token-of-the-first' },
    });
    next.log.unshift(...service.log);
    service = next;
    expect(next.said.join('')).toMatch(/^Console: http:\S+\/$/m);
    expectFailure(await agents(browser), 'token_invalid');
  });

  it('no secret is in the log, nor in the database as it is', async () => {
    expect(new Set(secrets).size).toBeGreaterThan(20);
    const log = service.log.join('\n');
    expect(log).toContain('/v1/session');
    const stored = JSON.stringify(await storage.listTokens());
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40);
      expect(log.includes(secret)).toBe(false);
      expect(stored.includes(secret)).toBe(false);
    }
  });
});
