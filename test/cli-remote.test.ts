// Commands that ask a service elsewhere: DIALTREE_URL and DIALTREE_TOKEN, on a machine without data of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../client/client.ts';
import { accountContent } from '../src/cli/account-content.ts';
import { CommandError } from '../src/cli/command.ts';
import { RECORDS } from '../src/kinds/records.ts';
import { Browser } from './api/support/browser.ts';
import { expectFailure } from './api/support/failure.ts';
import { onBothDatabases } from './support/databases.ts';
import { menu } from './support/payload.ts';
import { call, runDialtree, type Service, startService, TOKEN } from './support/service.ts';

onBothDatabases((database) => {
  let service: Service;
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  const elsewhere = join(folder, 'none');
  beforeAll(async () => {
    env = await database.environment();
    service = await startService({ env: { ...env, DEMO: 'on' } });
  });
  afterAll(async () => {
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const dialtree = (...words: string[]) =>
    runDialtree(words, {
      env: { DATA_DIR: elsewhere, DIALTREE_URL: service.url, DIALTREE_TOKEN: TOKEN },
    });
  const newToken = async (body: object) =>
    (await call(service.url, 'POST', '/v1/token', { body: { name: 'x', ...body } })).json;

  it('agent, number, recording, records, live and api ask it, and nothing is made here', async () => {
    expect((await dialtree('agent', 'list')).out).toContain('100001');
    expect((await dialtree('number', 'list')).out).toContain('ivr||main');
    expect((await dialtree('recording', 'list')).code).toBe(0);
    expect((await dialtree('records')).err).toBe('There are no such calls.\n');
    expect((await dialtree('live')).err).toBe('There are no calls.\n');
    expect(JSON.parse((await dialtree('api', 'getSession')).out)).toEqual({
      accounts: [],
      email_resets: false,
      oidc: null,
    });
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('lint names what the linter of the service finds', async () => {
    expect(await dialtree('lint')).toMatchObject({ code: 0, out: '0 errors, 0 warnings\n' });
    const { json } = await call(service.url, 'POST', '/v1/announcement', {
      body: { name: 'Lost', recording: 'recording||gone', destination: 'hangup||now' },
    });
    const { code, out } = await dialtree('lint');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^announcement\|\|\S+ “Lost”\n {2}error +recording-missing +\/recording/),
    ]);
    expect(JSON.parse((await dialtree('lint', '--json')).out).data).toHaveLength(1);
    await call(service.url, 'DELETE', `/v1/announcement/${json.id}`);
  });

  it('test runs the tests of its menus, and simulate calls one of them', async () => {
    const tests = [
      { name: 'passes', script: '1', expect: { outcome: 'connected' } },
      { name: 'fails', script: '2', expect: { outcome: 'voicemail' } },
    ];
    const made = await call(service.url, 'POST', '/v1/ivr?skip_tests=true', {
      body: menu({ name: 'T', tests }),
    });
    const { code, out } = await dialtree('test');
    expect(code).toBe(1);
    expect(out).toMatch(
      /(^|\n)T\n {2}✓ passes\n {2}✗ fails\n {6}outcome: expected voicemail, was connected\.\n\n {6}0:00\.000 /,
    );
    expect(out).toMatch(/\n\d+ passed, 1 failed\n$/);
    const words = ['simulate', '--id', 'main', '--keys', '1', '--caller', '+49891234'];
    const timeline = (await dialtree(...words)).out;
    expect(timeline).toMatch(/^0:00\.000 .* A call from \+49891234/);
    expect(timeline).toMatch(/\nconnected: /);
    expect(JSON.parse((await dialtree(...words, '--json')).out)).toMatchObject({ entry: 'ivr||main' });
    expect((await dialtree('simulate', '--id', 'nowhere')).code).toBe(1);
    await call(service.url, 'DELETE', made.headers.get('location') ?? '');
  });

  it('export writes the same file as on the machine of the service, sounds included', async () => {
    for (const [path, body] of [
      ['/v1/trunk', { name: 'Provider', host: '192.0.2.1', username: 'u', password: 'p', addresses: [] }],
      ['/v1/webhook', RECORDS.webhook.example],
      ['/v1/timegroup', RECORDS.timegroup.example],
      ['/v1/blocked_number', RECORDS.blocked_number.example],
      ['/v1/caller_id_rule', RECORDS.caller_id_rule.example],
      ['/v1/voicemail_box', RECORDS.voicemail.example],
      ['/v1/announcement', RECORDS.announcement.example],
      ['/v1/sms_template', RECORDS.sms_template.example],
    ] as const) {
      const { status, text } = await call(service.url, 'POST', path, { body });
      expect([path, status, text]).toEqual([path, 201, text]);
    }
    const [here, there] = [join(folder, 'here.tar'), join(folder, 'there.tar')];
    const words = ['export', '--without-secrets', '--out'];
    const local = await runDialtree([...words, here], { env });
    expect([local.code, local.err]).toEqual([0, expect.any(String)]);
    const remote = await dialtree(...words, there);
    expect([remote.code, remote.err]).toEqual([0, local.err.replace(here, there)]);
    // Tar headers have the time of writing.
    const contents = (file: string) =>
      execFileSync('tar', ['-xOf', file], { encoding: 'latin1', maxBuffer: 1e8 });
    expect(contents(there)).toBe(contents(here));
    // What the API does not show is said to be left out, as secrets are.
    const withheld = await dialtree('export', '--out', there);
    expect([withheld.code, withheld.err]).toEqual([3, expect.stringContaining('trunk "Provider": password')]);
    expect((await dialtree('export', '--with-secrets', '--out', there)).err).toContain(
      'The API shows no secrets',
    );
    for (const words of [
      ['backup', folder],
      ['restore', here],
    ])
      expect((await dialtree(...words)).err).toContain('without DIALTREE_URL');
  });

  describe('import', () => {
    const imported = async (content: object, ...words: string[]) => {
      const file = join(folder, 'import.json');
      writeFileSync(file, JSON.stringify({ dialtree: 2, ...content }));
      return dialtree('import', file, ...words);
    };
    const shown = async (path: string) => (await call(service.url, 'GET', path)).json;
    const made = async (path: string, body: object) => {
      const { status, json, text } = await call(service.url, 'POST', path, { body });
      expect([status, text]).toEqual([201, text]);
      return json;
    };

    it('finds settings that are empty to be the same', async () => {
      const { code, out } = await imported({ settings: { country: '', area_code: '' } });
      expect([code, out]).toEqual([0, '']);
    });

    it('leaves numbers of new teams to the service, which gives none twice', async () => {
      const { id } = await made('/v1/team', { name: 'Former' });
      await call(service.url, 'DELETE', `/v1/team/${id}`);
      const agent = { name: 'Ann', eid: 'ann', intercom: '2001', team: 'First' };
      const { code, err } = await imported({
        teams: [{ name: 'First' }, { name: 'Second' }],
        agents: [agent],
      });
      expect([code, err]).toEqual([0, expect.stringContaining('New SIP passwords')]);
      expect(await shown('/v1/agent/ann')).toMatchObject({ team_name: 'First' });
      expect((await shown('/v1/agent/ann')).team_id).toBeGreaterThan(id);
    });

    it('leaves every secret as it is where the file of an export has none, and erases none where another member changes', async () => {
      const secret = 'secret-5ec3e7';
      const changed = { ring_seconds: 19, max_calls: 19, timeout_ms: 1900, max_seconds: 19 };
      const records = [
        [
          '/v1/sip_address',
          'ring_seconds',
          { ...RECORDS.sip_address.example, username: 'desk', password: secret },
        ],
        ['/v1/trunk', 'max_calls', { name: 'Kept', host: '192.0.2.9', username: 'u', password: secret }],
        ['/v1/request', 'timeout_ms', { ...RECORDS.request.example, secret: `whsec_${'A'.repeat(32)}` }],
        ['/v1/stream', 'max_seconds', { ...RECORDS.stream.example, secret: `whsec_${'A'.repeat(32)}` }],
      ] as const;
      const paths: string[] = [];
      for (const [path, , body] of records) paths.push(`${path}/${(await made(path, body)).id}`);
      const file = join(folder, 'kept.tar');
      expect((await dialtree('export', '--without-secrets', '--out', file)).code).toBe(0);
      const { code, out } = await dialtree('import', file);
      expect([code, out.split('\n').filter((line) => /^(create|update|delete) /.test(line))]).toEqual([
        0,
        [],
      ]);
      for (const [index, [, member]] of records.entries()) {
        const body = { [member]: changed[member] };
        await call(service.url, 'PATCH', paths[index] ?? '', { body });
        expect(await shown(paths[index] ?? '')).toMatchObject(body);
      }
      expect((await dialtree('import', file)).code).toBe(0);
      for (const [index, [path, member]] of records.entries()) {
        const {
          has_password: password,
          has_secret: kept = password,
          ...now
        } = await shown(paths[index] ?? '');
        expect([path, kept]).toEqual([path, true]);
        expect(now[member]).not.toBe(changed[member]);
      }
    });

    it('gives an agent that is found by id its new eid', async () => {
      const { id } = await made('/v1/agent', { name: 'Bo', eid: 'bo.old', intercom: '2002' });
      const { code, err } = await imported({
        agents: [{ id, name: 'Bo', eid: 'bo.new', intercom: '2003', custom_status: 1 }],
      });
      expect([code, err]).toEqual([0, expect.stringContaining('bo.new')]);
      expect(await shown('/v1/agent/bo.new')).toMatchObject({ id, custom_status: 1 });
      expect((await shown('/v1/agent/bo.old')).Code).toBe('record_unknown');
    });

    it('a new name of a recording leaves its sound and its text; a new recording has no text, which is reported', async () => {
      const { id } = await made('/v1/recording', { name: 'Spoken', text: 'Hello', speed: 200 });
      const before = await shown(`/v1/recording/${id}`);
      const tar = join(folder, 'spoken.tar');
      expect((await dialtree('export', '--without-secrets', '--out', tar)).code).toBe(0);
      const { name, sha256, duration_ms, text, speed } = before;
      const renamed = await imported({
        recordings: [{ id, name: `${name} again`, sha256, duration_ms, text, speed }],
      });
      expect([renamed.code, renamed.err]).toEqual([0, '']);
      const after = await shown(`/v1/recording/${id}`);
      expect(after).toEqual({ ...before, name: 'Spoken again', version: 2, updated_at: after.updated_at });
      await call(service.url, 'DELETE', `/v1/recording/${id}`);
      const { code, out, err } = await dialtree('import', tar, '--skip-tests');
      expect([code, out]).toEqual([3, expect.stringMatching(/^create recording/m)]);
      expect(err).toContain('without what it was made of. Left out: text');
      expect(await shown(`/v1/recording/${id}`)).toMatchObject({ name, source: 'file' });
    });

    it('does not overwrite what was changed meanwhile', async () => {
      const { id } = await made('/v1/sms_template', { name: 'Way', text: 'Left' });
      const client = createClient({ url: service.url, token: TOKEN, prefer: 'minimal' });
      const account = accountContent(client, null);
      const read = (await account.records()).sms_template.find((record) => record.id === id);
      if (!read) throw new Error('It is not listed.');
      const data = { ...read.data, text: 'Right' };
      const change = {
        action: 'update',
        kind: 'sms_template',
        title: 'SMS template "Way"',
        id,
        data,
      } as const;
      await call(service.url, 'PATCH', `/v1/sms_template/${id}`, { body: { text: 'Straight on' } });
      await expect(account.write({ ...change, version: read.version })).rejects.toThrow(
        new CommandError('SMS template "Way" was changed during the import. Run the import again.'),
      );
      expect((await shown(`/v1/sms_template/${id}`)).text).toBe('Straight on');
    });
  });

  it('token creates, lists and revokes', async () => {
    const made = await dialtree('token', 'create', '--name', 'ci', '--scopes', 'read', '--expires', '30d');
    const secret = made.out.trim();
    expect((await call(service.url, 'GET', '/v1/agents', { token: secret })).status).toBe(200);
    const list = JSON.parse((await dialtree('token', 'list', '--json')).out);
    const { id, scopes } = list.find(({ name }: { name: string }) => name === 'ci');
    expect(scopes).toEqual(['read']);
    expect((await dialtree('token', 'list')).out).toMatch(/^ID +NAME +SCOPES/);
    expect((await dialtree('token', 'revoke', id)).code).toBe(0);
    expect((await call(service.url, 'GET', '/v1/agents', { token: secret })).status).toBe(401);
    expect((await dialtree('token', 'create', '--name', 'x', '--expires', '12h')).code).toBe(2);
  });

  describe('sign-in', () => {
    const codeOf = (link: string): string => /#\/sign-in\/(\S+)/.exec(link)?.[1] ?? '';
    const open = async (link: string): Promise<Browser> => {
      const browser = new Browser(() => service.url);
      expect((await browser.ask('POST', '/v1/session', { body: { link: codeOf(link) } })).status).toBe(201);
      return browser;
    };
    const agents = (browser: Browser) => browser.ask('GET', '/v1/agents');

    it('prints a link of the service that works once; sign-out ends it', async () => {
      const { code, out } = await dialtree('sign-in');
      expect([code, out.startsWith(`${service.url}/#/sign-in/`)]).toEqual([0, true]);
      const browser = await open(out);
      expect((await agents(browser)).status).toBe(200);
      const again = await call(service.url, 'POST', '/v1/session', {
        token: null,
        body: { link: codeOf(out) },
      });
      expectFailure(again, 'link_invalid');
      expect((await dialtree('sign-out')).err).toMatch(/^Signed \d+ browsers? out\.\n$/);
      expectFailure(await agents(browser), 'token_invalid');
      expect((await call(service.url, 'GET', '/v1/agents')).status).toBe(200);
    });

    it('lets the browser do what the token may, no longer than the token', async () => {
      const account = 'default';
      const reader = await newToken({ scopes: ['read'], expires_in_days: 1 });
      const link = await call(service.url, 'POST', '/v1/session/link', { token: reader.token });
      expect(link.json).toMatchObject({
        path: `/#/sign-in/${link.json.code}`,
        expires_at: expect.any(String),
      });
      const browser = await open(link.json.path);
      expect((await agents(browser)).status).toBe(200);
      const refused = await browser.ask('POST', '/v1/team', { account, body: { name: 'x' } });
      expectFailure(refused, 'scope_missing');
      // A link that the session asks for belongs to the session, and so on.
      const further = await open((await browser.ask('POST', '/v1/session/link', { account })).json.path);
      expect((await agents(further)).status).toBe(200);
      await call(service.url, 'DELETE', `/v1/token/${reader.id}`);
      expectFailure(await agents(browser), 'token_invalid');
      expectFailure(await agents(further), 'token_invalid');
    });
  });

  it('says what cannot be: accounts over HTTP, two ways to name the account, an address that is none', async () => {
    expect((await dialtree('account', 'list')).err).toContain('without DIALTREE_URL');
    expect((await dialtree('lint', '--account', 'default')).code).toBe(2);
    expect((await dialtree('agent', 'list', '--url', 'phones')).code).toBe(2);
    const wrong = await runDialtree(['agent', 'list'], { env: { DIALTREE_URL: 'phones.example.com' } });
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^dialtree: DIALTREE_URL is "phones\.example\.com", but must be/),
    });
  });

  it('a token on the command line works and warns; the first token of this machine goes to no other', async () => {
    const env = { DATA_DIR: elsewhere, DIALTREE_URL: service.url };
    const { code, err } = await runDialtree(['agent', 'list', '--token', TOKEN], { env });
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^warning: --token can be seen .* DIALTREE_TOKEN .*\n$/),
    ]);
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'access-token'), TOKEN);
    for (const [url, more] of [
      ['http://192.0.2.1:9', {}],
      ['http://127.evil.example:9', {}],
      ['http://127.evil.example:9', { ACCESS_TOKEN: TOKEN }],
    ] as const) {
      const other = await runDialtree(['agent', 'list'], {
        env: { DATA_DIR: own, DIALTREE_URL: url, ...more },
      });
      expect([other.code, other.err]).toEqual([
        1,
        'dialtree: Say with which token: DIALTREE_TOKEN in the environment, or --token.\n',
      ]);
    }
    for (const more of [{}, { DATA_DIR: elsewhere, ACCESS_TOKEN: TOKEN }])
      expect(
        await runDialtree(['agent', 'list'], { env: { DATA_DIR: own, DIALTREE_URL: service.url, ...more } }),
      ).toMatchObject({ code: 0, err: '' });
  });
});
