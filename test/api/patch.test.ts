// PATCH (RFC 7396) and PUT: what each changes of a record, and what it leaves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, type Json, type SharedService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

onAnyDatabase((database) => {
  let service: SharedService;
  beforeAll(async () => {
    service = await database.service();
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(service.url, method, path, { headers, ...(body === undefined ? {} : { body }) });
  const read = async (path: string): Promise<Json> => (await ask('GET', path)).json;
  const create = async (path: string, body: object): Promise<string> => {
    const made = await ask('POST', path, body);
    expect(made.status, made.text).toBe(201);
    return made.headers.get('location') ?? '';
  };
  const patch = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const reply = await ask('PATCH', path, body, headers);
    expect(reply.status, reply.text).toBe(200);
    return reply;
  };
  const without = ({ version: _, updated_at: __, ...rest }: Json): Json => rest;

  test.each<[string, object, object]>([
    ['/v1/team', { name: 'Before' }, { name: 'After' }],
    ['/v1/department', { name: 'D', agents: ['1'], queue: true, max_waiting: 7 }, { description: 'new' }],
    ['/v1/number', { number: '5551', destination: 'hangup||now', description: 'd' }, { number: '5552' }],
    [
      '/v1/timegroup',
      { name: 'T', timezone: 'UTC', weekly: [{ days: ['mon'], from: '09:00', to: '12:00' }] },
      { name: 'U' },
    ],
    [
      '/v1/announcement',
      { name: 'A', recording: 'welcome', destination: 'hangup||now' },
      { recording: 'recording||other' },
    ],
    ['/v1/voicemail_box', { name: 'V', max_seconds: 30, email: 'a@example.com' }, { email: 'b@example.com' }],
    ['/v1/blocked_number', { number: '+4930*', reason: 'why' }, { reason: 'because' }],
    ['/v1/caller_id_rule', { name: 'R', show: 'withhold', prefix: '+44' }, { priority: 5 }],
    ['/v1/sms_template', { name: 'S', text: 'Hello', status: 'inactive' }, { text: 'Bye' }],
    [
      '/v1/webhook',
      { name: 'W', url: 'https://hooks.example.com/', events: ['call.ended'] },
      { status: 'paused' },
    ],
    [
      '/v1/trunk',
      { name: 'Patched', host: '192.0.2.77', username: 'u', password: 'p', max_calls: 3 },
      { max_calls: 4 },
    ],
    ['/v1/agent', { name: 'Ann', intercom: '7001', record_calls: true }, { name: 'Anna' }],
    ['/v1/ivr', menu({ sms_template: ['7'], sensitive: true }), { timeout: 9 }],
  ])('PATCH of %s changes what it names and leaves the rest', async (path, body, change) => {
    const one = await create(path, body);
    const before = await read(one);
    const reply = await patch(one, change, MERGE);
    const after = await read(one);
    expect(without(after)).toEqual({ ...without(before), ...change });
    expect(after.version).toBe(2);
    expect(reply.headers.get('etag')).toBe('"2"');
    // As plain JSON, and with nothing to change.
    await patch(one, {});
    expect(without(await read(one))).toEqual(without(after));
    // What was read can be sent back.
    const put = await ask('PUT', one, after);
    expect(put.status, put.text).toBe(200);
    expect(without(await read(one))).toEqual(without(after));
  });

  test('addresses that are the host of a trunk follow it: the former host is not trusted any more (T38)', async () => {
    const trunk = (name: string, n: number) =>
      create('/v1/trunk', { name: `Follows ${name}`, host: `198.51.100.${n}` });
    const addresses = async (path: string) => (await read(path)).addresses;
    const [patched, put, named] = [await trunk('PATCH', 1), await trunk('PUT', 2), await trunk('name', 3)];
    const reply = await patch(patched, { host: '198.51.100.11' });
    expect(await addresses(patched)).toEqual(['198.51.100.11']);
    expect(reply.json.Message).toContain('calls from 198.51.100.1 are taken no longer');
    const sent = { ...(await read(put)), host: '198.51.100.12' };
    // Once more, as a client does that did not get the answer.
    for (const _ of [1, 2, 3]) {
      expect((await ask('PUT', put, sent)).status).toBe(200);
      expect(await addresses(put)).toEqual(['198.51.100.12']);
    }
    expect(Object.keys(await read(put))).not.toContain('host_before');
    await patch(put, { addresses: ['198.51.100.2'] });
    expect(await addresses(put)).toEqual(['198.51.100.2']);
    await patch(named, { host: 'sip.example.com' });
    expect(await addresses(named)).toEqual([]);
    // A name has no address of its own, and a trunk that only dials out keeps its empty list.
    await patch(named, { host: '198.51.100.13' });
    expect(await addresses(named)).toEqual([]);
    // What the client names or chose itself stays.
    await patch(patched, { host: '198.51.100.21', addresses: ['198.51.100.11'] });
    expect(await addresses(patched)).toEqual(['198.51.100.11']);
    await patch(patched, { host: '198.51.100.22' });
    expect(await addresses(patched)).toEqual(['198.51.100.11']);
  });

  test('null gives a member its default, and a required one is missing then', async () => {
    const one = await create('/v1/department', {
      name: 'D',
      description: 'x',
      agents: ['1', '2'],
      exit_key: '0',
    });
    await patch(one, { description: null, agents: null, exit_key: null });
    expect(await read(one)).toMatchObject({ name: 'D', description: '', agents: [], exit_key: null });
    const refused = await ask('PATCH', one, { name: null });
    expectFailure(refused, 'fields_invalid');
    expect(refused.json.Errors).toMatchObject([{ Pointer: '/name', Code: 'field_missing' }]);
  });

  test('secrets that no reader sees survive; null removes a password, and no secret', async () => {
    const trunk = await create('/v1/trunk', { name: 'Secret', host: '192.0.2.60', password: 'hidden' });
    await patch(trunk, { max_calls: 2 });
    expect(await read(trunk)).toMatchObject({ has_password: true, max_calls: 2 });
    await patch(trunk, { password: null });
    expect(await read(trunk)).toMatchObject({ has_password: false, max_calls: 2 });
    await patch(trunk, { password: 'again' });
    expect(await read(trunk)).toMatchObject({ has_password: true });
    const hook = await create('/v1/webhook', { name: 'W', url: 'https://hooks.example.com/' });
    await patch(hook, { status: 'paused' });
    expect((await read(hook)).warnings).toEqual([]);
    expectFailure(await ask('PATCH', hook, { secret: null }), 'fields_invalid');
  });

  test('an agent is sent back as it was read, with no follow-me number too', async () => {
    const one = await create('/v1/agent', { name: 'Plain' });
    const before = await read(one);
    expect(before.follow_me_number).toBe('');
    const put = await ask('PUT', one, before);
    expect(put.status, put.text).toBe(200);
    expect(put.json).not.toHaveProperty('sip_password');
    expect(without(await read(one))).toEqual(without(before));
    const moved = await patch(one, { intercom: '7777', follow_me_number: '+49301234' });
    expect(moved.json.sip_password).toEqual(expect.any(String));
    await patch(one, { follow_me_number: null });
    expect(await read(one)).toMatchObject({ intercom: '7777', follow_me_number: '', eid: before.eid });
  });

  test('references are merged as lists: they are replaced as a whole', async () => {
    const one = await create('/v1/ivr', menu());
    const refused = await ask('PATCH', one, { option: ['1', '2', '3'] });
    expect(refused.json.Errors).toMatchObject([{ Code: 'destination_count_differs' }]);
    await patch(one, { option: ['3'], destination: ['hangup||now'] });
    expect(await read(one)).toMatchObject({ option: ['3'], destination: ['hangup||now'], timeout: 5 });
  });

  describe('If-Match', () => {
    test('is held against the version; without it changes at once are all made', async () => {
      const one = await create('/v1/department', { name: 'D' });
      const etag = (await ask('GET', one)).headers.get('etag') ?? '';
      await patch(one, { name: 'E' }, { 'if-match': etag });
      const lost = await ask('PATCH', one, { name: 'F' }, { 'if-match': etag });
      expectFailure(lost, 'version_changed');
      expect(lost.headers.get('etag')).toBe('"2"');
      expectFailure(await ask('PATCH', one, { name: 'F' }, { 'if-match': 'x' }), 'if_match_malformed');
      const changes = [
        { description: 'd' },
        { queue: true },
        { max_waiting: 3 },
        { exit_key: '0' },
        { ring_seconds: 7 },
      ];
      const replies = await Promise.all(changes.map((change) => ask('PATCH', one, change)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(await read(one)).toMatchObject({ name: 'E', ...Object.assign({}, ...changes), version: 7 });
    });

    test('of agents too', async () => {
      const one = await create('/v1/agent', { name: 'Ann' });
      const changes = [
        { name: 'Bea' },
        { record_calls: true },
        { sip_sha256: true },
        { product_clicktocall: 1 },
      ];
      const replies = await Promise.all(changes.map((change) => ask('PATCH', one, change)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await read(one)).toMatchObject({ ...Object.assign({}, ...changes), version: 5 });
    });
  });

  test('what refuses a PUT refuses a PATCH: strict references, tests, taken keys, other records, the audit has it', async () => {
    const tests = [{ name: 'hangs up', script: '1', expect: { visited: ['hangup||now'] } }];
    const ivr = await create('/v1/ivr?skip_tests=true', menu({ tests }));
    const failed = await ask('PATCH', ivr, { timeout: 7 });
    expectFailure(failed, 'tests_failed');
    await patch(`${ivr}?skip_tests=true`, { timeout: 7 });
    const entry = (await read('/v1/audit?limit=1')).data[0];
    expect(entry).toMatchObject({
      action: 'update',
      kind: 'ivr',
      record_id: ivr.split('/').at(-1),
      version: 2,
    });
    await patch('/v1/settings', { strict_references: true });
    const strict = await ask('PATCH', `${ivr}?skip_tests=true`, { timeout: 8 });
    await patch('/v1/settings', { strict_references: null });
    expect(strict.json.Errors?.[0]).toMatchObject({ Code: 'reference_unknown' });
    await create('/v1/number', { number: '6001', destination: 'hangup||now' });
    const number = await create('/v1/number', { number: '6002', destination: 'hangup||now' });
    expectFailure(await ask('PATCH', number, { number: '6001' }), 'key_taken');
    expectFailure(await ask('PATCH', '/v1/number/none', {}), 'record_unknown');
  });

  describe('PUT and PATCH of recordings', () => {
    test('PUT replaces name and description; the sound stays unless another is sent', async () => {
      const one = await create('/v1/recording', recordingForm({ name: 'First', description: 'gone soon' }));
      const { sha256 } = await read(one);
      const put = await ask('PUT', one, { name: 'Second' });
      expect(put.status, put.text).toBe(200);
      expect(await read(one)).toMatchObject({ name: 'Second', description: '', sha256, source: 'file' });
      const before = await read(one);
      expect((await ask('PUT', one, before)).status).toBe(200);
      expect(without(await read(one))).toEqual(without(before));
      const missing = await ask('PUT', one, { description: 'x' });
      expect(missing.json.Errors).toMatchObject([{ Pointer: '/name', Code: 'field_missing' }]);
    });

    test('PATCH changes what is sent, as JSON or as a form', async () => {
      const one = await create('/v1/recording', recordingForm({ name: 'First', description: 'kept' }));
      const before = await read(one);
      await patch(one, { name: 'Second' });
      expect(without(await read(one))).toEqual({ ...without(before), name: 'Second' });
      await patch(one, recordingForm({}));
      expect(await read(one)).toMatchObject({ name: 'Second', description: 'kept', version: 3 });
      await patch(one, { description: null });
      expect(await read(one)).toMatchObject({ name: 'Second', description: '' });
      const voice = await ask('PATCH', one, { voice: 'de' });
      expect(voice.json.Errors).toMatchObject([{ Pointer: '/voice', Code: 'value_not_allowed' }]);
      const replies = await Promise.all([
        ask('PATCH', one, { name: 'n' }),
        ask('PATCH', one, { description: 'd' }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await read(one)).toMatchObject({ name: 'n', description: 'd' });
    });
  });

  describe('PUT and PATCH of settings', () => {
    test('PUT replaces: a setting that is not sent has its default; PATCH leaves it', async () => {
      await patch('/v1/settings', { ring_seconds: 40, sms_templates: true });
      await patch('/v1/settings', { sms_templates: false });
      expect(await read('/v1/settings')).toMatchObject({ ring_seconds: 40, sms_templates: false });
      await ask('PUT', '/v1/settings', { sms_templates: true });
      expect(await read('/v1/settings')).toMatchObject({ ring_seconds: 25, sms_templates: true });
      const all = await read('/v1/settings');
      expect((await ask('PUT', '/v1/settings', all)).status).toBe(200);
      expect(await read('/v1/settings')).toEqual(all);
      await patch('/v1/settings', { sms_templates: null });
      expect(await read('/v1/settings')).toEqual({ ...all, sms_templates: false });
    });

    test('have an ETag, which If-Match is held against', async () => {
      const etag = (await ask('GET', '/v1/settings')).headers.get('etag') ?? '';
      expect((await ask('GET', '/v1/settings', undefined, { 'if-none-match': etag })).status).toBe(304);
      const first = await patch('/v1/settings', { ring_seconds: 31 }, { 'if-match': etag });
      const lost = await ask('PUT', '/v1/settings', {}, { 'if-match': etag });
      expectFailure(lost, 'version_changed');
      expect(lost.headers.get('etag')).toBe(first.headers.get('etag'));
      expect((await ask('GET', '/v1/settings')).headers.get('etag')).toBe(first.headers.get('etag'));
      await patch('/v1/settings', { ring_seconds: null }, { 'if-match': '*' });
      expectFailure(await ask('PATCH', '/v1/settings', {}, { 'if-match': 'x' }), 'if_match_malformed');
    });
  });

  test('the content type, the form of the body and the methods of the path are those of the RFCs', async () => {
    const one = await create('/v1/team', { name: 'Types' });
    const text = await ask('PATCH', one, '{}', { 'content-type': 'text/plain' });
    expectFailure(text, 'content_type_unsupported');
    expect(text.headers.get('accept-patch')).toBe('application/merge-patch+json, application/json');
    expectFailure(await ask('PATCH', one, recordingForm({})), 'content_type_unsupported');
    expectFailure(await ask('PUT', one, '{"name":"x"}', MERGE), 'content_type_unsupported');
    expectFailure(await ask('PATCH', one, '[]', MERGE), 'body_not_object');
    expectFailure(
      await ask('PATCH', one, `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, MERGE),
      'body_too_deep',
    );
    expectFailure(
      await ask('PATCH', one, JSON.stringify({ name: 'x'.repeat(300_000) }), MERGE),
      'body_too_large',
    );
    const allow = (await ask('OPTIONS', one)).headers.get('allow');
    expect(allow).toBe('DELETE, GET, HEAD, PATCH, PUT');
    expectFailure(await ask('PATCH', '/v1/teams', {}), 'method_not_allowed');
    expectFailure(
      await ask('PATCH', one, '{"__proto__":{"name":"x"},"constructor":null}', MERGE),
      'fields_invalid',
    );
    expect(await read(one)).toMatchObject({ name: 'Types' });
  });

  test('a record does not grow by parts beyond what one body may hold', async () => {
    // A key of one step may be any text: some 250 KiB in all.
    const visited = Array.from({ length: 250 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    const tests = [{ name: 'large', script: '1', expect: { visited } }];
    const one = await create('/v1/ivr?skip_tests=true', menu({ tests }));
    const grown = await ask('PATCH', `${one}?skip_tests=true`, { description: '\u{1f4de}'.repeat(1000) });
    const again = await ask('PATCH', `${one}?skip_tests=true`, {
      tests: [{ ...tests[0], name: 'larger', expect: { visited: [...visited, 'y'.repeat(8_000)] } }],
    });
    expect(grown.status, grown.text).toBe(200);
    expectFailure(again, 'body_too_large');
  });
});
