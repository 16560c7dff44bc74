// Requests that another site makes a signed-in browser send (threat T20).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { type CallOptions, call, type Service, startService, TOKEN } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';

onAnyDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: await database.environment() });
  });
  afterAll(() => service?.remove());

  const ask = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, { token: null, ...options });
  async function signedIn(): Promise<Browser> {
    const browser = new Browser(() => service.url);
    expect((await browser.signIn(TOKEN)).status).toBe(201);
    return browser;
  }

  describe('another site', () => {
    const team = { name: 'Made by another site' };
    it.each<[string, string, string, Record<string, string | undefined>]>([
      [
        'sends a form',
        'POST',
        '/v1/team',
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      ],
      [
        'sends a form from an old browser',
        'POST',
        '/v1/team',
        { origin: 'https://evil.example', 'sec-fetch-site': undefined },
      ],
      ['sends a form from a sandbox', 'POST', '/v1/team', { origin: 'null', 'sec-fetch-site': undefined }],
      ['is a neighbour', 'POST', '/v1/team', { 'sec-fetch-site': 'same-site' }],
      [
        'is another port of this machine',
        'POST',
        '/v1/team',
        { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      ],
      [
        'says nothing of itself, and cannot name the account',
        'POST',
        '/v1/team',
        { origin: undefined, 'sec-fetch-site': undefined, 'dialtree-account': undefined },
      ],
      [
        'comes from our page, but does not name the account',
        'PUT',
        '/v1/settings',
        { 'dialtree-account': undefined },
      ],
      ['changes a part', 'PATCH', '/v1/settings', { 'dialtree-account': undefined }],
      ['changes a part from elsewhere', 'PATCH', '/v1/team/1', { 'sec-fetch-site': 'cross-site' }],
      ['deletes', 'DELETE', '/v1/token/x', { 'dialtree-account': undefined }],
      ['signs out', 'DELETE', '/v1/session', { 'sec-fetch-site': 'cross-site' }],
      ['signs in', 'POST', '/v1/session', { 'sec-fetch-site': 'cross-site' }],
      ['changes the current account', 'POST', '/v1/session/current', { origin: 'https://evil.example' }],
      ['reads', 'GET', '/v1/agents', { 'sec-fetch-site': 'cross-site' }],
      ['looks who is signed in', 'GET', '/v1/session', { 'sec-fetch-site': 'cross-site' }],
      ['follows the calls', 'GET', '/v1/live_calls/events', { origin: 'https://evil.example' }],
    ])('that %s is refused', async (_, method, path, changes) => {
      const browser = await signedIn();
      const given = {
        cookie: `dialtree_session=${browser.secrets.join('.')}`,
        origin: service.url,
        'sec-fetch-site': 'same-origin',
        'dialtree-account': 'default',
        ...changes,
      };
      const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const sent = path === '/v1/session' ? { token: 'x' } : team;
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: sent } : {};
      const reply = await ask(method, path, { headers: headers as Record<string, string>, ...body });
      expectFailure(reply, 'csrf_refused');
      expect(reply.headers.get('set-cookie')).toBeNull();
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
      expect(await browser.accounts()).toEqual(['default']);
    });

    it('gets no permission to ask (CORS), and has changed nothing', async () => {
      const preflight = await ask('OPTIONS', '/v1/team', {
        headers: { origin: 'https://evil.example', 'access-control-request-headers': 'dialtree-account' },
      });
      expect(preflight.status).toBe(405);
      expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect((await call(service.url, 'GET', '/v1/teams')).text).not.toContain(team.name);
    });

    it('a cookie header that is huge, broken or not ours is like none', async () => {
      const [secret = ''] = (await signedIn()).secrets;
      for (const cookie of [
        'theme=dark',
        `x=${'x'.repeat(9000)}; dialtree_session=${secret}`,
        `dialtree_session="${secret}"`,
        `dialtree_session=${secret}.`,
        `dialtree_session=${Array(9).fill(secret).join('.')}`,
      ])
        expectFailure(await ask('GET', '/v1/agents', { headers: { cookie } }), 'token_missing');
    });
  });
});
