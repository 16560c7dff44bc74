// SMS templates and messages: made, used by menus, sent by request, and what becomes of them over an HTTP gateway.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const SECRET = 'a-secret-of-the-gateway';
const TO = '+4915112345678';

interface Taken {
  readonly key: string;
  readonly authorization: string;
  readonly body: Json;
}

onAnyDatabase((database) => {
  let service: Service;
  let gateway: Server;
  const taken: Taken[] = [];
  /** What the gateway answers next; then 200 again. */
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  beforeAll(async () => {
    gateway = createServer(async (request, response) => {
      const body = JSON.parse(await textOf(request));
      const { 'idempotency-key': key = '', authorization = '' } = request.headers;
      const { status, headers = {} } = answers.shift() ?? { status: 200 };
      taken.push({ key: String(key), authorization, body });
      response
        .writeHead(status, headers)
        .end(status === 200 ? JSON.stringify({ id: `gw-${body.id}` }) : 'no');
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { port } = gateway.address() as AddressInfo;
    service = await startService({
      env: {
        ...(await database.environment()),
        SMS_URL: `http://:${SECRET}@127.0.0.1:${port}/send`,
        SMS_SENDER: 'Dialtree',
        SMS_PER_MINUTE: '100000',
      },
    });
  });
  afterAll(async () => {
    await service?.remove();
    gateway?.close();
  });
  const ask = (method: string, path: string, body?: object, headers = {}) =>
    call(service.url, method, path, { headers, ...(body === undefined ? {} : { body }) });
  const create = async (path: string, body: object): Promise<string> => {
    const made = await ask('POST', path, body);
    expect(made.status, made.text).toBe(201);
    return made.json.id;
  };
  const settled = (id: string, state: string) =>
    vi.waitFor(
      async () => {
        const { json } = await ask('GET', `/v1/sms/${id}`);
        expect(json.state, JSON.stringify(json)).toBe(state);
        return json;
      },
      { interval: 20 },
    );

  test('a template is created, read, replaced, listed, searched and deleted', async () => {
    const made = await ask('POST', '/v1/sms_template', {
      name: 'Hours',
      text: 'Dear {name}, call {dialled}.',
    });
    expect(made.json).toMatchObject({ Success: true, Message: 'SMS template created.' });
    const path = made.headers.get('location') ?? '';
    expect(path).toBe(`/v1/sms_template/${made.json.id}`);
    expect((await ask('GET', path)).json).toMatchObject({
      kind: 'transactional',
      status: 'active',
      version: 1,
    });
    const changed = { name: 'Hours', text: 'A sale!', kind: 'promotional', status: 'inactive' };
    expect((await ask('PUT', path, changed)).status).toBe(200);
    expect((await ask('GET', path)).json).toMatchObject({ ...changed, version: 2 });
    await create('/v1/sms_template', { name: 'Other', text: 'x' });
    const found = await ask('GET', '/v1/sms_templates?q=sale');
    expect(found.json.data.map(({ id }: Json) => id)).toEqual([made.json.id]);
    expect((await ask('DELETE', path)).status).toBe(200);
    expectFailure(await ask('GET', path), 'record_unknown');
  });

  test.each<[string, object, string, string]>([
    ['what is no name of a variable', { text: 'Hi {Who}' }, '/text', 'sms_variable_unknown'],
    ['a text that is too long', { text: `${'ж'.repeat(671)}` }, '/text', 'sms_too_long'],
    ['no text', { text: ' ' }, '/text', 'text_empty'],
    ['an unknown kind', { text: 'x', kind: 'spam' }, '/kind', 'value_not_allowed'],
    ['an unknown status', { text: 'x', status: 'on' }, '/status', 'value_not_allowed'],
  ])('a template with %s is refused', async (_, body, pointer, code) => {
    const reply = await ask('POST', '/v1/sms_template', { name: 'x', ...body });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors).toMatchObject([{ Pointer: pointer, Code: code }]);
  });

  test('a template that a menu uses is not deleted, whatever else the menu holds', async () => {
    const used = await create('/v1/sms_template', { name: 'Used', text: 'x' });
    const unused = await create('/v1/sms_template', { name: 'Unused', text: 'x' });
    const named = await ask('POST', '/v1/ivr', menu({ name: unused, sms_template: [null, used] }));
    expect(named.status).toBe(201);
    const refused = await ask('DELETE', `/v1/sms_template/${used}`);
    expectFailure(refused, 'still_referenced');
    expect(refused.json.ReferencedBy).toMatchObject([{ kind: 'ivr', name: unused }]);
    // A menu of that name is no use of it.
    expect((await ask('DELETE', `/v1/sms_template/${unused}`)).status).toBe(200);
    expect((await ask('DELETE', `/v1/sms_template/${used}?force=true`)).status).toBe(200);
  });

  test('a menu is warned of templates that are missing or inactive, once the account sends SMS', async () => {
    const inactive = await create('/v1/sms_template', { name: 'x', text: 'x', status: 'inactive' });
    const body = menu({ sms_template: ['gone', inactive] });
    const codes = async () => {
      const made = await ask('POST', '/v1/ivr', body);
      const { json } = await ask('GET', made.headers.get('location') ?? '');
      return json.warnings
        .map(({ code, pointer }: Json) => `${pointer} ${code}`)
        .filter((one: string) => /sms/.test(one));
    };
    expect(await codes()).toEqual([]);
    await ask('PATCH', '/v1/settings', { sms_templates: true });
    expect(await codes()).toEqual([
      '/sms_template/0 sms-template-missing',
      '/sms_template/1 sms-template-inactive',
    ]);
    await ask('PATCH', '/v1/settings', { strict_references: true });
    const strict = await ask('POST', '/v1/ivr', body);
    expectFailure(strict, 'fields_invalid');
    expect(strict.json.Errors).toContainEqual(
      expect.objectContaining({ Pointer: '/sms_template/0', Code: 'reference_unknown' }),
    );
    await ask('PATCH', '/v1/settings', { sms_templates: false, strict_references: false });
  });

  test('a text goes to the gateway with its id, the secret and the sender, and its delivery is reported', async () => {
    const id = await create('/v1/sms', { to: TO, text: 'Ünïcode €' });
    const sent = await settled(id, 'sent');
    expect(sent).toMatchObject({ to: TO, parts: 1, template: null, call_id: null, error: null });
    expect(sent.gateway_ids).toEqual([`gw-${id}`]);
    const [request] = taken.filter(({ key }) => key === id);
    expect(request).toEqual({
      key: id,
      authorization: `Bearer ${SECRET}`,
      body: { id, to: TO, from: 'Dialtree', text: 'Ünïcode €', kind: 'transactional' },
    });
    const told = await ask('POST', `/v1/sms/${id}/delivery`, { state: 'failed', error: 'absent' });
    expect(told.status, told.text).toBe(200);
    expect(await settled(id, 'failed')).toMatchObject({ error: 'absent' });
  });

  test('a template is filled in; one that is missing, inactive or too long is refused', async () => {
    const template = await create('/v1/sms_template', {
      name: 'x',
      text: 'Dear {name}, {option}{agent}: {page}{not a variable}',
      kind: 'promotional',
    });
    const page = `https://www.example.com/?${'x'.repeat(200)}`;
    const variables = { name: 'Asha', option: '1', page };
    const id = await create('/v1/sms', { to: TO, template, variables });
    const text = `Dear Asha, 1: ${page}{not a variable}`;
    expect(await settled(id, 'sent')).toMatchObject({ text, template });
    expect(taken.find(({ key }) => key === id)?.body.kind).toBe('promotional');
    const codes = async (body: object) =>
      (await ask('POST', '/v1/sms', { to: TO, ...body })).json.Errors.map(
        ({ Pointer, Code }: Json) => `${Pointer} ${Code}`,
      );
    expect(await codes({ template: 'none' })).toEqual(['/template sms_template_unusable']);
    expect(await codes({})).toEqual(['/text field_missing']);
    expect(await codes({ text: 'x', template })).toEqual(['/template value_not_allowed']);
    expect(await codes({ template, variables: { who: 'x' } })).toEqual(['/variables/who unknown_member']);
    expect(await codes({ template, variables: [] })).toEqual(['/variables value_not_allowed']);
    expect(await codes({ to: '1001', text: 'x' })).toEqual(['/to text_malformed']);
    await ask('PUT', `/v1/sms_template/${template}`, { name: 'x', text: 'x', status: 'inactive' });
    expect(await codes({ template })).toEqual(['/template sms_template_unusable']);
  });

  test('the same Idempotency-Key sends once', async () => {
    const body = { to: TO, text: 'Only once' };
    const key = { 'idempotency-key': 'sms-1' };
    const first = await ask('POST', '/v1/sms', body, key);
    const second = await ask('POST', '/v1/sms', body, key);
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    await settled(first.json.id, 'sent');
    const { json } = await ask('GET', '/v1/sms?limit=500');
    expect(json.data.filter(({ text }: Json) => text === 'Only once')).toHaveLength(1);
    expectFailure(await ask('POST', '/v1/sms', { ...body, text: 'x' }, key), 'idempotency_key_reused');
  });

  test('a gateway that is busy is asked again with the same id, one that refuses is not', async () => {
    answers.push({ status: 503 }, { status: 429, headers: { 'retry-after': '1' } });
    const id = await create('/v1/sms', { to: TO, text: 'patience' });
    await settled(id, 'sent');
    expect(taken.filter(({ key }) => key === id)).toHaveLength(3);
    answers.push({ status: 422 });
    const refused = await create('/v1/sms', { to: TO, text: 'no' });
    expect(await settled(refused, 'failed')).toMatchObject({ error: 'The gateway answered 422.' });
    expect(taken.filter(({ key }) => key === refused)).toHaveLength(1);
    const { text } = await call(service.url, 'GET', '/metrics');
    expect(text).toMatch(/^dialtree_sms_total\{outcome="failed"\} 1$/m);
    expect(text).toMatch(/^dialtree_outbox_jobs\{lane="sms",state="dead"\} 1$/m);
  });

  test('the list is newest first, in pages, by state, recipient and time', async () => {
    const before = new Date().toISOString();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++)
      ids.unshift(await create('/v1/sms', { to: '+4915100000000', text: `${index}` }));
    const list = async (query: string) =>
      (await ask('GET', `/v1/sms?${query}`)).json.data.map(({ id }: Json) => id);
    expect(await list('to=%2B4915100000000')).toEqual(ids);
    const page = await ask('GET', '/v1/sms?to=%2B4915100000000&limit=2');
    expect(await list(`to=%2B4915100000000&limit=2&cursor=${page.json.next_cursor}`)).toEqual([ids[2]]);
    expect(await list(`from=${before}&until=2999-01-01T00:00Z`)).toEqual(ids);
    expect(await list(`until=${before}&to=%2B4915100000000`)).toEqual([]);
    await settled(ids[0] ?? '', 'sent');
    expect(await list('state=queued&call_id=none')).toEqual([]);
    expectFailure(await ask('GET', '/v1/sms?state=lost'), 'query_invalid');
    expectFailure(await ask('GET', '/v1/sms?from=yesterday'), 'query_invalid');
    expectFailure(await ask('GET', '/v1/sms/unknown'), 'record_unknown');
    expectFailure(await ask('POST', '/v1/sms/unknown/delivery', { state: 'delivered' }), 'record_unknown');
  });

  test('the secret of the gateway is in no log', () => {
    expect(service.log.length).toBeGreaterThan(1);
    expect([...service.log, ...service.said].join()).not.toContain(SECRET);
  });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += piece;
  return text;
}
