// Prefer: return=representation (RFC 7240), ids of the client's choice, and other names of records.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, type Json, type Reply, type SharedService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const WHOLE = { prefer: 'return=representation' };

onAnyDatabase((database) => {
  let service: SharedService;
  beforeAll(async () => {
    service = await database.service();
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(service.url, method, path, { headers, ...(body === undefined ? {} : { body }) });

  /** The body, ETag and Location are those of a GET that follows. */
  async function expectRecord(reply: Reply, status: number, once: Json = {}): Promise<Json> {
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers.get('preference-applied')).toBe('return=representation');
    const shown = await ask('GET', reply.headers.get('location') ?? '');
    expect(shown.status, shown.text).toBe(200);
    expect(reply.json).toEqual({ ...shown.json, ...once });
    expect(reply.headers.get('etag')).toBe(shown.headers.get('etag'));
    return reply.json;
  }

  const NEW: [path: string, body: object, shownOnce?: object][] = [
    ['/v1/ivr', menu()],
    ['/v1/agent', { name: 'Ann', team_id: 1 }, { sip_password: expect.any(String) }],
    ['/v1/team', { name: 'Team' }],
    ['/v1/department', { name: 'D', agents: ['100001'] }],
    ['/v1/number', { number: '5551', destination: 'hangup||now' }],
    ['/v1/trunk', { name: 'T', host: '192.0.2.1', password: 'x' }],
    ['/v1/recording', recordingForm({ name: 'R' })],
    [
      '/v1/timegroup',
      { name: 'T', timezone: 'UTC', weekly: [{ days: ['mon'], from: '09:00', to: '12:00' }] },
    ],
    ['/v1/announcement', { name: 'A', recording: 'welcome', destination: 'hangup||now' }],
    ['/v1/voicemail_box', { name: 'V' }],
    ['/v1/blocked_number', { number: '+4930*' }],
    ['/v1/caller_id_rule', { name: 'R', show: 'withhold' }],
    ['/v1/sms_template', { name: 'S', text: 'Hello' }],
    [
      '/v1/webhook',
      { name: 'W', url: 'https://hooks.example.com/' },
      { secret: expect.stringMatching(/^whsec_/) },
    ],
  ];

  test.each(NEW)(
    'POST, PUT and PATCH of %s answer with the record that a GET shows',
    async (path, body, once) => {
      const made = await ask('POST', path, body, WHOLE);
      const record = await expectRecord(made, 201, once);
      expect(record).not.toHaveProperty('Success');
      const one = made.headers.get('location') ?? '';
      const put = await ask('PUT', one, (await ask('GET', one)).json, WHOLE);
      expect((await expectRecord(put, 200)).version).toBe(2);
      const patched = await ask('PATCH', one, {}, WHOLE);
      expect((await expectRecord(patched, 200)).version).toBe(3);
      for (const secret of ['sip_password', 'secret']) expect(patched.json).not.toHaveProperty(secret);
    },
  );

  test('other changes do so too: blocking, new secrets, former versions, settings, tokens, SMS', async () => {
    const agent =
      (await ask('POST', '/v1/agent', { name: 'Bo', eid: 'bo.old' })).headers.get('location') ?? '';
    expect(await expectRecord(await ask('POST', `${agent}/block`, undefined, WHOLE), 200)).toMatchObject({
      custom_status: 1,
    });
    const renewed = await ask('POST', `${agent}/sip_password`, undefined, WHOLE);
    await expectRecord(renewed, 200, { sip_password: expect.any(String) });
    const moved = await ask('PUT', agent, { name: 'Bo', eid: 'bo.new' }, WHOLE);
    await expectRecord(moved, 200);
    expect(moved.headers.get('location')).toBe('/v1/agent/bo.new');
    const hook = (await ask('POST', '/v1/webhook', NEW.at(-1)?.[1])).headers.get('location') ?? '';
    await expectRecord(await ask('POST', `${hook}/secret`, undefined, WHOLE), 200, {
      secret: expect.any(String),
    });
    const ivr = (await ask('POST', '/v1/ivr', menu())).headers.get('location') ?? '';
    await ask('PATCH', ivr, { name: 'Second' });
    expect(await expectRecord(await ask('POST', `${ivr}/restore/1`, undefined, WHOLE), 200)).toMatchObject({
      name: 'Main menu',
      version: 3,
    });
    await expectRecord(await ask('PATCH', '/v1/settings', { ring_seconds: 33 }, WHOLE), 200);
    await expectRecord(await ask('PUT', '/v1/settings', {}, WHOLE), 200);
    const token = await ask('POST', '/v1/token', { name: 'shown' }, WHOLE);
    expect(token.json).toMatchObject({ name: 'shown', token: expect.any(String), scopes: ['admin'] });
  });

  test('only the preference that asks for it has it; POST /v1/ivr is else as specified', async () => {
    for (const prefer of [
      undefined,
      'return=minimal',
      'return=minimal, return=representation',
      'respond-async',
      'return',
      'x'.repeat(2000),
      '=;,,',
    ]) {
      const made = await ask('POST', '/v1/ivr', menu(), prefer === undefined ? {} : { prefer });
      expect(made.status).toBe(201);
      expect(Object.keys(made.json)).toEqual(['Success', 'Message']);
      expect(made.headers.get('preference-applied')).toBeNull();
      expect(made.headers.get('location')).toMatch(/^\/v1\/ivr\/./);
    }
    for (const prefer of ['Return="representation"; x=1', 'respond-async, wait=5, return=representation']) {
      await expectRecord(await ask('POST', '/v1/ivr', menu(), { prefer }), 201);
    }
    expectFailure(await ask('POST', '/v1/team', {}, WHOLE), 'fields_invalid');
  });

  test('an Idempotency-Key repeats the record, without what is shown once', async () => {
    const headers = { ...WHOLE, 'idempotency-key': 'one' };
    const first = await ask('POST', '/v1/agent', { name: 'Once' }, headers);
    const { sip_password, ...record } = first.json;
    expect(sip_password).toEqual(expect.any(String));
    const again = await ask('POST', '/v1/agent', { name: 'Once' }, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.status, again.json]).toEqual([201, record]);
    for (const name of ['etag', 'location', 'preference-applied'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
  });

  describe('an id of the client’s choice', () => {
    test.each(NEW.filter(([path]) => path !== '/v1/agent'))('names a new %s, once', async (path, body) => {
      const id = path === '/v1/team' ? 4711 : 'Chosen.by_me-1';
      const fresh = {
        '/v1/trunk': { name: 'T2' },
        '/v1/number': { number: '777' },
        '/v1/blocked_number': { number: '777' },
      };
      const more = (fresh as Json)[path] ?? {};
      const sent = (n: object) =>
        body instanceof FormData
          ? recordingForm({ name: 'R', id: String(id) })
          : { ...body, ...more, ...n, id };
      const made = await ask('POST', path, sent({}));
      expect(made.status, made.text).toBe(201);
      expect(made.headers.get('location')).toBe(`${path}/${id}`);
      expect((await ask('GET', `${path}/${id}`)).json).toMatchObject({ id });
      const other = {
        '/v1/trunk': { name: 'T3' },
        '/v1/number': { number: '778' },
        '/v1/blocked_number': { number: '778' },
      };
      const taken = await ask('POST', path, sent((other as Json)[path] ?? {}));
      expectFailure(taken, 'key_taken');
      expect(taken.json.Message).toContain(`has the id ${id} already`);
      // Changes have no say in it.
      expect((await ask('PATCH', `${path}/${id}`, { id: 'other' })).status).toBe(200);
      expect((await ask('GET', `${path}/${id}`)).json).toMatchObject({ id });
    });

    test('has the characters of an id, and is refused with all other faults', async () => {
      const refused = await ask('POST', '/v1/department', { id: 'a/b', agents: 7 });
      expectFailure(refused, 'fields_invalid');
      expect(refused.json.Errors.map((fault: Json) => fault.Pointer)).toEqual(['/id', '/name', '/agents']);
      for (const id of ['x'.repeat(65), 'ä', 'a b', -1, {}, []])
        expectFailure(await ask('POST', '/v1/team', { name: 'x', id }), 'fields_invalid');
      // Clients resolve dots in a path before they send it.
      for (const dots of ['.', '..', '...']) {
        expectFailure(await ask('POST', '/v1/department', { name: 'x', id: dots }), 'fields_invalid');
        expectFailure(await ask('POST', '/v1/agent', { name: 'x', eid: dots }), 'fields_invalid');
      }
      expect((await ask('POST', '/v1/department', { name: 'x', id: '..a' })).status).toBe(201);
      for (const id of [null, ''])
        expect((await ask('POST', '/v1/department', { name: 'x', id })).status).toBe(201);
    });

    test('goes to one of several requests at once', async () => {
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          ask('POST', '/v1/ivr', menu({ id: 'race', name: `n${index}` })),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    });
  });

  test('a number is found by the number, also with its plus; an id wins', async () => {
    const made = await ask('POST', '/v1/number', { number: '+4930200', destination: 'hangup||now' });
    const { id } = made.json;
    for (const name of ['+4930200', '4930200', '%2B4930200'])
      expect((await ask('GET', `/v1/number/${name}`)).json, name).toMatchObject({ id, number: '+4930200' });
    const patched = await ask('PATCH', '/v1/number/4930200', { description: 'd' }, WHOLE);
    expect(patched.json).toMatchObject({ id, description: 'd' });
    expect(
      (await ask('PUT', '/v1/number/+4930200', { number: '4930201', destination: 'hangup||now' })).status,
    ).toBe(200);
    expectFailure(await ask('GET', '/v1/number/4930200'), 'record_unknown');
    // An id that is another one's number means the record with the id.
    await ask('POST', '/v1/number', { id: '4930201', number: '300', destination: 'hangup||now' });
    expect((await ask('GET', '/v1/number/4930201')).json).toMatchObject({ id: '4930201', number: '300' });
    expect((await ask('DELETE', '/v1/number/4930201')).status).toBe(200);
    expect((await ask('GET', '/v1/number/4930201')).json).toMatchObject({ id });
    expect((await ask('DELETE', '/v1/number/+4930201')).status).toBe(200);
    expectFailure(await ask('GET', `/v1/number/${id}`), 'record_unknown');
    expectFailure(await ask('PATCH', '/v1/number/4930201', {}), 'record_unknown');
  });

  test('menus and trunks are found by a part of what they are called', async () => {
    await ask('POST', '/v1/ivr', menu({ name: 'Nightly', description: 'After hours' }));
    await ask('POST', '/v1/trunk', { name: 'Looked for', host: 'sip.found.example', username: 'me' });
    const names = async (path: string): Promise<string[]> =>
      (await ask('GET', path)).json.data.map(({ name }: Json) => name);
    expect(await names('/v1/ivrs?q=NIGHT')).toEqual(['Nightly']);
    expect(await names('/v1/ivrs?q=after%20h')).toEqual(['Nightly']);
    expect(await names('/v1/ivrs?q=nothing-like-it')).toEqual([]);
    expect(await names('/v1/trunks?q=found.example')).toEqual(['Looked for']);
    expect(await names('/v1/trunks?q=looked')).toEqual(['Looked for']);
    expectFailure(await ask('GET', '/v1/ivrs?q='), 'query_invalid');
  });
});
