// POST /v1/ivr and what came after it, over real sockets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEW_ACCOUNT_SETTINGS } from '../../src/domain/account.ts';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { type CallOptions, call, type Json, type Service, startService } from '../support/service.ts';

onAnyDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { ...(await database.environment()), DEMO: 'on' } });
  });
  afterAll(() => service?.remove());

  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, options);
  const known = (changes = {}) =>
    menu({ timeout_retry_recording: 'still-there', timeout_recording: 'connecting', ...changes });
  const create = async (changes = {}): Promise<string> => {
    const reply = await send('POST', '/v1/ivr', { body: known(changes) });
    expect(reply.status).toBe(201);
    return reply.headers.get('location') ?? '';
  };

  describe('creating an IVR', () => {
    it('answers 201 with Location and exactly Success and Message', async () => {
      const reply = await send('POST', '/v1/ivr', { body: known() });
      expect(reply.status).toBe(201);
      expect(reply.json).toEqual({ Success: true, Message: 'IVR created.' });
      expect(reply.headers.get('location')).toMatch(/^\/v1\/ivr\/[0-9a-f-]{36}$/);
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    it("takes the specification's own way of writing: numbers as text and as numbers, and the two tolerated fields", async () => {
      const path = await create({
        timeout: '10',
        option: [1, 2],
        timeout_retries: 3,
        recording_invalid: 'recording||invalid',
      });
      const { json } = await send('GET', path);
      expect(json).toMatchObject({
        timeout: 10,
        option: ['1', '2'],
        timeout_tries: 1,
        recording_invalid: 'recording||invalid',
      });
    });

    it('reports all faults at once with pointers, codes and one sentence', async () => {
      const reply = await send('POST', '/v1/ivr', {
        body: menu({ name: undefined, timeout: 'soon', destination: ['x||1', 'extension||2'] }),
      });
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject({ Success: false, Code: 'fields_invalid' });
      expect(reply.json.Message).toContain('Missing: name.');
      expect(
        reply.json.Errors.map(({ Pointer, Code }: { Pointer: string; Code: string }) => [Pointer, Code]),
      ).toEqual([
        ['/name', 'field_missing'],
        ['/timeout', 'number_malformed'],
        ['/destination/0', 'destination_unknown_kind'],
      ]);
      expect(reply.json.RequestId).toBe(reply.headers.get('x-request-id'));
    });

    it('accepts references to things that do not exist, and says so in words and in warnings', async () => {
      const reply = await send('POST', '/v1/ivr', {
        body: known({ recording: 'recording||later', destination: ['extension||100001', 'ivr||later'] }),
      });
      expect(reply.status).toBe(201);
      expect(reply.json.Message).toBe(
        'IVR created, with 2 warnings: recording: Recording later does not exist: callers hear a short tone instead. destination 1: ivr||later does not exist: callers who get there hear an apology and are hung up on.',
      );
      const { json } = await send('GET', reply.headers.get('location') ?? '');
      expect(
        json.warnings.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      ).toEqual([
        ['/recording', 'recording-missing'],
        ['/destination/1', 'destination-missing'],
      ]);
    });

    it('refuses them in a strict account', async () => {
      await send('PATCH', '/v1/settings', { body: { strict_references: true } });
      const reply = await send('POST', '/v1/ivr', {
        body: known({ destination: ['extension||nobody', 'ivr||main'] }),
      });
      expect(reply.status).toBe(400);
      expect(reply.json.Errors).toMatchObject([{ Pointer: '/destination/0', Code: 'reference_unknown' }]);
      expect(
        (await send('POST', '/v1/ivr', { body: known({ destination: ['extension||100001', 'ivr||main'] }) }))
          .status,
      ).toBe(201);
      await send('PATCH', '/v1/settings', { body: { strict_references: false } });
      expect((await send('GET', '/v1/settings')).json).toEqual({
        ...NEW_ACCOUNT_SETTINGS,
        country: null,
        area_code: null,
        timezone: null,
        strict_references: false,
      });
    });
  });

  describe('the order of checks', () => {
    it('is size, then who asks, then the body', async () => {
      const large = 'x'.repeat(256 * 1024 + 1);
      expect((await send('POST', '/v1/ivr', { token: null, body: large })).status).toBe(413);
      expect((await send('POST', '/v1/ivr', { token: null, body: '{' })).status).toBe(401);
      expect((await send('POST', '/v1/ivr', { body: '{' })).status).toBe(400);
      expect(
        (
          await send('POST', '/v1/ivr', {
            token: null,
            body: '<x/>',
            headers: { 'content-type': 'text/xml' },
          })
        ).status,
      ).toBe(401);
      expect(
        (await send('POST', '/v1/ivr', { body: '<x/>', headers: { 'content-type': 'text/xml' } })).status,
      ).toBe(415);
      expect((await send('POST', '/v1/ivr')).status).toBe(415);
    });

    it('takes application/json with a charset, and the scheme name in any case', async () => {
      const reply = await send('POST', '/v1/ivr', {
        body: JSON.stringify(known()),
        token: null,
        headers: {
          'content-type': 'Application/JSON; charset=utf-8',
          authorization: 'bEaReR test-token-of-the-first-account',
        },
      });
      expect(reply.status).toBe(201);
    });

    it('returns a harmless X-Request-Id and replaces any other', async () => {
      expect(
        (await send('GET', '/healthz', { headers: { 'x-request-id': 'abc-1.2_3' } })).headers.get(
          'x-request-id',
        ),
      ).toBe('abc-1.2_3');
      const made = (await send('GET', '/healthz', { headers: { 'x-request-id': 'a b"c' } })).headers.get(
        'x-request-id',
      );
      expect(made).toMatch(/^[0-9a-f-]{36}$/);
      expect(
        (await send('GET', '/healthz', { headers: { 'x-request-id': 'x'.repeat(65) } })).headers.get(
          'x-request-id',
        ),
      ).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('reading and listing', () => {
    it('a record has its id, all fields, its version and times', async () => {
      const beforeMs = Date.now();
      const path = await create({ name: 'read me' });
      const { json, headers } = await send('GET', path);
      expect(json).toMatchObject({
        id: path.slice('/v1/ivr/'.length),
        name: 'read me',
        version: 1,
        warnings: [],
      });
      expect(Date.parse(json.created_at)).toBeGreaterThanOrEqual(beforeMs);
      expect(headers.get('etag')).toMatch(/^"1-/);
    });

    it('a reader who has it gets 304', async () => {
      const path = await create();
      const etag = (await send('GET', path)).headers.get('etag') ?? '';
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const reply = await send('GET', path, { headers: { 'if-none-match': tag } });
        expect([reply.status, reply.text]).toEqual([304, '']);
      }
      expect((await send('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    });

    it('pages cover every IVR once, in order, by cursor and by Link', async () => {
      for (let index = 0; index < 7; index++) await create({ name: `page ${index}` });
      const seen: string[] = [];
      for (let path: string | undefined = '/v1/ivrs?limit=3'; path; ) {
        const reply = await send('GET', path);
        expect(reply.json.data.length).toBeLessThanOrEqual(3);
        seen.push(...reply.json.data.map(({ id }: { id: string }) => id));
        path = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];
        expect(path === undefined).toBe(reply.json.next_cursor === null);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual([...seen].sort());
      const { json } = await send('GET', '/v1/ivrs?limit=500');
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual(seen);
    });

    it.each([
      'limit=0',
      'limit=501',
      'limit=x',
      'limit=1&limit=2',
      'cursor=%00',
      'cursor=nonsense',
      'cursor=WyJ4Il0&limit=',
    ])('a query of %s is refused', async (query) => {
      const reply = await send('GET', `/v1/ivrs?${query}`);
      expect([reply.status, reply.json.Code]).toEqual([400, 'query_invalid']);
    });

    it('an unknown id is 404', async () => {
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', known()],
        ['DELETE', undefined],
      ] as const) {
        const reply = await send(method, '/v1/ivr/unknown', { body });
        expect([reply.status, reply.json.Code]).toEqual([404, 'record_unknown']);
      }
    });
  });

  describe('updating and restoring', () => {
    it('PUT replaces, raises the version and keeps the former', async () => {
      const path = await create({ name: 'first', sensitive: true });
      const put = await send('PUT', path, { body: known({ name: 'second' }) });
      expect([put.status, put.json.Message, put.headers.get('etag')]).toEqual([
        200,
        'IVR updated to version 2.',
        '"2"',
      ]);
      const versions = await send('GET', `${path}/versions`);
      expect(
        versions.json.data.map(({ version, name, sensitive }: Json) => [version, name, sensitive]),
      ).toEqual([
        [2, 'second', false],
        [1, 'first', true],
      ]);
    });

    it('versions come in pages', async () => {
      const path = await create();
      for (let index = 0; index < 4; index++) await send('PUT', path, { body: known({ name: `v${index}` }) });
      const first = await send('GET', `${path}/versions?limit=3`);
      expect(first.json.data.map(({ version }: { version: number }) => version)).toEqual([5, 4, 3]);
      const rest = await send('GET', `${path}/versions?limit=3&cursor=${first.json.next_cursor}`);
      expect(rest.json.data.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
      expect(rest.json.next_cursor).toBeNull();
    });

    it('If-Match refuses a lost update with 412, and takes the ETag of a read as of a write', async () => {
      const path = await create();
      const read = (await send('GET', path)).headers.get('etag') ?? '';
      const first = await send('PUT', path, { body: known({ name: 'a' }), headers: { 'if-match': read } });
      expect(first.status).toBe(200);
      const lost = await send('PUT', path, { body: known({ name: 'b' }), headers: { 'if-match': read } });
      expect([lost.status, lost.json.Code, lost.headers.get('etag')]).toEqual([
        412,
        'version_changed',
        '"2"',
      ]);
      const next = await send('PUT', path, {
        body: known({ name: 'c' }),
        headers: { 'if-match': first.headers.get('etag') ?? '' },
      });
      expect(next.status).toBe(200);
      expect((await send('DELETE', path, { headers: { 'if-match': '"1"' } })).status).toBe(412);
      expect((await send('PUT', path, { body: known(), headers: { 'if-match': 'W/"3"' } })).json.Code).toBe(
        'if_match_malformed',
      );
      expect((await send('PUT', path, { body: known(), headers: { 'if-match': '*' } })).status).toBe(200);
    });

    it('of many updates with the same If-Match one wins', async () => {
      const path = await create();
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          send('PUT', path, { body: known({ name: `n${index}` }), headers: { 'if-match': '"1"' } }),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
    });

    it('a strict account does not restore what points to nothing', async () => {
      const path = await create({ invalid_destination: 'extension||gone' });
      await send('PUT', path, { body: known() });
      const warned = await send('POST', `${path}/restore/1`);
      expect(warned.json.Message).toContain(
        'IVR restored: version 3 has the content of version 1, with one warning',
      );
      await send('PATCH', '/v1/settings', { body: { strict_references: true } });
      expect((await send('POST', `${path}/restore/1`)).status).toBe(400);
      await send('PATCH', '/v1/settings', { body: { strict_references: false } });
    });

    it('restore makes a former version the newest and loses nothing', async () => {
      const path = await create({ name: 'good' });
      await send('PUT', path, { body: known({ name: 'bad' }) });
      const restored = await send('POST', `${path}/restore/1`);
      expect(restored.json).toEqual({
        Success: true,
        Message: 'IVR restored: version 3 has the content of version 1.',
      });
      expect((await send('GET', path)).json).toMatchObject({ name: 'good', version: 3 });
      expect((await send('GET', `${path}/versions`)).json.data).toHaveLength(3);
      expect((await send('POST', `${path}/restore/9`)).status).toBe(404);
      expect((await send('POST', `${path}/restore/x`)).status).toBe(404);
      expect((await send('POST', `${path}/restore/2`, { headers: { 'if-match': '"1"' } })).status).toBe(412);
    });
  });

  describe('deleting', () => {
    it('a deleted IVR is gone', async () => {
      const path = await create();
      expect((await send('DELETE', path)).json).toEqual({ Success: true, Message: 'IVR deleted.' });
      expect((await send('GET', path)).status).toBe(404);
      expect((await send('GET', `${path}/versions`)).status).toBe(404);
    });

    it('one that others point to is refused with the list of them, unless forced', async () => {
      const path = await create({ name: 'target' });
      const id = path.slice('/v1/ivr/'.length);
      const pointing = await create({ name: 'pointing', invalid_destination: `ivr|${id}` });
      const refused = await send('DELETE', path);
      expect([refused.status, refused.json.Code]).toEqual([409, 'still_referenced']);
      expect(refused.json.ReferencedBy).toEqual([
        { kind: 'ivr', id: pointing.slice('/v1/ivr/'.length), name: 'pointing' },
      ]);
      expect((await send('GET', path)).status).toBe(200);
      expect((await send('DELETE', `${path}?force=maybe`)).status).toBe(400);
      expect((await send('DELETE', `${path}?force=true`)).status).toBe(200);
      expect((await send('GET', pointing)).json.warnings).toHaveLength(1);
    });

    it('the number of the demonstration holds its menu', async () => {
      const refused = await send('DELETE', '/v1/ivr/main');
      expect(refused.json.ReferencedBy).toContainEqual(
        expect.objectContaining({ kind: 'number', name: '100' }),
      );
    });
  });
});
