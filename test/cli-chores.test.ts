// The daily chores on the command line, against a running service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toneWav } from './support/phone/tone-recording.ts';
import { runDialtree, type Service, startService, TOKEN } from './support/service.ts';

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
    expect((await dialtree('agent', 'remove', eid)).code).toBe(0);
    expect((await dialtree('agent', 'block', eid)).err).toBe('dialtree: There is no agent with this eid.\n');
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
