// Variables that the operator sets by request: the environment wins, secrets stay secret, and they hold after a restart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { startMailServer } from '../support/mail-server.ts';
import { query } from '../support/postgres.ts';
import { call, type Json, runDialtree, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';
import { invited, makeOwner } from './support/people.ts';

const PASSWORD = 'mail-pass-phrase-6150';
const mail = await startMailServer();
afterAll(() => mail.close());
const smtp = mail.url.replace('//', `//dora:${PASSWORD}@`);

onAnyDatabase((database) => {
  let env: Record<string, string>;
  let service: Service;
  const printed: string[] = [];
  const ask = (method: string, path: string, body?: object, token?: string) =>
    call(service.url, method, path, { ...(body ? { body } : {}), ...(token ? { token } : {}) });
  const patch = (body: object) => ask('PATCH', '/v1/configuration', body);
  const variable = async (name: string): Promise<Json> => {
    const { json } = await ask('GET', '/v1/configuration');
    return Object.values<Json>(json)
      .flatMap(({ variables }) => variables)
      .find((each: Json) => each.name === name);
  };
  const restart = async (more: Record<string, string> = {}): Promise<void> => {
    await service?.stop();
    printed.push(...(service?.log ?? []), ...(service?.said ?? []));
    const own = { LOG_LEVEL: 'trace', SMS_URL: '', SMS_SENDER: 'Fixed' };
    service = await startService({ env: { ...env, ...own, ...more }, dataDir: env['DATA_DIR'] ?? '' });
  };
  beforeAll(async () => {
    env = await database.environment();
    await restart();
  });
  afterAll(() => service?.remove());

  test('what is open can be set, and is said to wait for the next start', async () => {
    expect(await variable('SMTP_URL')).toMatchObject({ value: null, source: 'default', locked: null });
    const { status, json } = await patch({
      smtp_url: smtp,
      mail_from: 'phones@example.com',
      mail_per_minute: 9,
    });
    expect([status, json.Message]).toEqual([
      200,
      'Stored. After the next start: SMTP_URL, MAIL_FROM, MAIL_PER_MINUTE',
    ]);
    expect(await variable('SMTP_URL')).toEqual({
      name: 'SMTP_URL',
      value: null,
      fixed: false,
      secret: false,
      source: 'default',
      locked: null,
      next_value: mail.url,
      next_source: 'stored',
      pending_restart: true,
    });
    expectFailure(await ask('POST', '/v1/mail/test', { to: 'a@example.com' }), 'mail_unavailable');
  });

  test('after a restart the mail server is used, and nothing waits', async () => {
    await restart();
    expect(await variable('SMTP_URL')).toMatchObject({
      value: mail.url,
      secret: true,
      source: 'stored',
      pending_restart: false,
    });
    expect((await ask('GET', '/v1/configuration')).json.mail.ready).toBe(true);
    const to = `${database.name.toLowerCase()}@example.com`;
    expect((await ask('POST', '/v1/mail/test', { to })).status).toBe(200);
    const sent = await mail.received((text) => text.includes(`To: ${to}`));
    expect(sent).toContain('phones@example.com');
  });

  test('what the environment fixes is refused at its member, and nothing of the request is stored', async () => {
    expect(await variable('SMS_SENDER')).toMatchObject({
      fixed: true,
      locked: 'environment',
      value: 'Fixed',
    });
    const refused = await patch({ sms_sender: 'Other', mail_from: 'other@example.com' });
    expectFailure(refused, 'fields_invalid');
    expect(refused.json.Errors).toEqual([
      expect.objectContaining({ Pointer: '/sms_sender', Code: 'variable_fixed' }),
    ]);
    expect((await variable('MAIL_FROM')).pending_restart).toBe(false);
  });

  test('the environment wins over what was stored before', async () => {
    await restart({ MAIL_FROM: 'env@example.com' });
    expect(await variable('MAIL_FROM')).toMatchObject({
      value: 'env@example.com',
      next_value: 'env@example.com',
      fixed: true,
      pending_restart: false,
    });
    await restart();
    expect(await variable('MAIL_FROM')).toMatchObject({ value: 'phones@example.com', source: 'stored' });
  });

  test('every fault is named at its member, and values are not repeated', async () => {
    const refused = await patch({
      smtp_url: `http://dora:${PASSWORD}@mail`,
      sms_url: `dora:${PASSWORD}`,
      mail_from: 'nobody',
      sms_per_minute: 100_001,
      public_url: 'javascript:alert(1)',
      advertised_address: 'phones.example.com',
    });
    expectFailure(refused, 'fields_invalid');
    expect(refused.json.Errors.map(({ Pointer }: Json) => Pointer).sort()).toEqual([
      '/advertised_address',
      '/mail_from',
      '/public_url',
      '/sms_per_minute',
      '/sms_url',
      '/smtp_url',
    ]);
    expect(refused.text).not.toContain(PASSWORD);
  });

  test.each(['tts_command', 'data_dir', 'host', 'outbound_allow', 'database_url', 'sip_tls_key'])(
    'no request sets %s',
    async (member) => {
      const refused = await patch({ [member]: '/bin/sh' });
      expectFailure(refused, 'fields_invalid');
      expect(refused.json.Errors).toMatchObject([{ Pointer: `/${member}`, Code: 'unknown_member' }]);
    },
  );

  test('no request passes options to what sends mail', async () => {
    for (const smtp_url of ['smtp://x/?sendmail=true&path=/bin/sh&args=-c', 'smtp://x/path', 'smtp://x#y']) {
      const refused = await patch({ smtp_url });
      expectFailure(refused, 'fields_invalid');
      expect(refused.json.Errors).toMatchObject([{ Pointer: '/smtp_url' }]);
    }
  });

  test('what cannot be set says why', async () => {
    const locks = ['TTS_COMMAND', 'OUTBOUND_ALLOW', 'RTP_PORTS'].map(
      async (name) => (await variable(name)).locked,
    );
    expect(await Promise.all(locks)).toEqual(['program', 'security', 'machine']);
  });

  test('null removes what is stored, and the default holds after the next start', async () => {
    expect((await patch({ mail_from: null, mail_per_minute: '' })).json.Message).toMatch(
      /MAIL_FROM, MAIL_PER_MINUTE/,
    );
    expect(await variable('MAIL_FROM')).toMatchObject({
      value: 'phones@example.com',
      next_value: 'dialtree@localhost',
      next_source: 'default',
      pending_restart: true,
    });
    expect((await patch({ mail_from: 'phones@example.com' })).json.Message).toBe('Stored');
  });

  test('another account is refused, and so is every role but the owner', async () => {
    await runDialtree(['account', 'create', 'other'], { env });
    const made = await runDialtree(['token', 'create', '--account', 'other', '--name', 'x'], { env });
    expect(made.out).toMatch(/^dialtree_/);
    const other = await ask('PATCH', '/v1/configuration', { mail_from: 'a@example.com' }, made.out.trim());
    expectFailure(other, 'operator_only');
    const owner = await makeOwner(service);
    const asOwner = await owner.ask('PATCH', '/v1/configuration', {
      account: 'default',
      body: { public_url: 'https://p.example.com' },
    });
    expect(asOwner.status, asOwner.text).toBe(200);
    // The links that reset an owner's password go by this mail server.
    const administrator = await invited(service, owner, 'administrator', {}, 'default', mail);
    const body = { smtp_url: 'smtp://evil.example.com' };
    expectFailure(
      await administrator.ask('PATCH', '/v1/configuration', { account: 'default', body }),
      'role_refused',
    );
    expect((await administrator.ask('GET', '/v1/configuration', { account: 'default' })).status).toBe(200);
  });

  test('the audit has what changed without its secrets; no answer, log or table has the password', async () => {
    const { json, text } = await ask('GET', '/v1/audit?kind=configuration');
    const first = json.data.at(-1);
    expect(first).toMatchObject({ action: 'update', kind: 'configuration' });
    expect(first.changes).toContainEqual(
      expect.objectContaining({ member: 'smtp_url', before: null, after: mail.url }),
    );
    const configuration = await ask('GET', '/v1/configuration');
    const exported = await runDialtree(['export'], { env });
    const rows = env['DATABASE_URL']
      ? JSON.stringify(await query(env['DATABASE_URL'], 'SELECT * FROM service_variables'))
      : '';
    await service.stop();
    printed.push(...service.log, ...service.said);
    const all = [text, configuration.text, exported.out, exported.err, rows, ...printed].join('\n');
    expect(all).not.toContain(PASSWORD);
  });

  test('a start with another SECRET_KEY goes on without what it cannot open, and says so; doctor, too', async () => {
    const other = { SECRET_KEY: 'b'.repeat(64) };
    await restart(other);
    await expect
      .poll(() => service.log.join('\n'))
      .toContain('stored variables not used: sealed with another SECRET_KEY');
    expect(await variable('SMTP_URL')).toMatchObject({ value: null, source: 'default' });
    expect(await variable('MAIL_FROM')).toMatchObject({ value: 'phones@example.com' });
    await service.stop();
    const checks = async (more: Record<string, string>) => {
      const { out } = await runDialtree(['doctor', '--json', '--no-call'], {
        env: { ...env, PORT: '0', ...more },
      });
      return (JSON.parse(out) as Json).checks.filter(({ check }: Json) => check === 'stored variables');
    };
    const lost = expect.stringContaining('SMTP_URL sealed with another SECRET_KEY');
    expect(await checks(other)).toMatchObject([{ state: 'ok' }, { state: 'warn', message: lost }]);
    const names = expect.stringContaining('SMTP_URL');
    expect(await checks({})).toEqual([{ check: 'stored variables', state: 'ok', message: names }]);
  });
});
