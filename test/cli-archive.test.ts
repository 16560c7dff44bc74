// An account as an archive, on both databases: every kind, with sounds, settings and secrets, makes another installation's account the same.
import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TarWriter } from '../src/archive/tar.ts';
import { onBothDatabases } from './support/databases.ts';
import { fillEveryKind, storedRecords } from './support/every-kind.ts';
import { call, type Json, runDialtree, type Service, startService, TOKEN } from './support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

onBothDatabases((database) => {
  let env: Record<string, string>;
  let there: Record<string, string>;
  let service: Service;
  let archive: string;
  beforeAll(async () => {
    env = { ...(await database.environment()), SECRET_KEY: '1'.repeat(64) };
    there = { ...(await database.environment()), SECRET_KEY: '2'.repeat(64) };
    service = await startService({ env: { ...env, DEMO: 'on' } });
    await fillEveryKind(service.url);
    archive = join(folder, `${database.name}.tar`);
    await runDialtree(['account', 'create', 'there'], { env: there });
  });
  afterAll(() => service?.remove());

  it('export says what it lacks; with secrets it lacks nothing', async () => {
    const some = await runDialtree(['export', '--out', join(folder, 'some.tar')], { env });
    expect(some.code).toBe(3);
    for (const line of ['agent "100001": sip', 'trunk "Provider": password', 'webhook "Hook": secret'])
      expect(some.err).toContain(`  ${line}\n`);
    expect(readFileSync(join(folder, 'some.tar')).includes('trunk-password-5ec3e7')).toBe(false);

    // A file of that name is readable by all.
    writeFileSync(`${archive}.part`, '', { mode: 0o666 });
    const all = await runDialtree(['export', '--with-secrets', '--out', archive], { env });
    expect(statSync(`${archive}.part`).size).toBe(0);
    expect([all.code, all.err]).toEqual([
      0,
      `${archive} is written: 2 menus, 3 agents, 4 recordings.\nWARNING: ${archive} has passwords and secrets that anyone who reads it can use.\n`,
    ]);
    expect(statSync(archive).mode & 0o777).toBe(0o600);
  });

  it('JSON says that it has no sounds; what is left out on purpose is no fault', async () => {
    const code = async (...words: string[]) => (await runDialtree(['export', ...words], { env })).code;
    const { err } = await runDialtree(['export', '--without-secrets'], { env });
    expect(err).toMatch(/^Left out:\n {2}4 sounds: a file that ends in \.tar has them\n/);
    expect(await code('--without-sounds')).toBe(3);
    expect(await code('--without-secrets', '--without-sounds')).toBe(0);
    expect(await code('--with-secrets')).toBe(2);
  });

  it('import into another installation makes every record, id, setting, sound and secret the same', async () => {
    const plan = await runDialtree(['import', archive, '--dry-run'], { env: there });
    expect([plan.code, await storedRecords(there, '2')]).toEqual([0, []]);
    const { code, err, out } = await runDialtree(['import', archive], { env: there });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^update settings: .*country/);
    expect(await storedRecords(there, '2')).toEqual(await storedRecords(env, '1'));
    const sounds = (dir = '') => readdirSync(join(dir, 'recordings')).toSorted();
    expect(sounds(there['DATA_DIR'])).toEqual(sounds(env['DATA_DIR']));
    for (const name of sounds(there['DATA_DIR'])) {
      const bytes = readFileSync(join(there['DATA_DIR'] ?? '', 'recordings', name));
      expect(`${createHash('sha256').update(bytes).digest('hex')}.wav`).toBe(name);
    }
    // Once more: nothing to do. And out again: the same file.
    const again = await runDialtree(['import', archive], { env: there });
    expect(again.out.split('\n').filter((line) => line !== '' && !line.startsWith('same '))).toEqual([]);
    const back = join(folder, 'back.tar');
    await runDialtree(['export', '--with-secrets', '--out', back], { env: there });
    const times = (file: string): Buffer => withoutTimes(readFileSync(file));
    expect(times(back).equals(times(archive))).toBe(true);
  });

  it('its service runs with them: settings, trunk, webhook and numbers as they were', async () => {
    const other = await startService({ env: there });
    try {
      const token = (await runDialtree(['token', 'create', '--name', 'test'], { env: there })).out.trim();
      const shown = async (url: string, path: string, with_ = {}) =>
        (await call(url, 'GET', path, with_)).json;
      const plain = (value: Json): Json =>
        JSON.parse(
          JSON.stringify(value, (key, each) => (/^(created|updated)_at$|^version$/.test(key) ? 0 : each)),
        );
      for (const path of [
        '/v1/settings',
        '/v1/trunks',
        '/v1/webhooks',
        '/v1/numbers',
        '/v1/ivrs',
        '/v1/agents',
      ])
        expect(plain(await shown(other.url, path, { token }))).toEqual(plain(await shown(service.url, path)));
    } finally {
      await other.stop();
    }
  });

  it('without secrets new ones are made and shown once, and the missing trunk password is named', async () => {
    const third = await database.environment();
    await runDialtree(['account', 'create', 'third'], { env: third });
    const bare = join(folder, 'bare.tar');
    expect((await runDialtree(['export', '--without-secrets', '--out', bare], { env })).code).toBe(0);
    const { code, err } = await runDialtree(['import', bare], { env: third });
    expect(code).toBe(0);
    expect(err).toContain('warning: trunk "Provider" /trunks/0/password: Its password is not in the file');
    expect(err).toMatch(/^New webhook secrets, shown this once:\nWEBHOOK +SECRET\nHook +whsec_\S+\n/m);
    expect(err).toMatch(/^100001 +1001 +\w{20}$/m);
  });

  it('export asks a service elsewhere and writes the same archive; its secrets stay there', async () => {
    const [here, elsewhere] = [join(folder, 'here.tar'), join(folder, 'elsewhere.tar')];
    const asking = { DIALTREE_URL: service.url, DIALTREE_TOKEN: TOKEN, DATA_DIR: join(folder, 'none') };
    await runDialtree(['export', '--without-secrets', '--out', here], { env });
    const { code } = await runDialtree(['export', '--without-secrets', '--out', elsewhere], { env: asking });
    expect(code).toBe(0);
    const [one, other] = [here, elsewhere].map((file) => withoutTimes(readFileSync(file)));
    expect(other?.equals(one ?? Buffer.alloc(0))).toBe(true);
    const withSecrets = await runDialtree(['export', '--with-secrets', '--out', here], { env: asking });
    expect([withSecrets.code, withSecrets.err]).toEqual([
      1,
      expect.stringContaining('The API shows no secrets'),
    ]);
  });

  it('import asks a service elsewhere: the same records and ids; SIP passwords are new, sounds are converted', async () => {
    const other = { ...(await database.environment()), SECRET_KEY: '4'.repeat(64) };
    const target = await startService({ env: other });
    try {
      const asking = { DIALTREE_URL: target.url, DIALTREE_TOKEN: TOKEN, DATA_DIR: join(folder, 'none') };
      const { code, err } = await runDialtree(['import', archive], { env: asking });
      expect([code, err]).toEqual([0, expect.stringMatching(/^New SIP passwords, shown this once:$/m)]);
      // What a service makes for itself: ids and digests of agents, and what it measured of the sounds.
      const comparable = (all: Json[]): Json[] =>
        all.map(({ kind, id, data, ...rest }) => {
          if (kind === 'agent') return { kind, data: { ...data, sip: null } };
          if (kind === 'recording') return { kind, id, data: { name: data.name } };
          return { kind, id, data, ...rest };
        });
      const [there, here] = [await storedRecords(other, '4'), await storedRecords(env, '1')];
      const keyOf = ({ kind, id, data }: Json): string => `${kind} ${data?.eid ?? id}`;
      const byKey = (all: Json[]): Json[] =>
        comparable(all).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      expect(byKey(there)).toEqual(byKey(here));
      const again = await runDialtree(['import', archive], { env: asking });
      const changed = again.out.split('\n').filter((line) => /^(?:create|update)/.test(line));
      expect(changed.filter((line) => !/recording|trunk|webhook/.test(line))).toEqual([]);
    } finally {
      await target.remove();
    }
  });

  it('records that lead to each other go into a strict account, and the audit names the command line', async () => {
    const token = (await runDialtree(['account', 'create', 'strict'], { env })).out.trim();
    await call(service.url, 'PATCH', '/v1/settings', { token, body: { strict_references: true } });
    const hours = {
      name: 'Hours',
      timezone: 'Europe/Berlin',
      weekly: [{ days: ['mon'], from: '09:00', to: '17:00' }],
      open_destination: 'department||Sales',
      closed_destination: 'hangup||now',
    };
    const departments = [{ name: 'Sales', timeout_destination: 'timegroup||Hours' }];
    const file = join(folder, 'strict.json');
    writeFileSync(file, JSON.stringify({ dialtree: 2, timegroups: [hours], departments }));
    const { code, out, err } = await runDialtree(['import', file, '--account', 'strict'], { env });
    expect([code, out, err]).toEqual([0, 'create time group "Hours"\ncreate department "Sales"\n', '']);
    const { json } = await call(service.url, 'GET', '/v1/audit', { token });
    expect(json.data.map(({ kind, actor_id }: Json) => [kind, actor_id])).toEqual([
      ['department', 'command line'],
      ['timegroup', 'command line'],
      ['settings', expect.not.stringContaining('command line')],
    ]);
  });

  it('addresses that a trunk of another account has are refused before anything is changed', async () => {
    await runDialtree(['account', 'create', 'second'], { env });
    const { code, err } = await runDialtree(['import', archive, '--account', 'second'], { env });
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'trunk "Provider" cannot be stored: a trunk of another account has the address',
      ),
    ]);
    expect(await storedRecords(env, '1', 'second')).toEqual([]);
  });
});

describe('a hostile archive is refused and changes nothing', () => {
  const env = { DATA_DIR: mkdtempSync(join(tmpdir(), 'dialtree-')) };
  afterAll(() => rmSync(env.DATA_DIR, { recursive: true, force: true }));
  const json = { dialtree: 2, recordings: [{ id: 'a', name: 'A', duration_ms: 1, sha256: 'a'.repeat(64) }] };
  const made = async (members: readonly (readonly [string, string])[]): Promise<string> => {
    const file = join(folder, 'hostile.tar');
    const handle = await open(file, 'w');
    const tar = new TarWriter(handle, 0);
    for (const [name, content] of members) await tar.addBytes(name, Buffer.from(content));
    await tar.end();
    await handle.close();
    return file;
  };
  const account = ['account.json', JSON.stringify(json)] as const;
  /** Changes a header and its checksum. */
  const patched = (file: string, at: number, text: string): string => {
    const bytes = readFileSync(file);
    bytes.write(text, at, 'latin1');
    bytes.fill(' ', 148, 156);
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    bytes.write(sum.toString(8).padStart(6, '0'), 148, 'latin1');
    writeFileSync(file, bytes);
    return file;
  };
  beforeAll(async () => {
    await runDialtree(['account', 'create', 'x'], { env });
  });

  it.each([
    [
      'a path that climbs',
      () => made([['recordings/../../a.wav', '']]),
      'does not belong in it: "recordings/../../a.wav"',
    ],
    ['an absolute path', () => made([['/etc/passwd', '']]), 'does not belong in it: "/etc/passwd"'],
    ['the same name twice', () => made([account, account]), 'has account.json twice'],
    [
      'a link',
      async () => patched(await made([account]), 156, '2'),
      'a link, or something else that is no file: "account.json"',
    ],
    ['a size beyond the file', async () => patched(await made([account]), 124, '77777777777'), 'cut off'],
    [
      'a wrong checksum',
      async () => {
        const file = await made([account]);
        const bytes = readFileSync(file);
        bytes.write('x', 0);
        writeFileSync(file, bytes);
        return file;
      },
      'checksum of a header is wrong',
    ],
    ['no account', () => made([['recordings/a.wav', 'x']]), 'has no account.json'],
    [
      'a sound of nothing',
      () => made([account, ['recordings/b.wav', 'x']]),
      'recordings/b.wav belongs to no recording',
    ],
    [
      'another sound',
      () => made([account, ['recordings/a.wav', 'x']]),
      'recordings/a.wav is not the sound that account.json describes',
    ],
    ['JSON that is none', () => made([['account.json', '{']]), 'not valid JSON'],
    [
      'a cut',
      async () => {
        const file = await made([account, ['recordings/a.wav', 'x'.repeat(9000)]]);
        truncateSync(file, 4000);
        return file;
      },
      'cut off',
    ],
  ])('%s', async (_what, make, message) => {
    const { code, out, err } = await runDialtree(['import', await make()], { env });
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(message)]);
    expect(err).toMatch(/Nothing was imported\.\n$/);
    expect(await storedRecords(env, undefined)).toEqual([]);
  });
});

/** The times of members, and the checksums over them. */
function withoutTimes(tar: Buffer): Buffer {
  for (let at = 0; at + 512 <= tar.length; ) {
    const bytes = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    if (tar[at] === 0) return tar;
    tar.fill(0, at + 136, at + 156);
    at += 512 + Math.ceil(bytes / 512) * 512;
  }
  return tar;
}
