// The published client: made from the document, typed by it, and used here against a real service.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientSource } from '../bin/client-source.js';
import { all, type Client, createClient, DialtreeError } from '../client/client.ts';
import { openApiDocument } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';
import { menu } from './support/payload.ts';
import { type Service, startService, TOKEN } from './support/service.ts';

it('the checked-in client is made from the present document (npm run openapi)', () => {
  const written = readFileSync(new URL('../client/operations.ts', import.meta.url), 'utf8');
  expect(written).toBe(clientSource(openApiDocument(ROUTES)));
});

describe('the client', () => {
  let service: Service;
  let dialtree: Client;
  beforeAll(async () => {
    service = await startService({ env: { DEMO: 'on' } });
    dialtree = createClient({ url: service.url, token: TOKEN });
  });
  afterAll(() => service.remove());

  it('has one function for each operation, whose answers are typed', async () => {
    const agents = await dialtree.listAgents();
    const answered: number = agents[0]?.calls_answered ?? -1;
    expect(answered).toBe(0);
    const made = await dialtree.createTeam({ body: { name: 'By the client' } });
    const { id, name } = await dialtree.getTeam({ params: { id: String(made.id) } });
    expect([id, name]).toEqual([made.id, 'By the client']);
  });

  it('sends the specification’s menu and gets its answer', async () => {
    const plain = createClient({ url: service.url, token: TOKEN, prefer: 'minimal' });
    const { Success, Message } = await plain.createIvr({ body: menu() as never });
    expect(Success).toBe(true);
    expect(Message).toMatch(/^IVR created/);
  });

  it('returns the record of a creation or change, with its id, what is shown once, and its ETag', async () => {
    const made = await dialtree.createIvr({ body: menu({ id: 'by-client' }) as never }).withHeaders();
    const { id, option, warnings } = made.data;
    expect([id, option, warnings.length > 0]).toEqual(['by-client', ['1', '2'], true]);
    const body = { timeout: 9, description: null };
    await expect(dialtree.patchIvr({ params: { id }, body })).rejects.toMatchObject({
      code: 'fields_invalid',
    });
    const ifMatch = made.etag ?? '';
    const changed = await dialtree.patchIvr({ params: { id }, body: { timeout: 9 }, ifMatch }).withHeaders();
    expect([changed.data.timeout, changed.data.version]).toEqual([9, 2]);
    expect(changed.etag).toBe((await dialtree.getIvr({ params: { id } }).withHeaders()).etag);
    const agent = await dialtree.createAgent({ body: { name: 'Ann' } });
    const password: string | undefined = agent.sip_password;
    expect([typeof password, agent.custom_status]).toEqual(['string', 0]);
    expect((await dialtree.patchSettings({ body: { ring_seconds: 26 } })).ring_seconds).toBe(26);
    const { token, name } = await dialtree.createToken({ body: { name: 'short' } });
    expect([typeof token, name]).toEqual(['string', 'short']);
    // @ts-expect-error: an answer in words has to be asked for
    expect((await dialtree.createTeam({ body: { name: 'Wordless' } })).Message).toBeUndefined();
  });

  it('reads a list to its end, page by page', async () => {
    for (const number of ['801', '802', '803'])
      await dialtree.createNumber({ body: { number, destination: 'hangup||now' } });
    const numbers: string[] = [];
    for await (const { number } of all(dialtree.listNumbers, { limit: 1 })) numbers.push(number);
    expect(numbers).toEqual(expect.arrayContaining(['100', '801', '802', '803']));
  });

  it('does not compile with a query that the list does not have', () => {
    const lists = () => [
      // @ts-expect-error limti is limit
      all(dialtree.listNumbers, { limti: 5 }),
      // @ts-expect-error limti is limit
      dialtree.listNumbers({ query: { limti: 5 } }),
      // @ts-expect-error the client follows cursors itself
      all(dialtree.listNumbers, { cursor: 'x' }),
      // @ts-expect-error versions are those of one IVR
      all(dialtree.listIvrVersions, {}),
      all(dialtree.listIvrVersions, { limit: 5 }, { params: { id: 'main' } }),
      // @ts-expect-error getTeam has no query
      dialtree.getTeam({ params: { id: '1' }, query: { limit: 5 } }),
    ];
    expect(lists).toBeTypeOf('function');
  });

  it('reads lists within a record', async () => {
    const versions: number[] = [];
    for await (const { version } of all(dialtree.listIvrVersions, {}, { params: { id: 'main' } }))
      versions.push(version);
    expect(versions).toEqual([1]);
  });

  it('gives status and headers where they are asked for', async () => {
    const { id } = await dialtree.createTeam({ body: { name: 'With headers' } });
    const params = { id: String(id) };
    const { data, status, etag, requestId } = await dialtree.getTeam({ params }).withHeaders();
    expect([data.name, status, etag]).toEqual(['With headers', 200, expect.stringMatching(/^"1-/)]);
    expect(requestId).toMatch(/^[\w.-]{1,64}$/);
    const old = await dialtree.listAgents().withHeaders();
    expect(old.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(old.headers.get('link')).toContain('rel="successor-version"');
    const made = await dialtree.createTeam({ body: { name: 'Elsewhere' } }).withHeaders();
    expect(made.location).toBe(`/v1/team/${made.data.id}`);
  });

  it('gives headers of failures too, and a failure is handled once', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const failure = await dialtree
      .getTeam({ params: { id: '999' } })
      .withHeaders()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DialtreeError);
    expect((failure as DialtreeError).headers.get('x-request-id')).toBe((failure as DialtreeError).requestId);
    await expect(dialtree.getTeam({ params: { id: '999' } })).rejects.toMatchObject({ status: 404 });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('asks without a token where the browser’s cookie identifies the account', async () => {
    const asked: Headers[] = [];
    const watched: typeof fetch = (url, init) => {
      asked.push(new Headers(init?.headers));
      return fetch(url, init);
    };
    const stranger = createClient({ url: service.url, fetch: watched });
    expect(await stranger.getSession()).toEqual({ accounts: [], email_resets: false, oidc: null });
    expect(asked.map((headers) => headers.get('authorization'))).toEqual([null]);
    const { account } = await stranger.createSession({ body: { token: TOKEN } });
    expect(account).toEqual({ id: 'default', name: 'default' });
  });

  it('throws what the service says was wrong', async () => {
    const failure = await dialtree.createTeam({ body: { name: '' } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DialtreeError);
    expect(failure).toMatchObject({
      status: 400,
      code: 'fields_invalid',
      errors: [{ Pointer: '/name', Code: 'text_empty' }],
    });
  });

  it('creates once with an idempotency key, however often it is asked', async () => {
    const ask = () => dialtree.createDepartment({ body: { name: 'Once' }, idempotencyKey: 'once' });
    expect((await ask()).id).toBe((await ask()).id);
  });

  it('says that nothing has changed, where that was asked', async () => {
    const authorization = `Bearer ${TOKEN}`;
    const { headers } = await fetch(`${service.url}/v1/agents`, { headers: { authorization } });
    const asked = dialtree.listAgents({ headers: { 'if-none-match': headers.get('etag') ?? '' } });
    await expect(asked).rejects.toMatchObject({ status: 304, message: 'The service answered 304.' });
  });

  it('distinguishes a lost update from other failures', async () => {
    const { id } = await dialtree.createTeam({ body: { name: 'First' } });
    const params = { id: String(id) };
    await dialtree.putTeam({ params, body: { name: 'Second' }, ifMatch: '"1"' });
    await expect(dialtree.putTeam({ params, body: { name: 'Third' }, ifMatch: '"1"' })).rejects.toMatchObject(
      {
        code: 'version_changed',
      },
    );
  });
});

describe('a service that is overloaded for a moment', () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.method ?? '');
    if (asked.length === 1)
      response.writeHead(503, { 'retry-after': '0' }).end('{"Message":"later","Code":"overloaded"}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('is asked again what may be asked twice', async () => {
    asked.length = 0;
    expect(await createClient({ url, token: 'x' }).listAgents()).toEqual([]);
    expect(asked).toEqual(['GET', 'GET']);
  });

  it('is not sent a creation twice that has no key', async () => {
    asked.length = 0;
    await expect(createClient({ url, token: 'x' }).createTeam({ body: { name: 'x' } })).rejects.toMatchObject(
      {
        code: 'overloaded',
      },
    );
    expect(asked).toEqual(['POST']);
  });
});
