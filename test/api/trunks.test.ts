// Trunks: who carries calls, what may go out over them, and the password that goes in and never comes out.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, type Reply, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const PASSWORD = 'a-trunk-password-of-its-own';

onAnyDatabase((database) => {
  let env: Record<string, string>;
  let service: Service;
  beforeAll(async () => {
    env = await database.environment();
    service = await startService({ env });
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: object, headers = {}): Promise<Reply> =>
    call(service.url, method, path, { headers, ...(body === undefined ? {} : { body }) });
  async function made(body: object): Promise<string> {
    const { status, text, headers } = await ask('POST', '/v1/trunk', body);
    expect(status, text).toBe(201);
    return headers.get('location') ?? '';
  }

  test('a trunk of a name and an address has defaults that let nothing out', async () => {
    const path = await made({ name: 'Plain', host: '192.0.2.1' });
    const { json } = await ask('GET', path);
    const { id, version, created_at, updated_at, ...rest } = json;
    expect([typeof id, version, created_at]).toEqual(['string', 1, updated_at]);
    expect(rest).toEqual({
      name: 'Plain',
      host: '192.0.2.1',
      port: 0,
      transport: 'udp',
      outbound_proxy: null,
      backup_hosts: [],
      keepalive_seconds: 0,
      from_domain: null,
      from_user: 'caller_id',
      identity_header: 'none',
      srtp: 'offered',
      addresses: ['192.0.2.1'],
      username: null,
      auth_username: null,
      register: false,
      inbound_by_registration: false,
      inbound_format: 'as_is',
      inbound_numbers: [],
      outbound_prefixes: [],
      outbound_format: 'as_is',
      agents_may_call: false,
      caller_id: null,
      max_calls: 10,
      enabled: true,
      has_password: false,
      warnings: [],
    });
    expect((await ask('DELETE', path)).status).toBe(200);
    expectFailure(await ask('GET', path), 'record_unknown');
  });

  test('a host name without addresses is warned about', async () => {
    const path = await made({ name: 'Named', host: 'sip.example.com' });
    expect((await ask('GET', path)).json).toMatchObject({
      addresses: [],
      warnings: [{ pointer: '/addresses', code: 'addresses-missing' }],
    });
  });

  test('what providers ask for is stored as it was sent; what contradicts itself is refused', async () => {
    const asked = {
      outbound_proxy: 'proxy.example.com:5070',
      backup_hosts: ['second.example.com', '[2001:db8::1]:5061', '192.0.2.9'],
      keepalive_seconds: 60,
      from_domain: 'example.org',
      from_user: 'username',
      identity_header: 'ppi',
      username: 'us',
      auth_username: 'auth',
      register: true,
      inbound_by_registration: true,
      inbound_format: '00',
      outbound_format: 'digits',
    };
    const path = await made({ name: 'Asks', host: 'sip.example.com', ...asked });
    expect((await ask('GET', path)).json).toMatchObject({ ...asked, warnings: [] });
    for (const wrong of [
      { outbound_proxy: 'a b' },
      { outbound_proxy: 'proxy.example.com:99999' },
      { backup_hosts: ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'] },
      { backup_hosts: ['300.1.1.1'] },
      { keepalive_seconds: 5 },
      { keepalive_seconds: 3601 },
      { from_domain: 'a/b' },
      { from_user: 'me' },
      { identity_header: 'p-asserted-identity' },
      { srtp: 'always' },
      { inbound_by_registration: true },
      { from_user: 'username' },
      { outbound_format: 'e164' },
    ])
      expectFailure(
        await ask('POST', '/v1/trunk', { name: 'Wrong', host: '192.0.2.1', ...wrong }),
        'fields_invalid',
      );
    // Nothing that ends a line or a host: these are written into requests.
    for (const name of ['outbound_proxy', 'from_domain', 'username', 'auth_username'])
      for (const end of ['\r\nX-Forged: 1', '\n', '\u0085', '\0'])
        expectFailure(await ask('PATCH', path, { [name]: `sip.example.com${end}` }), 'fields_invalid');
    for (const host of [
      'a.example>',
      'a.example;lr',
      'a@b.example',
      'a.example?x=1',
      '<name>.example',
      'a.example:5060\r\n',
    ])
      for (const wrong of [{ outbound_proxy: host }, { backup_hosts: [host] }, { from_domain: host }])
        expectFailure(await ask('PATCH', path, wrong), 'fields_invalid');
    expect((await ask('PATCH', path, { identity_header: 'none' })).status).toBe(200);
    expect((await ask('GET', path)).json.warnings).toMatchObject([{ code: 'caller-id-not-sent' }]);
  });

  test('a preset makes a trunk, once its host is complete', async () => {
    const { json } = await ask('GET', '/v1/trunk-presets');
    expect(json.data.length).toBeGreaterThan(9);
    for (const { id, name, settings } of json.data) {
      const host = (settings.host ?? 'sip.example.com').replace(/<[^>]*>/, 'example');
      const path = await made({ name, username: 'us', ...settings, host });
      expect((await ask('GET', path)).json, id).toMatchObject({ ...settings, host });
    }
  });

  test('names are unique, also after a change', async () => {
    await made({ name: 'One', host: '192.0.2.1' });
    expectFailure(await ask('POST', '/v1/trunk', { name: 'One', host: '192.0.2.2' }), 'key_taken');
    const other = await made({ name: 'Two', host: '192.0.2.2' });
    expectFailure(await ask('PUT', other, { name: 'One', host: '192.0.2.2' }), 'key_taken');
    expect((await ask('PUT', other, { name: 'Two', host: '192.0.2.3' })).status).toBe(200);
  });

  test('a password is never shown, stays when a change does not send it, and goes when it is sent empty', async () => {
    const path = await made({ name: 'Secret', host: '192.0.2.1', password: PASSWORD });
    const stored = async () => (await ask('GET', path)).json;
    expect(await stored()).toMatchObject({ has_password: true, warnings: [] });
    await ask('PUT', path, { name: 'Secret', host: '192.0.2.2' });
    expect(await stored()).toMatchObject({ has_password: true, host: '192.0.2.2', warnings: [], version: 2 });
    const replies = [await ask('GET', path), await ask('GET', '/v1/trunks')];
    for (const { text } of replies) expect(text).not.toMatch(new RegExp(`${PASSWORD}|sealed|v1\\.`));
    await ask('PUT', path, { name: 'Secret', host: '192.0.2.2', password: '' });
    expect(await stored()).toMatchObject({ has_password: false });
  });

  test('a change that keeps the password meets If-Match as any other', async () => {
    const path = await made({ name: 'Matched', host: '192.0.2.1', password: PASSWORD });
    const body = { name: 'Matched', host: '192.0.2.2' };
    expect((await ask('PUT', path, body, { 'if-match': '"1"' })).status).toBe(200);
    expectFailure(await ask('PUT', path, body, { 'if-match': '"1"' }), 'version_changed');
    const many = await Promise.all(Array.from({ length: 4 }, () => ask('PUT', path, body)));
    expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('with another key the password is reported as lost, and sending it again repairs that', async () => {
    const path = await made({ name: 'Moved', host: '192.0.2.1', password: PASSWORD });
    // One process serves a data folder.
    await service.stop();
    const other = await startService({ env: { ...env, SECRET_KEY: 'ab'.repeat(32) } });
    const moved = await call(other.url, 'GET', path);
    expect(moved.json.has_password).toBe(true);
    expect(moved.json.warnings).toEqual([
      { pointer: '/password', code: 'password-sealed', message: expect.stringContaining('SECRET_KEY') },
    ]);
    await call(other.url, 'PUT', path, { body: { name: 'Moved', host: '192.0.2.1', password: PASSWORD } });
    expect((await call(other.url, 'GET', path)).json.warnings).toEqual([]);
    await other.stop();
    service = await startService({ env });
    const keys = readdirSync(env['DATA_DIR'] ?? '').filter((name) => name.startsWith('secret.key'));
    expect(keys).toEqual(['secret.key']);
  });

  // biome-ignore format: a table is read by its columns
  test.each<[string, object, string]>([
    ['host of numbers that is no address', { host: '300.1.1.1' }, '/host text_malformed'],
    ['host with a port', { host: '192.0.2.1:5060' }, '/host text_malformed'],
    ['host with a space', { host: 'a b' }, '/host text_malformed'],
    ['port beyond the last', { port: 65_536 }, '/port number_out_of_range'],
    ['unknown transport', { transport: 'ws' }, '/transport value_not_allowed'],
    ['address that is a name', { addresses: ['sip.example.com'] }, '/addresses/0 text_malformed'],
    ['network too narrow', { addresses: ['192.0.2.1', '192.0.2.0/33'] }, '/addresses/1 text_malformed'],
    ['network wider than the operator allows', { addresses: ['203.0.0.0/16'] }, '/addresses/0 value_not_allowed'],
    ['network wider than any may be', { addresses: ['203.0.0.0/7'] }, '/addresses/0 text_malformed'],
    ['network of two slashes', { addresses: ['192.0.2.0/8/8'] }, '/addresses/0 text_malformed'],
    ['registration without a name', { register: true }, '/username field_missing'],
    ['number that is none', { inbound_numbers: ['x'] }, '/inbound_numbers/0 text_malformed'],
    ['empty prefix', { outbound_prefixes: [{ prefix: '' }] }, '/outbound_prefixes/0/prefix text_malformed'],
    ['missing prefix', { outbound_prefixes: [{ strip: 1 }] }, '/outbound_prefixes/0/prefix text_malformed'],
    ['prefix that is a list', { outbound_prefixes: [[]] }, '/outbound_prefixes/0 value_not_allowed'],
    ['strip longer than its prefix', { outbound_prefixes: [{ prefix: '9', strip: 2 }] }, '/outbound_prefixes/0/strip number_out_of_range'],
    ['too much to add', { outbound_prefixes: [{ prefix: '9', add: '1'.repeat(33) }] }, '/outbound_prefixes/0/add text_malformed'],
    ['caller id of words', { caller_id: 'Company' }, '/caller_id text_malformed'],
    ['no call at all', { max_calls: 0 }, '/max_calls number_out_of_range'],
  ])('a %s is refused', async (_, changes, fault) => {
    const reply = await ask('POST', '/v1/trunk', { name: 'Faulty', host: '192.0.2.1', ...changes });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors.map(({ Pointer, Code }: Json) => `${Pointer} ${Code}`)).toEqual([fault]);
  });

  describe('destinations outside (T1)', () => {
    const to = (number: string) => menu({ timeout_destination: `number||${number}` });
    const create = (number: string) => ask('POST', '/v1/ivr', to(number));

    test('are refused without a trunk, with its own code, in menus, agents, departments and numbers', async () => {
      const destination = 'number||+4930123456';
      const bodies: [string, object, string][] = [
        ['/v1/ivr', menu({ destination: ['extension||100001', destination] }), '/destination/1'],
        ['/v1/agent', { name: 'x', failover_destination: destination }, '/failover_destination'],
        ['/v1/department', { name: 'x', failover_destination: destination }, '/failover_destination'],
        ['/v1/number', { number: '900', destination }, '/destination'],
      ];
      for (const [path, body, pointer] of bodies) {
        const reply = await ask('POST', path, body);
        expectFailure(reply, 'fields_invalid', path);
        expect(reply.json.Errors).toEqual([
          { Pointer: pointer, Code: 'number_not_allowed', Message: expect.stringContaining(destination) },
        ]);
      }
    });

    test('are taken exactly as the prefixes of an enabled trunk say, and no more when it is switched off', async () => {
      const body = {
        name: 'Out',
        host: '192.0.2.1',
        outbound_prefixes: ['+4930', { prefix: '0', strip: 1 }],
      };
      const path = await made(body);
      const made1 = await create('+4930123456');
      expect(made1.status, made1.text).toBe(201);
      const read = await ask('GET', made1.headers.get('location') ?? '');
      expect(read.json.timeout_destination).toBe('number||+4930123456');
      // It exists: nothing is missing there.
      expect(JSON.stringify(read.json.warnings)).not.toContain('number||');
      expect((await create('0')).status).toBe(400);
      expect((await create('030')).status).toBe(201);
      for (const number of ['+4931', '+1900123456', '900', '110', '4930123'])
        expectFailure(await create(number), 'fields_invalid', number);
      await ask('PUT', path, { ...body, enabled: false });
      expectFailure(await create('+4930123456'), 'fields_invalid');
    });

    test('are numbers and nothing else', async () => {
      for (const number of ['abc', '', '49+30', '1'.repeat(33)]) {
        const { json } = await create(number);
        expect(json.Errors).toMatchObject([{ Code: 'destination_malformed' }]);
      }
    });
  });
});
