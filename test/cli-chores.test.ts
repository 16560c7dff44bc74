// The daily chores on the command line, against a running service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownCommand } from '../src/kit/own-command.ts';
import { toneWav } from './support/phone/tone-recording.ts';
import { call, runDialtree, type Service, startService, TOKEN } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { DEMO: 'on' } });
});
afterAll(() => service.remove());
const dialtree = (...words: string[]) =>
  runDialtree([...words, '--url', service.url], { env: { ACCESS_TOKEN: TOKEN } });

describe('dialtree agent', () => {
  it('lists, adds, blocks, unblocks, renews and removes', async () => {
    const list = await dialtree('agent', 'list');
    expect(list.out).toMatch(
      /^EID\s+NAME\s+INTERCOM\s+FOLLOW ME NUMBER\s+TEAM NAME\s+CUSTOM STATUS\s+CALLS ANSWERED\n100001 /,
    );
    const added = await dialtree('agent', 'add', 'Asha Rao', '--intercom', '1009', '--click-to-call');
    expect(added.out).toMatch(/^Agent \S+ created with intercom 1009\..*\nSIP password: \S+\n$/);
    const eid = /^Agent (\S+) created/.exec(added.out)?.[1] ?? '';
    expect((await dialtree('agent', 'block', eid)).code).toBe(0);
    const blocked = JSON.parse((await dialtree('agent', 'list', '--json')).out).find(
      (each: { eid: string }) => each.eid === eid,
    );
    expect(blocked).toMatchObject({ custom_status: 1, product_clicktocall: 1 });
    expect((await dialtree('agent', 'unblock', eid)).code).toBe(0);
    expect((await dialtree('agent', 'password', eid)).out).toContain('SIP password: ');
    expect((await dialtree('agent', 'remove', '100001')).err).toContain('Add --force');
    expect((await dialtree('agent', 'remove', eid)).code).toBe(0);
    expect((await dialtree('agent', 'block', eid)).err).toBe('dialtree: There is no agent with this eid.\n');
  });
});

describe('dialtree menu', () => {
  const read = async (id = 'main') => (await call(service.url, 'GET', `/v1/ivr/${id}`)).json;
  const menu = async (...words: string[]): Promise<string> => {
    const { code, out, err } = await dialtree('menu', ...words);
    expect([words, code, err]).toEqual([words, 0, '']);
    return out;
  };

  it('lists and shows menus, by id or by name', async () => {
    expect(await menu('list')).toMatch(/^ID +NAME +KEYS +TIMEOUT +VERSION +UPDATED AT\nmain /);
    const out = await menu('show', 'main');
    expect(out).toMatch(/^timeout_tries +\d+$/m);
    expect(out).toMatch(/^KEY +DESTINATION +SMS TEMPLATE +WEBHOOK\n\d +\S+\|\|\S+ +- +-$/m);
    const { name } = await read();
    expect(JSON.parse(await menu('show', name, '--json'))).toEqual(await read());
    const unknown = await dialtree('menu', 'show', 'nowhere');
    expect([unknown.code, unknown.err]).toEqual([
      1,
      `dialtree: There is no menu "nowhere": "${ownCommand()} menu list" shows all.\n`,
    ]);
  });

  it('sets fields, points keys, takes them away, and restores a version', async () => {
    const before = await read();
    await menu('set', 'main', 'timeout=7', 'description=Changed=here', 'sensitive=true');
    expect(await read()).toMatchObject({ timeout: 7, description: 'Changed=here', sensitive: true });
    await menu('key', 'main', '7', 'extension||100001');
    await menu('key', 'main', '7', 'extension||100002');
    const { option, destination } = await read();
    expect(option).toEqual([...before.option, '7']);
    expect(destination).toEqual([...before.destination, 'extension||100002']);
    await menu('key', 'main', '7', 'none');
    expect((await read()).option).toEqual(before.option);
    await menu('restore', 'main', String(before.version));
    expect(await read()).toMatchObject({ timeout: before.timeout, description: before.description });
    expect(await menu('versions', 'main')).toMatch(/^VERSION +UPDATED AT +NAME/);
  });

  it('says which field, key or value is wrong', async () => {
    const field = await dialtree('menu', 'set', 'main', 'timout=7');
    expect([field.code, field.err]).toEqual([
      2,
      'dialtree: A menu has no field "timout".\nDid you mean "timeout"?\n"dialtree help menu" explains it.\n',
    ]);
    const value = await dialtree('menu', 'set', 'main', 'timeout=soon');
    expect([value.code, value.err]).toEqual([1, expect.stringMatching(/^dialtree: timeout .*\n$/)]);
    expect((await dialtree('menu', 'key', 'main', '7', 'none')).err).toContain('The menu has no key 7');
    expect((await dialtree('menu', 'key', 'main', '3')).code).toBe(2);
  });

  it('is copied, plays a sound file or another recording, and is removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-menu-'));
    const file = join(folder, 'christmas.wav');
    writeFileSync(file, toneWav(1_000, 400));
    const [, id = ''] = / Its id is (\S+)\.\n$/.exec(await menu('copy', 'main', 'Christmas')) ?? [];
    await menu('play', 'Christmas', file);
    const { recording, invalid_recording } = await read(id);
    const sound = recording.split('||')[1];
    expect((await call(service.url, 'GET', `/v1/recording/${sound}`)).json).toMatchObject({
      name: 'christmas',
    });
    // A test of the demonstration hears the former one.
    const refused = await dialtree('menu', 'play', id, sound, '--as', 'timeout_recording');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/tests fail: .* with --skip-tests\.\n$/),
    ]);
    await menu('play', id, sound, '--as', 'timeout_recording', '--skip-tests');
    expect(await read(id)).toMatchObject({ timeout_recording: recording, invalid_recording });
    expect((await dialtree('menu', 'play', id, sound, '--as', 'greeting')).code).toBe(2);
    await menu('remove', 'Christmas');
    expect((await dialtree('menu', 'remove', 'main')).code).toBe(1);
    rmSync(folder, { recursive: true });
  });
});

describe('dialtree number', () => {
  it('lists, adds and removes', async () => {
    expect((await dialtree('number', 'add', '105', 'ivr||main')).out).toBe('Number created.\n');
    expect((await dialtree('number', 'list')).out).toMatch(/105\s+ivr\|\|main/);
    expect((await dialtree('number', 'remove', '105')).code).toBe(0);
    expect((await dialtree('number', 'remove', '105')).err).toContain('There is no number 105.');
  });
});

describe('dialtree recording', () => {
  it('adds, lists, replaces, saves and removes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-chores-'));
    const file = join(folder, 'closed today.wav');
    writeFileSync(file, toneWav(1_000, 400));
    const added = await dialtree('recording', 'add', file);
    expect(added.out).toMatch(/^Recording created.* Menus name it recording\|\|\S+\.\n$/);
    const id = /recording\|\|(\S+)\.\n/.exec(added.out)?.[1] ?? '';
    expect((await dialtree('recording', 'list')).out).toMatch(new RegExp(`^${id} +closed today +400 `, 'm'));
    expect((await dialtree('recording', 'add', file, '--replace', id)).code).toBe(0);
    const saved = join(folder, 'saved.wav');
    expect((await dialtree('recording', 'save', id, saved)).code).toBe(0);
    expect(readFileSync(saved).toString('latin1', 0, 4)).toBe('RIFF');
    expect((await dialtree('recording', 'remove', id)).code).toBe(0);
    expect((await dialtree('recording', 'add', join(folder, 'none.wav'))).err).toContain('cannot be read');
    rmSync(folder, { recursive: true });
  });
});

describe('dialtree records', () => {
  it('lists and exports, and says when there are none', async () => {
    expect((await dialtree('records', '--outcome', 'missed')).err).toBe('There are no such calls.\n');
    expect((await dialtree('records', '--csv')).out).toMatch(/^id,started_at,/);
    expect((await dialtree('records', '--outcome', 'lovely')).code).toBe(1);
  });
});

describe('dialtree live', () => {
  it('says that there are no calls', async () => {
    expect((await dialtree('live')).err).toBe('There are no calls.\n');
    expect((await dialtree('live', 'hangup', 'x')).err).toContain('SIP=off');
  });
});

describe('dialtree api', () => {
  it('lists the operations and asks any of them', async () => {
    expect((await dialtree('api')).out).toMatch(/^createIvr\s+POST\s+\/v1\/ivr$/m);
    expect(JSON.parse((await dialtree('api', 'getAgent', 'eid=100001')).out)).toMatchObject({
      eid: '100001',
    });
    const made = await dialtree(
      'api',
      'createDepartment',
      'name=Billing',
      'agents:=["100001"]',
      '--key',
      'k',
    );
    expect(JSON.parse(made.out)).toMatchObject({ id: expect.any(String), name: 'Billing', version: 1 });
    const { id, ...main } = JSON.parse((await dialtree('api', 'getIvr', 'id=main')).out);
    const members = Object.entries(main).map(([name, value]) => `${name}:=${JSON.stringify(value)}`);
    const menu = await dialtree('api', 'createIvr', 'id=second', ...members);
    expect(JSON.parse(menu.out), menu.err).toMatchObject({ id: 'second', name: main.name });
    expect(id).toBe('main');
    expect(JSON.parse((await dialtree('api', 'listNumbers', 'limit=1')).out).data).toHaveLength(1);
  });

  it('says what is wrong', async () => {
    expect((await dialtree('api', 'dance')).code).toBe(2);
    expect((await dialtree('api', 'getAgent')).err).toContain('Say eid=…');
    expect((await dialtree('api', 'createTeam', 'name:={')).err).toContain('is not JSON');
    const refused = await dialtree('api', 'createTeam', 'name=');
    expect([refused.code, refused.err]).toEqual([1, 'dialtree: name must not be empty.\n']);
    const nobody = await runDialtree(['agent', 'list', '--url', 'http://127.0.0.1:9'], {
      env: { DIALTREE_TOKEN: 'x'.repeat(16) },
    });
    expect([nobody.code, nobody.err]).toEqual([
      1,
      'dialtree: Nothing answers at http://127.0.0.1:9: is the service running? Say where it is with DIALTREE_URL or --url.\n',
    ]);
  });
});
