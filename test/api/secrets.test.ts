// Secrets are shown once and kept as hashes (T5, T15, T25): after everything that handles one, neither the database, nor
// logs, metrics, answers and complaints hold any. And no answer names the software that sent it (T32).
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../support/databases.ts';
import { query } from '../support/postgres.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, type Reply, runDialtree, type Service, startService, TOKEN } from '../support/service.ts';
import { roundTrip } from './support/wire.ts';

const PASSWORD = 'database-pass-phrase-7391';
const TRUNK_PASSWORD = 'trunk-pass-phrase-4826';
const SIP_ADDRESS_PASSWORD = 'elsewhere-pass-phrase-6130';
const SMSC_PASSWORD = 'sms-5172';
const MAIL_PASSWORD = 'mail-pass-phrase-9035';
/** What came in from outside, or by another way. */
const NEVER_SHOWN = new Set([
  'the first token',
  'a token made by hand',
  'the password of a trunk',
  'the password of a SIP address',
  'the password of the SMSC',
  'the password of the mail server',
]);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}

/** Everything the database holds, as text: the raw files of SQLite, every row of every table of PostgreSQL. */
async function dump({ DATABASE_URL: url, DATA_DIR: folder = '' }: Record<string, string>): Promise<string> {
  const files = filesBelow(folder).filter((path) => !path.endsWith('/access-token'));
  const raw = files.map((path) => readFileSync(path, 'latin1')).join('\n');
  if (!url) return raw;
  const tables = await query(url, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const rows = await Promise.all(
    tables.map(({ name }) => query(url, `SELECT row_to_json(t)::text AS row FROM "${name}" t`)),
  );
  return [raw, ...rows.flat().map(({ row }) => row)].join('\n');
}

onBothDatabases((database) => {
  let env: Record<string, string>;
  let service: Service;
  /** What was shown once. */
  const secrets = new Map<string, string>([['the first token', TOKEN]]);
  const replies: Reply[] = [];
  let metrics = '';
  let stored = '';

  async function ask(method: string, path: string, options = {}): Promise<Reply> {
    const reply = await call(service.url, method, path, options);
    replies.push(reply);
    return reply;
  }

  beforeAll(async () => {
    env = await database.environment();
    // The suite's server trusts everybody, so a password may be said to it.
    const url = env['DATABASE_URL']?.replace('dialtree@', `dialtree:${PASSWORD}@`);
    // Nothing answers there: both are tried, and complained about.
    const outside = {
      SMS_URL: `smpp://dialtree:${SMSC_PASSWORD}@127.0.0.1:9`,
      SMTP_URL: `smtp://dialtree:${MAIL_PASSWORD}@127.0.0.1:9`,
    };
    env = { ...env, ...outside, LOG_LEVEL: 'trace', ...(url ? { DATABASE_URL: url } : {}) };
    secrets.set('the password of the SMSC', SMSC_PASSWORD);
    secrets.set('the password of the mail server', MAIL_PASSWORD);
    service = await startService({ env });

    const token = (await ask('POST', '/v1/token', { body: { name: 'made over HTTP' } })).json;
    secrets.set('a token made over HTTP', token.token);
    const made = await runDialtree(['token', 'create', '--name', 'made by hand'], { env });
    secrets.set('a token made by hand', made.out.trim());
    const key = { 'idempotency-key': 'agent' };
    const agent = (await ask('POST', '/v1/agent', { body: { name: 'x' }, headers: key })).json;
    secrets.set('a SIP password', agent.sip_password);
    const again = await ask('POST', '/v1/agent', { body: { name: 'x' }, headers: key });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json.eid).toBe(agent.eid);
    const path = `/v1/agent/${agent.eid}`;
    const renewed = (await ask('POST', `${path}/sip_password`)).json;
    secrets.set('a renewed SIP password', renewed.sip_password);
    const moved = (await ask('PUT', path, { body: { name: 'x', intercom: '4321' } })).json;
    secrets.set('the SIP password of a new intercom', moved.sip_password);

    const trunk = { name: 'x', host: '192.0.2.1', username: 'x', password: TRUNK_PASSWORD };
    secrets.set('the password of a trunk', TRUNK_PASSWORD);
    const trunkPath = (await ask('POST', '/v1/trunk', { body: trunk })).headers.get('location') ?? '';
    for (const body of [trunk, { ...trunk, password: null }, { ...trunk, host: '' }])
      await ask('PUT', trunkPath, { body });

    const address = {
      name: 'x',
      uri: 'sip:x@pbx.example.com',
      username: 'x',
      password: SIP_ADDRESS_PASSWORD,
    };
    secrets.set('the password of a SIP address', SIP_ADDRESS_PASSWORD);
    const addressPath =
      (await ask('POST', '/v1/sip_address', { body: address })).headers.get('location') ?? '';
    for (const body of [
      address,
      { ...address, uri: 'sip:x@elsewhere.example.com' },
      { ...address, uri: 'x' },
    ])
      await ask('PUT', addressPath, { body });
    for (const list of ['/v1/sip_addresses', addressPath, `${addressPath}/versions`]) await ask('GET', list);

    const hook = { name: 'x', url: 'https://hooks.example.com/' };
    const webhook = await ask('POST', '/v1/webhook', { body: hook });
    secrets.set('the secret of a webhook', webhook.json.secret);
    const hookPath = webhook.headers.get('location') ?? '';
    secrets.set('its next secret', (await ask('POST', `${hookPath}/secret`)).json.secret);
    await ask('PUT', hookPath, { body: { ...hook, status: 'paused' } });
    await ask('POST', '/v1/sms', { body: { to: '+4915112345678', text: 'Hello' } });
    for (const list of ['/v1/webhooks', hookPath, `${hookPath}/deliveries`, '/v1/sms', '/v1/audit'])
      await ask('GET', list);

    // Whatever may make the service talk about a token.
    await ask('GET', '/v1/agents', { token: token.token });
    await ask('GET', `/v1/agents?access_token=${token.token}`, { token: null });
    await ask('GET', `/${token.token}`);
    await ask('GET', `/v1/ivr/${token.token}`);
    await ask('GET', `/v1/ivr/%/${token.token}`);
    await ask('GET', `/v1/ivrs?cursor=${token.token}&limit=${token.token}`);
    await ask('PATCH', '/v1/ivr', { headers: { 'x-request-id': `Bearer ${token.token}` } });
    await ask('GET', '/v1/agents', { token: `${token.token}x` });
    await ask('POST', '/v1/ivr', { body: `{"authorization":"Bearer ${token.token}"` });
    await ask('DELETE', `/v1/token/${token.id}`);
    await ask('GET', '/v1/agents', { token: token.token });
    for (const list of [
      '/v1/tokens',
      '/v1/agents',
      '/v2/agents',
      path,
      '/v1/settings',
      '/v1/trunks',
      trunkPath,
    ])
      await ask('GET', list);

    metrics = (await ask('GET', '/metrics')).text;
    await service.stop();
    stored = await dump(env);
  });
  afterAll(() => service?.remove());

  test('there are secrets to look for', () => {
    expect(secrets.size).toBe(12);
    // SMPP has room for 8 characters; what we make has at least 16.
    for (const [what, secret] of secrets) expect(secret.length, what).toBeGreaterThanOrEqual(8);
    expect(new Set(secrets.values()).size).toBe(12);
  });

  test('a made token has 256 random bits behind its prefix, and a SIP password over 100', () => {
    expect(secrets.get('a token made over HTTP')).toMatch(/^dialtree_[A-Za-z0-9_-]{43}$/);
    expect(secrets.get('a token made by hand')).toMatch(/^dialtree_[A-Za-z0-9_-]{43}$/);
    expect(secrets.get('a SIP password')).toMatch(/^[A-Za-z0-9]{20}$/);
  });

  test('the database has the hash of every living token, and no token', () => {
    for (const what of ['the first token', 'a token made by hand'])
      expect(stored, what).toContain(sha256(secrets.get(what) ?? ''));
    for (const [what, secret] of secrets) expect(stored.includes(secret), what).toBe(false);
  });

  test('the database has the two digests of a SIP password, and no password', () => {
    const password = secrets.get('the SIP password of a new intercom') ?? '';
    const digest = (algorithm: string) =>
      createHash(algorithm).update(`4321:dialtree:${password}`).digest('hex');
    expect(stored).toContain(digest('md5'));
    expect(stored).toContain(digest('sha256'));
    expect(stored).not.toContain('sip_password');
  });

  test('no log line, no metric and nothing said holds a secret or the password of the database', () => {
    const words = [...service.log, ...service.said, metrics].join('\n');
    expect(words).toContain('request answered');
    for (const [what, secret] of [...secrets, ['the password of the database', PASSWORD] as const])
      expect(words.includes(secret), what).toBe(false);
    expect(words).not.toMatch(/bearer [^<$]|authorization":/i);
  });

  test('a secret is in the one answer that shows it, and in no other', () => {
    for (const [what, secret] of secrets) {
      const shown = replies.filter(({ text }) => text.includes(secret));
      expect(shown.length, what).toBe(NEVER_SHOWN.has(what) ? 0 : 1);
    }
    const all = replies.map(({ text }) => text).join('\n');
    for (const secret of secrets.values()) expect(all).not.toContain(sha256(secret));
    expect(all).not.toContain(PASSWORD);
  });

  test('no answer names the software that sent it', () => {
    expect(replies.length).toBeGreaterThan(20);
    for (const { headers } of replies) {
      for (const name of ['server', 'x-powered-by', 'via', 'x-runtime']) expect(headers.get(name)).toBeNull();
      expect(JSON.stringify([...headers])).not.toMatch(/fastify|node\.?js|express|v\d+\.\d+\.\d+/i);
    }
  });
});

describe('at the first start without ACCESS_TOKEN', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { ACCESS_TOKEN: '' } });
  });
  afterAll(() => service.remove());

  test('what is not HTTP learns no version either', async () => {
    for (const bytes of ['hello\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'GET / HTTP/1.0\r\n\r\n']) {
      const { headers, text } = await roundTrip(service.url, bytes);
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      expect(text).not.toMatch(/fastify|node\.?js|HPE_|at .+:\d+/i);
    }
  });

  test('the token is kept in a file of the owner alone, and nowhere else', async () => {
    const file = join(service.dataDir, 'access-token');
    const token = readFileSync(file, 'utf8').trim();
    expect(token).toMatch(/^dialtree_[A-Za-z0-9_-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(service.said.join('')).not.toContain(token);
    expect((await call(service.url, 'GET', '/v1/agents', { token })).status).toBe(200);
    await service.stop();
    expect(service.log.join('\n')).not.toContain(token);
    const stored = await dump({ DATA_DIR: service.dataDir });
    expect(stored).toContain(sha256(token));
    expect(stored.includes(token)).toBe(false);

    const second = await startService({ dataDir: service.dataDir, env: { ACCESS_TOKEN: '' } });
    expect((await call(second.url, 'GET', '/v1/agents', { token })).status).toBe(200);
    await second.stop();
    expect([...second.said, ...second.log].join('\n')).not.toContain(token);
  });
});

test.skipIf(process.platform === 'win32')('the program that speaks sees none of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-seen-'));
  const [program, seen] = [join(folder, 'speak'), join(folder, 'seen')];
  writeFileSync(program, `#!/bin/sh\nenv > '${seen}'\nexit 1\n`, { mode: 0o700 });
  const service = await startService({
    env: { TTS_COMMAND: program, SMTP_URL: `smtp://me:${MAIL_PASSWORD}@127.0.0.1:1`, LANG: 'C.UTF-8' },
  });
  await call(service.url, 'POST', '/v1/recording', { body: { text: 'Hello' } });
  await service.remove();
  const environment = readFileSync(seen, 'utf8');
  rmSync(folder, { recursive: true });
  expect(environment).toContain('LANG=C.UTF-8');
  expect(environment).toContain('PATH=');
  for (const secret of [TOKEN, MAIL_PASSWORD]) expect(environment).not.toContain(secret);
});

test.skipIf(process.platform === 'win32')(
  'the program that converts sound sees PATH alone, and what it says is shown to nobody (T83)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-seen-'));
    const [program, seen] = [join(folder, 'convert'), join(folder, 'seen')];
    writeFileSync(program, `#!/bin/sh\nenv > '${seen}'\necho ${PASSWORD} >&2\nexit 1\n`, { mode: 0o700 });
    const service = await startService({
      env: {
        SOUND_COMMAND: `${program} {input}`,
        SMTP_URL: `smtp://me:${MAIL_PASSWORD}@127.0.0.1:1`,
        LANG: 'C.UTF-8',
      },
    });
    const sound = readFileSync(new URL('../support/sounds/tone-1000.m4a', import.meta.url));
    const { status, text } = await call(service.url, 'POST', '/v1/recording', {
      body: recordingForm({}, sound),
    });
    const said = [...service.said, ...service.log].join('\n');
    await service.remove();
    const environment = readFileSync(seen, 'utf8');
    rmSync(folder, { recursive: true });
    expect([status, text]).toEqual([415, expect.stringContaining('SOUND_COMMAND could not convert it')]);
    expect(environment).toContain('PATH=');
    for (const secret of [TOKEN, MAIL_PASSWORD, 'LANG=', 'HOME=']) expect(environment).not.toContain(secret);
    for (const told of [text, said]) expect(told).not.toContain(PASSWORD);
  },
);

describe('a setting that cannot be used is named without its secret', () => {
  // biome-ignore format: a table is read by its columns
  test.each([
    ['a database that is not there', { DATABASE_URL: `postgres://me:${PASSWORD}@127.0.0.1:1/x` }],
    ['a password in the query', { DATABASE_URL: `postgres://me@127.0.0.1:1/x?password=${PASSWORD}` }],
    ['another database', { DATABASE_URL: `mysql://me:${PASSWORD}@127.0.0.1/x` }],
    ['an address that is none', { DATABASE_URL: `me:${PASSWORD}@127.0.0.1:x/x` }],
    ['an address with a broken port', { DATABASE_URL: `postgres://me:${PASSWORD}@127.0.0.1:port/x` }],
    ['an address with a password of slashes', { DATABASE_URL: `postgres://me:a/${PASSWORD}@127.0.0.1:1/x` }],
    ['a token with a space', { ACCESS_TOKEN: `${PASSWORD} and more` }],
    ['a token that is too long', { ACCESS_TOKEN: PASSWORD.repeat(20) }],
  ])('%s', async (_, env) => {
    const { code, out, err } = await runDialtree(['serve'], { env: { PORT: '0', ...env }, dataDir: '/nonexistent' });
    expect(code).toBe(1);
    expect(err).toContain(Object.keys(env)[0]);
    expect(out + err).not.toContain(PASSWORD);
  });
});
