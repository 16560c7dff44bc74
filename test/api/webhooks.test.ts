// Webhooks as records, their deliveries, and sending them again.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { isSigned, REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const GIVEN = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

onAnyDatabase((database) => {
  let service: Service;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ env: { ...(await database.environment()), ...REACHABLE } });
  });
  afterAll(async () => {
    await service?.remove();
    await receiver?.close();
  });
  afterEach(() => {
    receiver.answer = () => 204;
  });
  const ask = (method: string, path: string, body?: object, headers = {}) =>
    call(service.url, method, path, body === undefined ? { headers } : { body, headers });
  const make = async (more: object = {}): Promise<Json> => {
    const made = await ask('POST', '/v1/webhook', { name: 'Desk', url: `${receiver.url}/hook`, ...more });
    expect(made.status, made.text).toBe(201);
    return { ...made.json, path: made.headers.get('location') };
  };
  const ping = async (path: string): Promise<string> =>
    (await ask('POST', `${path}/test`)).json.delivery as string;
  const settled = async (path: string, delivery: string, state: string): Promise<Json> => {
    for (let attempt = 0; attempt < 300; attempt++) {
      const { json } = await ask('GET', `${path}/delivery/${delivery}`);
      if (json.state === state) return json;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The delivery is not ${state}.`);
  };

  test('a webhook is created, read, replaced, listed, found and deleted; its secret is shown once', async () => {
    const { id, path, secret, Message } = await make({ name: 'Our CRM' });
    expect(Message).toBe('Webhook created. Its secret is shown this once.');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await ask('GET', path);
    expect(read.json).toMatchObject({
      id,
      name: 'Our CRM',
      url: `${receiver.url}/hook`,
      events: ['*'],
      status: 'active',
      version: 1,
      warnings: [],
    });
    expect(read.text).not.toContain('secret');
    const changed = {
      name: 'Our CRM',
      url: 'https://crm.example.com/',
      events: ['call.ended', 'call.ended'],
    };
    expect((await ask('PUT', path, changed)).status).toBe(200);
    expect((await ask('GET', path)).json).toMatchObject({ events: ['call.ended'], version: 2, warnings: [] });
    const found = (await ask('GET', '/v1/webhooks?q=crm.example')).json.data;
    expect(found.map((one: Json) => one.id)).toEqual([id]);
    expect((await ask('DELETE', path)).status).toBe(200);
    expectFailure(await ask('GET', path), 'record_unknown');
    for (const sub of ['/test', '/secret']) expectFailure(await ask('POST', path + sub), 'record_unknown');
    expectFailure(await ask('GET', `${path}/deliveries`), 'record_unknown');
    expectFailure(await ask('POST', `${path}/replay`, { from: '2026-01-01T00:00:00Z' }), 'record_unknown');
  });

  test('the same Idempotency-Key makes one webhook, and does not show its secret again', async () => {
    const body = { name: 'Once', url: 'https://once.example.com/' };
    const headers = { 'idempotency-key': 'webhook once' };
    const first = await ask('POST', '/v1/webhook', body, headers);
    const second = await ask('POST', '/v1/webhook', body, headers);
    expect(second.json.id).toBe(first.json.id);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect([first.text.includes('whsec_'), second.text.includes('whsec_')]).toEqual([true, false]);
  });

  test.each([
    ['a private address', { url: 'http://10.0.0.1/' }, '/url', 'url_refused'],
    ['metadata of a cloud', { url: 'http://[::ffff:169.254.169.254]/' }, '/url', 'url_refused'],
    ['another scheme', { url: 'file:///etc/passwd' }, '/url', 'url_refused'],
    ['a password in the URL', { url: 'https://a:b@hooks.example.com/' }, '/url', 'url_refused'],
    ['no URL', { url: 'nowhere' }, '/url', 'url_refused'],
    ['an unknown event', { events: ['call.exploded'] }, '/events/0', 'value_not_allowed'],
    ['an unknown status', { status: 'asleep' }, '/status', 'value_not_allowed'],
    ['a short secret', { secret: 'whsec_c2hvcnQ=' }, '/secret', 'text_malformed'],
  ])('%s is refused', async (_, more, pointer, code) => {
    const reply = await ask('POST', '/v1/webhook', { name: 'x', url: 'https://hooks.example.com/', ...more });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors).toMatchObject([{ Pointer: pointer, Code: code }]);
    expect(reply.text).not.toContain('c2hvcnQ');
  });

  test('a ping arrives signed, and its delivery shows what was sent and answered', async () => {
    const { path, id, secret } = await make();
    const delivery = await ping(path);
    const [arrived] = await receiver.until(1, ({ event }) => event.data.webhook?.id === id);
    if (!arrived) return;
    expect(isSigned(arrived, secret)).toBe(true);
    expect(isSigned(arrived, GIVEN)).toBe(false);
    expect(arrived.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-dialtree-event': 'webhook.ping',
      'webhook-id': arrived.event.id,
    });
    const done = await settled(path, delivery, 'done');
    expect(done).toMatchObject({ attempts: 1, last_status: 204, error: null, event_id: arrived.event.id });
    expect(done.body).toEqual(arrived.event);
    const { data } = (await ask('GET', `${path}/deliveries`)).json;
    expect(data).toMatchObject([{ id: delivery, type: 'webhook.ping', state: 'done' }]);
  });

  test('a given secret signs; after a renewal both sign, and the new one is shown once', async () => {
    const { path, id, secret } = await make({ secret: GIVEN });
    expect(secret).toBeUndefined();
    const renewed = await ask('POST', `${path}/secret`);
    expect(renewed.status, renewed.text).toBe(200);
    await ping(path);
    const [arrived] = await receiver.until(1, ({ event }) => event.data.webhook?.id === id);
    if (!arrived) return;
    expect([isSigned(arrived, GIVEN), isSigned(arrived, renewed.json.secret)]).toEqual([true, true]);
  });

  test('a failed delivery is tried again with the same id, and sent again when asked', async () => {
    const { path, id } = await make();
    let failures = 0;
    receiver.answer = () => (++failures === 1 ? 500 : 200);
    const delivery = await ping(path);
    const mine = ({ event }: { event: Json }) => event.data.webhook?.id === id;
    const [first, second] = await receiver.until(2, mine);
    expect(first?.event.id).toBe(second?.event.id);
    expect(await settled(path, delivery, 'done')).toMatchObject({ attempts: 2, last_status: 200 });
    const again = await ask('POST', `${path}/replay`, { delivery });
    expect(again.json).toMatchObject({ replayed: 1, Message: '1 delivery is sent again.' });
    const [, , third] = await receiver.until(3, mine);
    expect(third?.text).toBe(first?.text);
    await settled(path, delivery, 'done');
    const from = new Date(Date.now() - 60_000).toISOString();
    expect((await ask('POST', `${path}/replay`, { from })).json).toMatchObject({
      replayed: 1,
      earliest: null,
    });
    await receiver.until(4, mine);
    const longAgo = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' };
    expect((await ask('POST', `${path}/replay`, longAgo)).json.replayed).toBe(0);
    expectFailure(await ask('POST', `${path}/replay`, { delivery: 'unknown' }), 'record_unknown');
    for (const body of [{}, { from: 'soon' }, { from: longAgo.to, to: longAgo.from }])
      expectFailure(await ask('POST', `${path}/replay`, body), 'fields_invalid');
  });

  test('410 gives a delivery up; deliveries are listed in pages and by state', async () => {
    const { path } = await make();
    receiver.answer = () => 410;
    const dead = [await ping(path), await ping(path), await ping(path)];
    for (const one of dead) await settled(path, one, 'dead');
    const { json, headers } = await ask('GET', `${path}/deliveries?state=dead&limit=2`);
    expect(json.data.map((one: Json) => one.id)).toEqual([dead[2], dead[1]]);
    expect(json.data[0]).toMatchObject({ last_status: 410, error: 'HTTP 410' });
    const next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect((await ask('GET', next)).json.data.map((one: Json) => one.id)).toEqual([dead[0]]);
    expect((await ask('GET', `${path}/deliveries?state=done`)).json.data).toEqual([]);
    expectFailure(await ask('GET', `${path}/deliveries?state=lost`), 'query_invalid');
  });

  test('an option names a webhook: a missing one is warned about, and one that is named stays', async () => {
    const { id, path } = await make({ name: 'Of an option' });
    const made = await ask('POST', '/v1/ivr', menu({ option: ['1', '2'], webhook: [id, ''] }));
    expect(made.status, made.text).toBe(201);
    const ivr = made.headers.get('location') ?? '';
    expect((await ask('GET', ivr)).json.webhook).toEqual([`webhook||${id}`, null]);
    const refused = await ask('DELETE', path);
    expectFailure(refused, 'still_referenced');
    expect(refused.json.ReferencedBy).toMatchObject([{ kind: 'ivr' }]);
    expect((await ask('DELETE', `${path}?force=true`)).status).toBe(200);
    const { warnings } = (await ask('GET', ivr)).json;
    expect(warnings.map((one: Json) => [one.code, one.pointer])).toContainEqual([
      'webhook-missing',
      '/webhook/0',
    ]);
    const all = (await ask('GET', '/v1/lint')).json.data.map((one: Json) => one.code);
    expect(all).toContain('webhook-missing');
    await ask('PATCH', '/v1/settings', { strict_references: true });
    const strict = await ask('PUT', ivr, menu({ webhook: ['gone'] }));
    await ask('PATCH', '/v1/settings', { strict_references: false });
    expectFailure(strict, 'fields_invalid');
    expect(strict.json.Errors).toContainEqual(
      expect.objectContaining({ Pointer: '/webhook/0', Code: 'reference_unknown' }),
    );
  });
});
