// dialtree import --from: accounts of other systems, into the database of this machine and over the API.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onBothDatabases } from './support/databases.ts';
import { CSV_FILES, DUMP, FLOW } from './support/foreign-files.ts';
import { call, runDialtree, type Service, startService, TOKEN } from './support/service.ts';

onBothDatabases((database) => {
  let service: Service;
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-from-'));
  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  beforeAll(async () => {
    env = await database.environment();
    service = await startService({ env: { ...env, DEMO: 'off' } });
  });
  afterAll(async () => {
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const here = (...words: string[]) => runDialtree(words, { dataDir: service.dataDir, env });
  const overApi = (...words: string[]) =>
    runDialtree(words, {
      env: { DATA_DIR: join(folder, 'none'), DIALTREE_URL: service.url, DIALTREE_TOKEN: TOKEN },
    });
  const api = async (path: string) => (await call(service.url, 'GET', path)).json;
  const names = async (path: string) => (await api(path)).data.map(({ name }: { name: string }) => name);

  it('a dry run reports what is not taken over and the plan, and writes nothing', async () => {
    const flow = file('flow.json', JSON.stringify(FLOW));
    const { code, out, err } = await here('import', '--from', 'twilio-studio', flow, '--dry-run');
    expect([code, out]).toEqual([0, expect.stringContaining('create ivr "menu"')]);
    expect(err).toMatch(/not taken over: the widget "pay" \(capture-payments\): .*go on at "box"/);
    expect(out).toContain('create request "look_up"');
    expect(err).toContain('make the recording "studio-menu" of the text "Press 1 or 2"');
    expect(await names('/v1/ivrs')).toEqual([]);
  });

  it('a flow of Twilio Studio is imported, and its menu answers a simulated call', async () => {
    expect(
      (await here('import', '--from', 'twilio-studio', file('flow.json', JSON.stringify(FLOW)))).code,
    ).toBe(0);
    const [menu] = (await api('/v1/ivrs')).data;
    expect(menu).toMatchObject({ name: 'menu', option: ['1', '2'] });
    const { json } = await call(service.url, 'POST', `/v1/ivr/${menu.id}/simulate`, {
      body: { script: '2', requests: { [menu.destination[1]]: { answer: { tier: 'gold' } } } },
    });
    expect(json.visited).toContain(menu.destination[1]);
    expect(json.variables).toMatchObject({ look_up_tier: 'gold' });
    expect(json.steps.map(({ code }: { code: string }) => code)).toContain('rule-matched');
    const again = await here('import', '--from', 'twilio-studio', file('flow.json', JSON.stringify(FLOW)));
    expect(again.out).toContain('same ivr "menu"');
  });

  it('a dump of FreePBX, packed or not, is imported over the API', async () => {
    const packed = file('backup.sql.gz', gzipSync(DUMP));
    const { code, err, out } = await overApi('import', '--from', 'freepbx', packed);
    expect(code, err).toBe(0);
    expect(out).toContain('create agent 2002 "D\'Arcy"');
    expect(err).toContain('not taken over: Inbound route "": it is for every number');
    const [department] = (await api('/v1/departments')).data;
    expect(department).toMatchObject({ name: 'Front desk', agents: ['2001', '2002'], ring_seconds: 20 });
    expect((await api('/v1/numbers')).data).toMatchObject([
      { number: '4930555200', destination: `department||${department.id}` },
    ]);
    expect((await api('/v1/agent/2002')).name).toBe("D'Arcy");
    const plain = await here('import', '--from', 'freepbx', file('backup.sql', DUMP), '--dry-run');
    expect(plain.out).toContain('same department "Front desk"');
  });

  it('a folder of CSV files is imported', async () => {
    const csv = join(folder, 'csv');
    mkdirSync(csv, { recursive: true });
    for (const [name, text] of Object.entries(CSV_FILES)) writeFileSync(join(csv, name), text);
    expect((await here('import', '--from', 'freepbx', csv)).code).toBe(0);
    expect((await api('/v1/agent/3001')).name).toBe('Chen, Li');
    const help = (await api('/v1/departments')).data.find(({ name }: { name: string }) => name === 'Help');
    expect(help).toMatchObject({ queue: true, agents: ['3001'] });
  });

  it('damaged, foreign and missing files are refused in one line, and nothing is written', async () => {
    const before = JSON.stringify([
      await api('/v1/departments'),
      await api('/v1/ivrs'),
      await api('/v2/agents'),
    ]);
    const refused: [string, string, RegExp][] = [
      ['twilio-studio', file('cut.json', JSON.stringify(FLOW).slice(0, 200)), /not valid JSON/],
      ['twilio-studio', file('latin.json', Buffer.from([0x7b, 0xff, 0x7d])), /not valid UTF-8/],
      ['twilio-studio', file('other.json', '{"dialtree":2}'), /no flow of Twilio Studio/],
      ['freepbx', file('cut.sql', DUMP.slice(0, 260)), /cut off/],
      ['freepbx', file('cut.sql.gz', gzipSync(DUMP).subarray(0, 80)), /damaged|cut off/],
      ['freepbx', file('flow2.json', JSON.stringify(FLOW)), /no MySQL dump/],
      ['freepbx', join(folder, 'absent.sql'), /no such file/],
    ];
    for (const [system, path, why] of refused) {
      const { code, err, out } = await here('import', '--from', system, path);
      expect([code, out], err).toEqual([1, '']);
      expect(err).toMatch(why);
    }
    expect((await here('import', '--from', '3cx', 'x')).code).toBe(2);
    expect(
      JSON.stringify([await api('/v1/departments'), await api('/v1/ivrs'), await api('/v2/agents')]),
    ).toBe(before);
  });
});
