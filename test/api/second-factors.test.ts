// Second factors and other ways to sign in: codes of an authenticator app, recovery codes, and an OpenID Connect provider.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt, stepAt } from '../../src/api/account/totp.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { startProvider, type TestProvider } from '../support/oidc.ts';
import { runDialtree, type Service, startService } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { accept, codeOf, invited, makeOwner, PASSWORD, signInAs } from './support/people.ts';

const account = 'default';
const codeNow = (secret: string, drift = 0): string => codeAt(secret, stepAt(Date.now()) + drift);

describe('an authenticator app', () => {
  let service: Service;
  let owner: Browser;
  let user: Browser;
  let secret = '';
  let recovery: string[] = [];
  beforeAll(async () => {
    service = await startService();
    owner = await makeOwner(service);
    user = await invited(service, owner, 'editor');
  });
  afterAll(() => service?.remove());
  const ask = (by: Browser, method: string, path: string, body?: unknown) =>
    by.ask(method, path, { account, ...(body === undefined ? {} : { body }) });
  const signIn = (code?: string) => {
    const body = { email: 'editor@example.com', password: PASSWORD, ...(code === undefined ? {} : { code }) };
    return new Browser(() => service.url).ask('POST', '/v1/session', { body });
  };

  it('is on after its first code, not before, and shows recovery codes once', async () => {
    const begun = await ask(user, 'POST', '/v1/me/totp');
    expect(begun.json.uri).toContain(`secret=${begun.json.secret}`);
    secret = begun.json.secret;
    expect((await signIn()).status).toBe(201);
    const { state } = begun.json;
    expectFailure(
      await ask(user, 'POST', '/v1/me/totp/confirm', { code: '000000', state }),
      'fields_invalid',
    );
    // What another user began is of no use.
    expectFailure(
      await ask(owner, 'POST', '/v1/me/totp/confirm', { code: codeNow(secret), state }),
      'fields_invalid',
    );
    const confirmed = await ask(user, 'POST', '/v1/me/totp/confirm', { code: codeNow(secret, -1), state });
    recovery = confirmed.json.recovery_codes;
    expect(recovery).toHaveLength(10);
    const { text } = await ask(user, 'GET', '/v1/me');
    expect(text).not.toContain(secret);
    expect(text).toContain('"totp":true');
  });

  it('has a secret that the database does not show', async () => {
    const storage = await openSqlite(service.dataDir);
    const stored = JSON.stringify(await storage.listUsers());
    await storage.close();
    expect(stored).toContain('"totp":"');
    expect(stored).not.toContain(secret);
    for (const code of recovery) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
  });

  it('is asked for after the password, and each code works once, however many use it at once', async () => {
    expectFailure(await signIn(), 'code_needed');
    expectFailure(await signIn('000000'), 'sign_in_refused');
    const code = codeNow(secret);
    const uses = await Promise.all(Array.from({ length: 4 }, () => signIn(code)));
    expect(uses.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
    expectFailure(await signIn(code), 'sign_in_refused');
  });

  it('is stood for by a recovery code, once', async () => {
    expect((await signIn(recovery[0])).status).toBe(201);
    expectFailure(await signIn(recovery[0]), 'sign_in_refused');
    expect((await signIn(recovery[1]?.toLowerCase().replaceAll('-', ' '))).status).toBe(201);
    expect((await ask(user, 'GET', '/v1/me')).json.user.recovery_codes).toBe(8);
  });

  it('stays when the password is reset by a link, which alone signs nobody in', async () => {
    const [{ id }] = (await ask(owner, 'GET', '/v1/users')).json.data.filter(
      ({ email }: { email: string }) => email === 'editor@example.com',
    );
    const { json } = await ask(owner, 'POST', `/v1/user/${id}/link`);
    const browser = new Browser(() => service.url);
    const accepted = await accept(browser, json.path);
    expect(accepted.status).toBe(200);
    expect(browser.secrets).toEqual([]);
    expectFailure(await signIn(), 'code_needed');
    expect((await ask(owner, 'DELETE', `/v1/user/${id}/second_factor`)).status).toBe(200);
    expect((await signIn()).status).toBe(201);
  });

  it('is turned off with a code, not without', async () => {
    const browser = await signInAs(service, 'editor@example.com');
    const { json } = await ask(browser, 'POST', '/v1/me/totp');
    const confirmed = await ask(browser, 'POST', '/v1/me/totp/confirm', {
      code: codeNow(json.secret),
      state: json.state,
    });
    expect(confirmed.status).toBe(200);
    expectFailure(await ask(browser, 'POST', '/v1/me/totp/off', { code: '000000' }), 'fields_invalid');
    const [code] = confirmed.json.recovery_codes;
    expect((await ask(browser, 'POST', '/v1/me/totp/off', { code })).status).toBe(200);
  });
});

describe('OpenID Connect', () => {
  let service: Service;
  let provider: TestProvider;
  let issuer = '';
  let owner: Browser;
  /** By subject: what the provider says of the person. */
  const people: Record<string, object> = {
    vera: { email: 'viewer@example.com', email_verified: true },
    unverified: { email: 'viewer@example.com', email_verified: false },
    stranger: { email: 'nobody@example.com', email_verified: true },
    twice: { email: 'twice@example.com', email_verified: true },
    newcomer: { email: 'newcomer@example.com', email_verified: true },
  };
  beforeAll(async () => {
    provider = await startProvider(people);
    issuer = provider.issuer;
    service = await startService({ env: provider.env });
    provider.serve(service.url);
    owner = await makeOwner(service);
    await invited(service, owner, 'viewer');
  });
  afterAll(async () => {
    provider?.close();
    await service?.remove();
  });

  /** A browser that follows redirects, keeps cookies by host, and fills the provider's two forms. */
  class Follower {
    readonly cookies = new Map<string, Map<string, string>>();

    async ask(url: string, init: RequestInit = {}): Promise<Response> {
      const { host } = new URL(url);
      const jar = this.cookies.get(host) ?? new Map<string, string>();
      this.cookies.set(host, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      return answer;
    }

    /** Until it is back at the service; the last address. */
    async signIn(subject: string, from = `${service.url}/v1/session/oidc`): Promise<string> {
      let url = from;
      for (let hop = 0; hop < 20; hop++) {
        let answer = await this.ask(url);
        if (answer.status === 200 && url.startsWith(issuer)) {
          const page = await answer.text();
          const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
          const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
          const body = new URLSearchParams({ prompt, login: subject, password: 'x' });
          answer = await this.ask(new URL(action, url).href, { method: 'POST', body });
        }
        const location = answer.headers.get('location');
        if (location === null) return url;
        url = new URL(location, url).href;
        if (url.endsWith('/#/sign-in?oidc=finished')) return this.finish();
        if (url.startsWith(`${service.url}/`) && !url.includes('/v1/session/oidc')) return url;
      }
      throw new Error(`It did not end: ${url}`);
    }

    /** As the page does. */
    async finish(headers: Record<string, string> = { origin: service.url }): Promise<string> {
      const answer = await this.ask(`${service.url}/v1/session/oidc`, { method: 'POST', headers });
      return answer.status === 201 ? `${service.url}/` : `${answer.status}`;
    }

    get session(): string | undefined {
      return this.cookies.get(new URL(service.url).host)?.get('dialtree_session');
    }
  }

  it('signs an invited user in, by a verified e-mail address', async () => {
    const browser = new Follower();
    expect(await browser.signIn('vera')).toBe(`${service.url}/`);
    const { json } = await new Browser(() => service.url).ask('GET', '/v1/session', {
      headers: { cookie: `dialtree_session=${browser.session}` },
    });
    expect(json.oidc).toBe('Example Login');
    expect(json.accounts[0].user).toMatchObject({ email: 'viewer@example.com', role: 'viewer' });
  });

  it('begins one session, by a page of ours, which replaces that of the browser', async () => {
    const browser = new Follower();
    await browser.signIn('vera');
    const before = browser.session;
    const finish = browser.finish.bind(browser);
    browser.finish = async () => 'not yet';
    expect(await browser.signIn('vera')).toBe('not yet');
    expect(browser.session).toBe(before);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await finish(foreign)).toBe('403');
    expect(await finish()).toBe(`${service.url}/`);
    expect(await finish()).toBe('401');
    const asked = await new Browser(() => service.url).ask('GET', '/v1/session', {
      headers: { cookie: `dialtree_session=${before}` },
    });
    expect(asked.json.accounts).toEqual([]);
    expect(await new Follower().finish()).toBe('401');
  });

  it('signs nobody in who is invited by several accounts and has accepted none', async () => {
    const made = await runDialtree(['account', 'create', 'another'], { dataDir: service.dataDir });
    const second = await makeOwner(service, 'second@example.com', made.out.trim());
    const [{ id: theirs }] = (await second.ask('GET', '/v1/session')).json.accounts;
    const invite = (by: Browser, to: string, email: string) =>
      by.ask('POST', '/v1/user', { account: to, body: { name: 'N', email, role: 'viewer' } });
    // Another account cannot capture who has signed in before.
    await invite(second, theirs, 'viewer@example.com');
    const browser = new Follower();
    expect(await browser.signIn('vera')).toBe(`${service.url}/`);
    const { json } = await new Browser(() => service.url).ask('GET', '/v1/session', {
      headers: { cookie: `dialtree_session=${browser.session}` },
    });
    expect(json.accounts.map((one: { name: string }) => one.name)).toEqual(['default']);
    await invite(owner, account, 'twice@example.com');
    const wanted = await invite(second, theirs, 'twice@example.com');
    const twice = new Follower();
    expect(await twice.signIn('twice')).toBe(`${service.url}/#/sign-in?oidc=several`);
    expect(twice.session).toBeUndefined();
    // With the link of one of the invitations it is that one.
    const begin = (by: Follower, code: string) =>
      by.ask(`${service.url}/v1/session/oidc/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: service.url },
        body: JSON.stringify({ code }),
      });
    expect((await begin(twice, 'no such link')).status).toBe(401);
    const { url } = (await (await begin(twice, codeOf(wanted.json.path))).json()) as { url: string };
    expect(await twice.signIn('twice', url)).toBe(`${service.url}/`);
    const found = await new Browser(() => service.url).ask('GET', '/v1/session', {
      headers: { cookie: `dialtree_session=${twice.session}` },
    });
    expect(found.json.accounts.map((one: { name: string }) => one.name)).toEqual(['another']);
  });

  /** The accounts that the browser is signed in to. */
  const accountsOf = async (browser: Follower): Promise<string[]> => {
    const { json } = await new Browser(() => service.url).ask('GET', '/v1/session', {
      headers: { cookie: `dialtree_session=${browser.session}` },
    });
    return json.accounts.map((one: { name: string }) => one.name);
  };

  it('signs in who came by it before, also where another account accepts its own invitation of the address later', async () => {
    const made = await runDialtree(['account', 'create', 'capturing'], { dataDir: service.dataDir });
    const evil = await makeOwner(service, 'evil@example.com', made.out.trim());
    const [{ id: theirs }] = (await evil.ask('GET', '/v1/session')).json.accounts;
    const vera = new Follower();
    expect(await vera.signIn('vera')).toBe(`${service.url}/`);
    // The account has the link, sets a password, and signs in with it after her.
    const captured = await invited(service, evil, 'viewer', {}, theirs);
    expect((await captured.ask('GET', '/v1/session')).json.accounts[0].name).toBe('capturing');
    const again = new Follower();
    expect(await again.signIn('vera')).toBe(`${service.url}/`);
    expect(await accountsOf(again)).toEqual(['default']);
    // Nor who comes for the first time, invited by an account, while another has accepted in their name.
    const body = { name: 'N', email: 'newcomer@example.com', role: 'viewer' };
    const invitation = await owner.ask('POST', '/v1/user', { account, body });
    await invited(service, evil, 'viewer', { email: 'newcomer@example.com' }, theirs);
    const newcomer = new Follower();
    expect(await newcomer.signIn('newcomer')).toBe(`${service.url}/#/sign-in?oidc=several`);
    const begun = await newcomer.ask(`${service.url}/v1/session/oidc/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ code: codeOf(invitation.json.path) }),
    });
    const { url } = (await begun.json()) as { url: string };
    expect(await newcomer.signIn('newcomer', url)).toBe(`${service.url}/`);
    // From then on without the link.
    const later = new Follower();
    expect(await later.signIn('newcomer')).toBe(`${service.url}/`);
    expect(await accountsOf(later)).toEqual(['default']);
  });

  it.each([
    ['unverified', 'unverified'],
    ['stranger', 'refused'],
  ])('does not sign %s in, and says why', async (subject, why) => {
    const browser = new Follower();
    expect(await browser.signIn(subject)).toBe(`${service.url}/#/sign-in?oidc=${why}`);
    expect(browser.session).toBeUndefined();
  });

  it('asks with state, nonce and PKCE, which are others each time and not in a log', async () => {
    const asked = await Promise.all(
      [1, 2].map(async () => {
        const answer = await new Follower().ask(`${service.url}/v1/session/oidc`);
        const cookie = answer.headers.getSetCookie().join();
        expect(cookie).toMatch(/^dialtree_oidc=.*; HttpOnly; SameSite=Lax/);
        return new URL(answer.headers.get('location') ?? '').searchParams;
      }),
    );
    for (const query of asked) expect(query.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = asked.map((query) => query.get(name) ?? '');
      expect(new Set(values).size).toBe(2);
      for (const value of values) {
        expect(value.length).toBeGreaterThanOrEqual(43);
        expect(service.log.join()).not.toContain(value);
      }
    }
  });

  it('does not take the code of another sign-in with the own state: PKCE and nonce bind it', async () => {
    /** Where the provider sends the browser; it is not asked. */
    const codeFor = async (browser: Follower, subject: string): Promise<URLSearchParams> => {
      let back = '';
      const ask = browser.ask.bind(browser);
      browser.ask = async (url, init) => {
        if (!url.includes('/v1/session/oidc/callback')) return ask(url, init);
        back = url;
        return new Response(null, { status: 303, headers: { location: `${service.url}/` } });
      };
      await browser.signIn(subject);
      browser.ask = ask;
      return new URL(back).searchParams;
    };
    const [attacker, victim] = [new Follower(), new Follower()];
    const stolen = await codeFor(attacker, 'vera');
    const own = await codeFor(victim, 'stranger');
    own.set('code', stolen.get('code') ?? '');
    const answer = await victim.ask(`${service.url}/v1/session/oidc/callback?${own}`);
    expect(answer.headers.get('location')).toBe(`${service.url}/#/sign-in?oidc=failed`);
    expect(victim.session).toBeUndefined();
  });

  it('does not take an answer to another nonce', async () => {
    const browser = new Follower();
    const ask = browser.ask.bind(browser);
    let changed = 0;
    browser.ask = (url, init) => {
      if (!url.startsWith(issuer) || !/[?&]nonce=/.test(url)) return ask(url, init);
      changed++;
      return ask(url.replace(/([?&]nonce=)[^&]+/, '$1another-nonce-than-that-which-was-asked-for'), init);
    };
    expect(await browser.signIn('vera')).toBe(`${service.url}/#/sign-in?oidc=failed`);
    expect(changed).toBe(1);
    expect(browser.session).toBeUndefined();
  });

  it('takes an answer in the browser that asked alone, and each once', async () => {
    const browser = new Follower();
    let back = '';
    const ask = browser.ask.bind(browser);
    browser.ask = async (url, init) => {
      if (url.includes('/v1/session/oidc/callback')) back = url;
      return ask(url, init);
    };
    await browser.signIn('vera');
    expect(back).toContain('code=');
    // Login CSRF: the attacker's answer in another browser.
    const victim = new Follower();
    const answer = await victim.ask(back);
    expect(answer.headers.get('location')).toBe(`${service.url}/#/sign-in?oidc=failed`);
    expect(victim.session).toBeUndefined();
    // The same browser, again: the provider takes a code once.
    const again = await ask(back);
    expect(again.headers.get('location')).toContain('oidc=failed');
    // Another state, and an error of the provider.
    for (const query of ['code=x&state=y', 'error=access_denied', '']) {
      const other = new Follower();
      await other.ask(`${service.url}/v1/session/oidc`);
      const refused = await other.ask(`${service.url}/v1/session/oidc/callback?${query}`);
      expect(refused.headers.get('location')).toBe(`${service.url}/#/sign-in?oidc=failed`);
      expect(other.session).toBeUndefined();
    }
  });
});
