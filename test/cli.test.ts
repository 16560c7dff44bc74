// The command line, beside a running service on the same database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_LIMITS } from '../src/domain/account-limits.ts';
import { onBothDatabases } from './support/databases.ts';
import { call, runDialtree, type Service, startService } from './support/service.ts';

onBothDatabases((database) => {
  let service: Service;
  let env: Record<string, string>;
  beforeAll(async () => {
    env = await database.environment();
    service = await startService({ env });
  });
  afterAll(() => service?.remove());
  const dialtree = (...words: string[]) => runDialtree(words, { env });
  const status = async (token: string) => (await call(service.url, 'GET', '/v1/agents', { token })).status;

  describe('dialtree token', () => {
    it('create prints a token that works at once, revoke ends it on the next request', async () => {
      const made = await dialtree('token', 'create', '--name', 'ci', '--days', '30');
      expect(made.code).toBe(0);
      const secret = made.out.trim();
      expect(secret).toMatch(/^dialtree_[\w-]{43}$/);
      expect(await status(secret)).toBe(200);

      const list = await dialtree('token', 'list', '--json');
      const token = JSON.parse(list.out).find(({ name }: { name: string }) => name === 'ci');
      expect(Date.parse(token.expires_at) - Date.parse(token.created_at)).toBe(30 * 24 * 3600 * 1000);
      expect(list.out).not.toContain(secret);
      expect((await dialtree('token', 'list')).out).toMatch(
        /^ID\s+NAME\s+SCOPES\s+PARENT\s+CREATED\s+EXPIRES\s+LAST USED\n/,
      );

      expect((await dialtree('token', 'revoke', token.id)).code).toBe(0);
      expect(await status(secret)).toBe(401);
      expect((await dialtree('token', 'revoke', token.id)).code).toBe(1);
    });

    it('create takes scopes and a time of expiry, and list shows them (T43)', async () => {
      const make = (...words: string[]) => dialtree('token', 'create', '--name', 'scoped', ...words);
      const made = await make('--scopes', 'calls,read', '--expires', '12h');
      expect(await status(made.out.trim())).toBe(200);
      const refused = await call(service.url, 'POST', '/v1/team', {
        token: made.out.trim(),
        body: { name: 'x' },
      });
      expect(refused.json).toMatchObject({ Code: 'scope_missing', Scope: 'write' });
      await make('--expires', '2099-01-31');
      const list = JSON.parse((await dialtree('token', 'list', '--json')).out).filter(
        ({ name }: { name: string }) => name === 'scoped',
      );
      expect(list).toMatchObject([
        { scopes: ['read', 'calls'], parent_id: null },
        { scopes: ['admin'], expires_at: '2099-01-31T00:00:00.000Z' },
      ]);
      expect(Date.parse(list[0].expires_at) - Date.parse(list[0].created_at)).toBe(12 * 3600 * 1000);
      for (const words of [
        ['--scopes', 'everything'],
        ['--scopes', ''],
        ['--expires', 'soon'],
        ['--expires', '0d'],
        ['--expires', '2001-01-01'],
      ])
        expect((await make(...words)).code, words.join(' ')).toBe(2);
      await dialtree('account', 'limits', 'default', 'max_tokens=1');
      expect((await make()).code).toBe(1);
      await dialtree('account', 'limits', 'default', 'max_tokens=default');
    });

    it('says what is wrong, with the usage and code 2', async () => {
      for (const words of [
        ['token'],
        ['token', 'create'],
        ['token', 'create', '--name', 'x', '--days', 'soon'],
        ['token', 'revoke'],
      ]) {
        const { code, err } = await dialtree(...words);
        expect([words, code]).toEqual([words, 2]);
        expect(err).toContain('dialtree token create');
        expect(err).not.toMatch(/^\s+at /m);
      }
    });
  });

  describe('tokens over HTTP', () => {
    it('are created, listed and revoked, and the list never shows a secret', async () => {
      const made = await call(service.url, 'POST', '/v1/token', {
        body: { name: 'over http', expires_in_days: '7' },
      });
      expect(made.status).toBe(201);
      expect(await status(made.json.token)).toBe(200);
      const list = await call(service.url, 'GET', '/v1/tokens');
      expect(list.json.data).toContainEqual(expect.objectContaining({ id: made.json.id, name: 'over http' }));
      expect(list.text).not.toContain(made.json.token);
      expect((await call(service.url, 'DELETE', `/v1/token/${made.json.id}`)).status).toBe(200);
      expect(await status(made.json.token)).toBe(401);
      expect((await call(service.url, 'DELETE', `/v1/token/${made.json.id}`)).status).toBe(404);
    });

    it('come in pages', async () => {
      for (const name of ['a', 'b', 'c']) await call(service.url, 'POST', '/v1/token', { body: { name } });
      const first = await call(service.url, 'GET', '/v1/tokens?limit=2');
      const rest = await call(service.url, 'GET', `/v1/tokens?limit=500&cursor=${first.json.next_cursor}`);
      const all = await call(service.url, 'GET', '/v1/tokens?limit=500');
      expect([...first.json.data, ...rest.json.data]).toEqual(all.json.data);
    });
  });

  describe('dialtree account', () => {
    it('create makes an account with a token of its own, which sees nothing of the first', async () => {
      await call(service.url, 'POST', '/v1/team', { body: { name: 'mine' } });
      const made = await dialtree('account', 'create', 'Second Ltd');
      const secret = made.out.trim();
      expect(await status(secret)).toBe(200);
      expect((await call(service.url, 'GET', '/v1/teams', { token: secret })).json.data).toEqual([]);
      expect((await dialtree('account', 'list')).out).toContain('Second Ltd');
      expect((await dialtree('account', 'create', 'Second Ltd')).code).toBe(2);
      expect((await dialtree('token', 'list')).err).toContain('--account');
      expect((await dialtree('token', 'list', '--account', 'Second Ltd')).code).toBe(0);
      expect((await dialtree('token', 'list', '--account', 'Nobody')).err).toContain(
        'There is no account "Nobody"',
      );
    });
  });

  it('dialtree account limits shows and sets what only the operator may, in the running service', async () => {
    const limits = async () => {
      const { used, ...own } = (await call(service.url, 'GET', '/v1/limits')).json;
      expect(used).toMatchObject({ voicemail_bytes: 0 });
      return own;
    };
    expect(await limits()).toEqual(FIRST_LIMITS);
    const { out } = await dialtree(
      'account',
      'limits',
      'default',
      'max_outbound_calls=5',
      'private_networks=off',
    );
    expect(out).toMatch(/^max_outbound_calls +5 /m);
    expect(out).toMatch(/^private_networks +off /m);
    expect(await limits()).toEqual({ ...FIRST_LIMITS, max_outbound_calls: 5, private_networks: false });
    const set = (body: object) => call(service.url, 'PATCH', '/v1/settings', { body });
    expect((await set({ max_outbound_calls: 5 })).status).toBe(200);
    const refused = await set({ max_outbound_calls: 6 });
    expect(refused.status).toBe(400);
    expect(refused.json.Errors).toMatchObject([
      { Pointer: '/max_outbound_calls', Code: 'number_out_of_range' },
    ]);
    expect((await call(service.url, 'PUT', '/v1/limits', { body: { max_calls: 1 } })).status).toBe(405);
    await dialtree('account', 'limits', 'default', 'max_outbound_calls=default', 'private_networks=default');
    expect(await limits()).toEqual(FIRST_LIMITS);
    for (const words of [[], ['nowhere'], ['default', 'max_ports=1'], ['default', 'max_calls=-1']])
      expect((await dialtree('account', 'limits', ...words)).code).toBe(2);
  });

  it('dialtree help lists every command', async () => {
    const { code, out } = await dialtree('--help');
    expect(code).toBe(0);
    for (const words of [
      'serve',
      'token create',
      'token list',
      'token revoke',
      'account create',
      'account list',
    ])
      expect(out).toContain(words);
    expect((await dialtree('token', '--help')).out).toContain('token revoke');
  });
});
