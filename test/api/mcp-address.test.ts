// POST /mcp as an address of the API: who may send to it, and what it takes. mcp.test.ts has the tools.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { call, runDialtree, type Service, startService, TOKEN } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';

onAnyDatabase((database) => {
  let service: Service;
  let drafter: string;
  beforeAll(async () => {
    const env = await database.environment();
    service = await startService({ env });
    const words = ['token', 'create', '--name', 'assistant', '--assistant'];
    drafter = (await runDialtree(words, { dataDir: service.dataDir, env })).out.trim();
  });
  afterAll(() => service?.remove());
  const send = (body: unknown, { token = drafter as string | null, headers = {} } = {}) =>
    call(service.url, 'POST', '/mcp', {
      token,
      body,
      headers: { accept: 'application/json, text/event-stream', ...headers },
    });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  it('needs a bearer token: no stranger, no revoked token and no browser', async () => {
    expectFailure(await send(list, { token: null }), 'token_missing');
    expectFailure(await send(list, { token: 'dialtree_nobody' }), 'token_invalid');
    const browser = new Browser(() => service.url, []);
    expect((await browser.signIn(TOKEN)).status).toBe(201);
    expectFailure(await browser.ask('POST', '/mcp', { account: 'default', body: list }), 'token_missing');
    expect((await send(list)).json.result.tools.length).toBeGreaterThan(10);
  });

  it('takes POST alone, and JSON-RPC alone', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'])
      expectFailure(await call(service.url, method, '/mcp', { token: drafter }), 'method_not_allowed');
    expect((await send({ hello: 'world' })).status).toBe(400);
    expect((await send([list, list])).status).toBe(400);
    expect((await send(list, { headers: { accept: 'text/html' } })).status).toBe(406);
    const unknown = await send({ ...list, method: 'resources/steal' });
    expect(unknown.json.error.code).toBe(-32601);
  });

  it('a message that is too large, too deep or of too many values is refused, and the next is answered', async () => {
    const args = (record: unknown) => ({
      ...list,
      method: 'tools/call',
      params: { name: 'draft_create', arguments: { kind: 'department', record } },
    });
    expectFailure(await send(args({ name: 'x'.repeat(300_000) })), 'body_too_large');
    let deep: object = {};
    for (let depth = 0; depth < 500; depth++) deep = { deep };
    expectFailure(await send(args(deep)), 'body_too_deep');
    const wide = await send(args({ name: 'x', agents: new Array(50_000).fill('1') }));
    expect(wide.status === 400 || wide.json.result.isError).toBe(true);
    expect((await send(list)).status).toBe(200);
  });
});
