// Users: who may change whom, links that work once, passwords, sessions, and what the audit shows of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { call, type Json, runDialtree, type Service, startService } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { accept, codeOf, invited, makeOwner, PASSWORD, signInAs } from './support/people.ts';

const account = 'default';
let service: Service;
let owner: Browser;
let administrator: Browser;
let viewer: Browser;
beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: 'trace' } });
  owner = await makeOwner(service);
  administrator = await invited(service, owner, 'administrator');
  viewer = await invited(service, administrator, 'viewer');
});
afterAll(() => service?.remove());

const ask = (by: Browser, method: string, path: string, body?: unknown) =>
  by.ask(method, path, { account, ...(body === undefined ? {} : { body }) });
const users = async (): Promise<Json[]> => (await ask(owner, 'GET', '/v1/users')).json.data;
const idOf = async (email: string): Promise<string> =>
  (await users()).find((user) => user.email === email)?.id ?? '';
const newUser = (email: string, role = 'viewer') => ({ name: 'New', email, role });

describe('roles of users', () => {
  it('an account that has users gets no second first owner', async () => {
    const body = { name: 'Second', email: 'second@example.com', password: PASSWORD };
    expectFailure(await call(service.url, 'POST', '/v1/owner', { body }), 'owner_exists');
  });

  it('an administrator neither makes nor changes owners and administrators, nor raises the own role', async () => {
    for (const role of ['owner', 'administrator'])
      expectFailure(
        await ask(administrator, 'POST', '/v1/user', newUser('x@example.com', role)),
        'role_refused',
      );
    const own = await idOf('administrator@example.com');
    expectFailure(await ask(administrator, 'PATCH', `/v1/user/${own}`, { role: 'owner' }), 'role_refused');
    const theOwner = await idOf('owner@example.com');
    for (const [method, path, body] of [
      ['PATCH', `/v1/user/${theOwner}`, { email: 'mine@example.com' }],
      ['PATCH', `/v1/user/${theOwner}`, { disabled: true }],
      ['DELETE', `/v1/user/${theOwner}`, undefined],
      ['POST', `/v1/user/${theOwner}/link`, undefined],
      ['DELETE', `/v1/user/${theOwner}/sessions`, undefined],
      ['DELETE', `/v1/user/${theOwner}/second_factor`, undefined],
    ] as const)
      expectFailure(await ask(administrator, method, path, body), 'role_refused');
    const below = await idOf('viewer@example.com');
    expectFailure(
      await ask(administrator, 'PATCH', `/v1/user/${below}`, { role: 'administrator' }),
      'role_refused',
    );
  });

  it('the last owner stays, whoever asks', async () => {
    const id = await idOf('owner@example.com');
    for (const body of [{ role: 'viewer' }, { disabled: true }])
      expectFailure(await ask(owner, 'PATCH', `/v1/user/${id}`, body), 'last_owner');
    expectFailure(await ask(owner, 'DELETE', `/v1/user/${id}`), 'last_owner');
    expectFailure(await call(service.url, 'DELETE', `/v1/user/${id}`), 'last_owner');
  });

  it('another role ends sessions and tokens of the user, and the new one holds from then on', async () => {
    const browser = await invited(service, owner, 'editor');
    const { json } = await ask(browser, 'POST', '/v1/token', { name: 'mine', scopes: ['write'] });
    const id = await idOf('editor@example.com');
    expect((await ask(owner, 'PATCH', `/v1/user/${id}`, { role: 'viewer' })).status).toBe(200);
    expectFailure(await ask(browser, 'GET', '/v1/ivrs'), 'token_invalid');
    expectFailure(await call(service.url, 'GET', '/v1/ivrs', { token: json.token }), 'token_invalid');
    const again = await signInAs(service, 'editor@example.com');
    expectFailure(await ask(again, 'POST', '/v1/team', { name: 'T' }), 'role_refused');
  });

  it('a token has no more scopes than its role, and a link that it makes no more than the token', async () => {
    expectFailure(await ask(viewer, 'POST', '/v1/token', { name: 'x', scopes: ['admin'] }), 'scope_missing');
    const { json } = await ask(owner, 'POST', '/v1/token', { name: 'reading', scopes: ['read'] });
    const link = await call(service.url, 'POST', '/v1/session/link', { token: json.token });
    const browser = new Browser(() => service.url);
    await browser.ask('POST', '/v1/session', { body: { link: link.json.code } });
    expect((await ask(browser, 'GET', '/v1/ivrs')).status).toBe(200);
    expectFailure(await ask(browser, 'POST', '/v1/team', { name: 'T' }), 'scope_missing');
    expectFailure(await ask(browser, 'PUT', '/v1/me/password', { password: PASSWORD }), 'record_unknown');
  });

  it('a user sees and revokes the own tokens; an administrator not those of the owner or the account', async () => {
    const mine = (await ask(viewer, 'POST', '/v1/token', { name: "viewer's" })).json.id;
    const others = (await ask(owner, 'POST', '/v1/token', { name: "owner's" })).json.id;
    expect((await ask(viewer, 'GET', '/v1/tokens')).json.data.map(({ id }: Json) => id)).toEqual([mine]);
    expectFailure(await ask(viewer, 'DELETE', `/v1/token/${others}`), 'record_unknown');
    expectFailure(await ask(administrator, 'DELETE', `/v1/token/${others}`), 'record_unknown');
    expect((await ask(administrator, 'DELETE', `/v1/token/${mine}`)).status).toBe(200);
  });

  it("an account's users are no other account's", async () => {
    const made = await runDialtree(['account', 'create', 'second'], { dataDir: service.dataDir });
    const token = made.out.trim();
    const second = await makeOwner(service, 'second@example.com', token);
    const [{ id: theirs }] = (await second.ask('GET', '/v1/session')).json.accounts;
    const victim = await idOf('viewer@example.com');
    for (const [method, path, body] of [
      ['PATCH', `/v1/user/${victim}`, { name: 'X' }],
      ['DELETE', `/v1/user/${victim}`, undefined],
      ['POST', `/v1/user/${victim}/link`, undefined],
      ['DELETE', `/v1/user/${victim}/sessions`, undefined],
    ] as const)
      expectFailure(
        await second.ask(method, path, { account: theirs, ...(body ? { body } : {}) }),
        'record_unknown',
      );
    expect((await second.ask('GET', '/v1/users', { account: theirs })).json.data).toHaveLength(1);
    expectFailure(await second.ask('GET', '/v1/users', { account }), 'token_invalid');
    // The same address in two accounts is two users, each with a password of their own.
    const body = { name: 'V', email: 'viewer@example.com', role: 'viewer' };
    const { json } = await second.ask('POST', '/v1/user', { account: theirs, body });
    const browser = new Browser(() => service.url);
    await accept(browser, json.path, 'a password of the second');
    const names = async (password: string) =>
      (await signInAs(service, 'viewer@example.com', password)).accounts();
    expect(await names('a password of the second')).toEqual(['second']);
    expect(await names(PASSWORD)).toEqual(['default']);
  });
});

describe('links', () => {
  it('set a password once, name the user, and replace each other', async () => {
    const { json } = await ask(owner, 'POST', '/v1/user', newUser('link@example.com'));
    const read = await call(service.url, 'POST', '/v1/user_link', {
      token: null,
      body: { code: codeOf(json.path) },
    });
    expect(read.json).toEqual({ use: 'invite', name: 'New', email: 'link@example.com', account: 'default' });
    const id = await idOf('link@example.com');
    const second = await ask(owner, 'POST', `/v1/user/${id}/link`);
    expectFailure(await accept(new Browser(() => service.url), json.path), 'link_invalid');
    const uses = await Promise.all(
      Array.from({ length: 4 }, () => accept(new Browser(() => service.url), second.json.path)),
    );
    expect(uses.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
  });

  it('end when the address of the user changes, and with their time', async () => {
    const { json } = await ask(owner, 'POST', '/v1/user', newUser('moves@example.com'));
    const id = await idOf('moves@example.com');
    await ask(owner, 'PATCH', `/v1/user/${id}`, { email: 'moved@example.com' });
    expectFailure(await accept(new Browser(() => service.url), json.path), 'link_invalid');
    const storage = await openSqlite(service.dataDir);
    const link = {
      id: 'old',
      accountId: account,
      userId: id,
      use: 'reset' as const,
      createdAtMs: 1,
      expiresAtMs: 2,
    };
    const { hashToken } = await import('../../src/kit/credentials.ts');
    await storage.createUserLink({ link: { ...link, hash: hashToken('old-code') } });
    await storage.close();
    expectFailure(await accept(new Browser(() => service.url), '/#/join/old-code'), 'link_invalid');
  });

  it('end with another role: who invited a viewer does not become owner by that link', async () => {
    const { json } = await ask(administrator, 'POST', '/v1/user', newUser('rises@example.com'));
    const id = await idOf('rises@example.com');
    expect((await ask(owner, 'PATCH', `/v1/user/${id}`, { role: 'owner' })).status).toBe(200);
    expectFailure(await accept(new Browser(() => service.url), json.path), 'link_invalid');
    expect((await ask(owner, 'DELETE', `/v1/user/${id}`)).status).toBe(200);
  });

  it('from other sites are refused, as is signing in from there', async () => {
    const { json } = await ask(owner, 'POST', '/v1/user', newUser('foreign@example.com'));
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const code = codeOf(json.path);
    for (const [path, body] of [
      ['/v1/user_link', { code }],
      ['/v1/user_link/accept', { code, password: PASSWORD }],
      ['/v1/password_reset', { email: 'owner@example.com' }],
      ['/v1/session', { email: 'owner@example.com', password: PASSWORD }],
    ] as const)
      expectFailure(await call(service.url, 'POST', path, { token: null, body, headers }), 'csrf_refused');
    // The cookie alone, without the header that only our pages send.
    const withCookie = { cookie: `dialtree_session=${owner.secrets.join('.')}` };
    expectFailure(
      await call(service.url, 'POST', '/v1/user', {
        token: null,
        body: newUser('y@example.com'),
        headers: withCookie,
      }),
      'csrf_refused',
    );
  });
});

describe('passwords', () => {
  it('that are wrong, and addresses that are unknown, get the same answer', async () => {
    const tryIt = (email: string, password: string) =>
      call(service.url, 'POST', '/v1/session', { token: null, body: { email, password } });
    const wrong = await tryIt('viewer@example.com', 'no such password');
    const unknown = await tryIt('nobody@example.com', 'no such password');
    for (const reply of [wrong, unknown]) expectFailure(reply, 'sign_in_refused');
    expect(unknown.json.Message).toBe(wrong.json.Message);
    expect((await tryIt(' Viewer@Example.COM ', PASSWORD)).status).toBe(201);
  });

  it('may be wrong ten times from one network, even without RATE_LIMIT; other users are not kept out', async () => {
    await invited(service, owner, 'supervisor', { email: 'guessed@example.com' });
    const tryIt = (password: string) =>
      call(service.url, 'POST', '/v1/session', {
        token: null,
        body: { email: 'guessed@example.com', password },
      });
    for (let at = 0; at < 10; at++) expectFailure(await tryIt(`wrong ${at}`), 'sign_in_refused');
    const late = await tryIt(PASSWORD);
    expectFailure(late, 'rate_limited');
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    await signInAs(service, 'viewer@example.com');
  });

  it('change with the present one, and end other browsers and tokens of the user', async () => {
    const browser = await invited(service, owner, 'viewer', { email: 'changes@example.com' });
    const other = await signInAs(service, 'changes@example.com');
    const token = (await ask(other, 'POST', '/v1/token', { name: 'x' })).json.token;
    const change = (current: string) =>
      ask(browser, 'PUT', '/v1/me/password', { current, password: 'another password' });
    expectFailure(await change('not this'), 'fields_invalid');
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await ask(browser, 'GET', '/v1/me')).status).toBe(200);
    expectFailure(await ask(other, 'GET', '/v1/me'), 'token_invalid');
    expectFailure(await call(service.url, 'GET', '/v1/me', { token }), 'token_invalid');
    await signInAs(service, 'changes@example.com', 'another password');
  });

  it('are in no log line', () => {
    expect(service.log.join('\n')).not.toMatch(/correct horse|another password|dialtree_[\w-]{20}/);
  });
});

describe('sessions', () => {
  it('get a new secret at each sign-in, are listed, and end one by one or all but one', async () => {
    const first = await signInAs(service, 'viewer@example.com');
    const [before] = first.secrets;
    await first.ask('POST', '/v1/session', { body: { email: 'viewer@example.com', password: PASSWORD } });
    expect(first.secrets[0]).not.toBe(before);
    const second = await signInAs(service, 'viewer@example.com');
    const { sessions } = (await ask(first, 'GET', '/v1/me')).json;
    expect(sessions.filter(({ current }: Json) => current)).toHaveLength(1);
    const [newest] = sessions.slice(-1);
    expect((await ask(first, 'DELETE', `/v1/me/session/${newest.id}`)).status).toBe(200);
    expectFailure(await ask(second, 'GET', '/v1/me'), 'token_invalid');
    // Not those of others.
    const ofOwner = (await ask(owner, 'GET', '/v1/me')).json.sessions[0].id;
    expectFailure(await ask(first, 'DELETE', `/v1/me/session/${ofOwner}`), 'record_unknown');
    await ask(first, 'DELETE', '/v1/me/session/others');
    expect((await ask(first, 'GET', '/v1/me')).json.sessions).toHaveLength(1);
    viewer = first;
  });
});

describe('shares of one user', () => {
  it('20 browsers, of which the oldest is signed out; 20 tokens, beyond which none is made', async () => {
    const first = await invited(service, owner, 'viewer', { email: 'greedy@example.com' });
    const browsers: Browser[] = [];
    for (let at = 0; at < 20; at++) browsers.push(await signInAs(service, 'greedy@example.com'));
    expectFailure(await ask(first, 'GET', '/v1/me'), 'token_invalid');
    const [oldest] = browsers;
    if (!oldest) throw new Error('There is no browser.');
    expect((await ask(oldest, 'GET', '/v1/me')).json.sessions).toHaveLength(20);
    expect((await ask(owner, 'GET', '/v1/me')).status).toBe(200);
    for (let at = 0; at < 20; at++)
      expect((await ask(oldest, 'POST', '/v1/token', { name: `t${at}` })).status).toBe(201);
    expectFailure(await ask(oldest, 'POST', '/v1/token', { name: 'more' }), 'token_limit_reached');
    expect((await ask(viewer, 'POST', '/v1/token', { name: 'other' })).status).toBe(201);
  }, 120_000);

  it('an administrator signs out whom they manage, not owners nor other administrators', async () => {
    const below = await signInAs(service, 'viewer@example.com');
    const equal = await invited(service, owner, 'administrator', { email: 'second-admin@example.com' });
    const ended = await ask(administrator, 'DELETE', '/v1/sessions');
    expect(ended.json.browsers).toBeGreaterThan(20);
    expectFailure(await ask(below, 'GET', '/v1/me'), 'token_invalid');
    for (const kept of [owner, equal]) expect((await ask(kept, 'GET', '/v1/me')).status).toBe(200);
    administrator = await signInAs(service, 'administrator@example.com');
    viewer = await signInAs(service, 'viewer@example.com');
  });
});

describe('the audit', () => {
  it('names the person and shows what became different, but no secret', async () => {
    const team = (await ask(owner, 'POST', '/v1/team', { name: 'North' })).json.id;
    await ask(administrator, 'PUT', `/v1/team/${team}`, { name: 'South' });
    const room = { name: 'Board', pin: '4711' };
    const { id } = (await ask(owner, 'POST', '/v1/room', room)).json;
    await ask(owner, 'PUT', `/v1/room/${id}`, { ...room, pin: '4712', record: true });
    const [changed, renamed] = await Promise.all(
      ['room', 'team'].map(async (kind) => (await ask(owner, 'GET', `/v1/audit?kind=${kind}`)).json.data[0]),
    );
    expect(renamed).toMatchObject({ actor_name: 'Una administrator', action: 'update' });
    expect(renamed.user_id).toBe(await idOf('administrator@example.com'));
    expect(renamed.changes).toEqual([{ member: 'name', before: 'North', after: 'South' }]);
    expect(changed.changes).toEqual([
      { member: 'pin', before: null, after: null, secret: true },
      { member: 'record', before: false, after: true },
    ]);
    const token = (await ask(owner, 'POST', '/v1/token', { name: 'robot' })).json.token;
    await call(service.url, 'POST', '/v1/team', { token, body: { name: 'By robot' } });
    const [byToken] = (await ask(owner, 'GET', '/v1/audit?kind=team')).json.data;
    expect(byToken.actor_name).toBe('Olga Owner (robot)');
  });
});
