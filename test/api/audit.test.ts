// Who changed what: every change by HTTP or by the command line leaves an entry, in the transaction of the change.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, runDialtree, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

onAnyDatabase((database) => {
  let service: Service;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    env = await database.environment();
    service = await startService({ env });
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: object, headers = {}) =>
    call(service.url, method, path, { headers, ...(body === undefined ? {} : { body }) });
  const audit = async (query = ''): Promise<Json[]> => (await ask('GET', `/v1/audit${query}`)).json.data;

  test('a record that is made, changed and deleted leaves three entries, newest first', async () => {
    const made = await ask('POST', '/v1/ivr', menu(), { 'x-request-id': 'the-first' });
    const path = made.headers.get('location') ?? '';
    const id = path.split('/').at(-1);
    await ask('PUT', path, menu({ name: 'Changed' }));
    await ask('DELETE', path);
    const entries = await audit(`?kind=ivr&record_id=${id}`);
    expect(entries.map(({ action, version }) => [action, version])).toEqual([
      ['delete', null],
      ['update', 2],
      ['create', 1],
    ]);
    expect(entries.map(({ record_name }) => record_name)).toEqual(['Changed', 'Changed', menu()['name']]);
    expect(entries[2]).toMatchObject({
      kind: 'ivr',
      record_id: id,
      request_id: 'the-first',
      actor_name: 'ACCESS_TOKEN',
    });
  });

  test('what is refused or not changed leaves none', async () => {
    const before = (await audit('?limit=500')).length;
    await ask('POST', '/v1/ivr', {});
    await ask('PUT', '/v1/team/999', { name: 'x' });
    await ask('DELETE', '/v1/ivr/none');
    await ask('POST', '/v1/agent', { name: 'x', eid: 'audited' });
    await ask('POST', '/v1/agent', { name: 'x', eid: 'audited' });
    const after = await audit('?limit=500');
    expect(after).toHaveLength(before + 1);
    expect(after[0]).toMatchObject({ action: 'create', kind: 'agent' });
  });

  test('a repeated creation leaves one', async () => {
    const key = { 'idempotency-key': 'audited once' };
    const first = await ask('POST', '/v1/department', { name: 'Once' }, key);
    await ask('POST', '/v1/department', { name: 'Once' }, key);
    expect(await audit(`?record_id=${first.json.id}`)).toHaveLength(1);
  });

  test('settings and tokens are in it, and never a secret', async () => {
    await ask('PATCH', '/v1/settings', { ring_seconds: 30 });
    const made = await ask('POST', '/v1/token', { name: 'audited' });
    await ask('DELETE', `/v1/token/${made.json.id}`);
    const entries = await audit();
    expect(entries.slice(0, 3).map(({ action, kind, record_id }) => [action, kind, record_id])).toEqual([
      ['delete', 'token', made.json.id],
      ['create', 'token', made.json.id],
      ['update', 'settings', ''],
    ]);
    expect(JSON.stringify(entries)).not.toContain(made.json.token);
  });

  test('what is sent, and what is deleted for good, is in it too', async () => {
    const sms = await ask('POST', '/v1/sms', { to: '+4915112345678', text: 'Hello' });
    expect(sms.status, sms.text).toBe(201);
    const hook = await ask('POST', '/v1/webhook', { name: 'x', url: 'https://hook.example.com/' });
    await ask('POST', `/v1/webhook/${hook.json.id}/test`);
    await ask('POST', `/v1/webhook/${hook.json.id}/replay`, { from: '2026-01-01T00:00:00Z' });
    const entries = await audit('?limit=4');
    expect(entries.map(({ action, kind, record_id }) => [action, kind, record_id])).toEqual([
      ['replay', 'webhook', hook.json.id],
      ['test', 'webhook', hook.json.id],
      ['create', 'webhook', hook.json.id],
      ['create', 'sms', sms.json.id],
    ]);
  });

  test('the command line is named too', async () => {
    const made = await runDialtree(['token', 'create', '--name', 'by hand'], { env });
    expect(made.code, made.err).toBe(0);
    expect((await audit('?kind=token&limit=1'))[0]).toMatchObject({
      action: 'create',
      actor_id: 'command line',
    });
  });

  test('pages follow each other without gaps, and times filter', async () => {
    const all = await audit('?limit=500');
    const paged: Json[] = [];
    for (let cursor = ''; ; ) {
      const { json } = await ask('GET', `/v1/audit?limit=2${cursor}`);
      paged.push(...json.data);
      if (json.next_cursor === null) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(await audit('?to=2020-01-01')).toEqual([]);
    expect(await audit(`?from=2020-01-01T00:00:00Z&limit=500`)).toHaveLength(all.length);
    expectFailure(await ask('GET', '/v1/audit?from=yesterday'), 'query_invalid');
  });
});
