// Where a record is used, and records that were deleted: listed, restored, erased.
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
  const ask = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body === undefined ? {} : { body });
  const deleted = async (query = ''): Promise<Json[]> =>
    (await ask('GET', `/v1/deleted_records${query}`)).json.data;

  test('an agent comes back with eid, intercom and phone password, and the menu that leads there works again', async () => {
    await ask('POST', '/v1/agent', { name: 'Asha', eid: '700001', intercom: '7001' });
    const made = await ask('POST', '/v1/ivr', menu({ option: ['1'], destination: ['extension||700001'] }));
    const before = (await ask('GET', '/v1/agent/700001')).json;
    expect((await ask('DELETE', '/v1/agent/700001')).status).toBe(409);
    await ask('DELETE', '/v1/agent/700001?force=true');
    const [one] = await deleted('?kind=agent');
    expect(one).toMatchObject({
      kind: 'agent',
      record_id: '700001',
      name: 'Asha',
      deleted_by: 'ACCESS_TOKEN',
    });
    expect(JSON.stringify(one)).not.toMatch(/md5|sha256|sip/);
    const restored = await ask('POST', `/v1/deleted_record/${one?.id}/restore`);
    expect(restored.json).toMatchObject({ Success: true, kind: 'agent', record_id: '700001' });
    expect(restored.headers.get('location')).toBe('/v1/agent/700001');
    const after = (await ask('GET', '/v1/agent/700001')).json;
    expect(after).toMatchObject({
      id: before.id,
      name: 'Asha',
      intercom: '7001',
      version: before.version + 1,
    });
    expect(await deleted('?kind=agent')).toEqual([]);
    expectFailure(await ask('POST', `/v1/deleted_record/${one?.id}/restore`), 'record_unknown');
    const id = made.headers.get('location')?.split('/').at(-1);
    const found: Json[] = (await ask('GET', `/v1/ivr/${id}/lint`)).json.data;
    expect(found.filter(({ message }) => message.includes('700001'))).toEqual([]);
  });

  test('one whose number another record has since stays deleted, and says why', async () => {
    const { json: first } = await ask('POST', '/v1/number', {
      number: '+4930700',
      destination: 'hangup||now',
    });
    await ask('DELETE', `/v1/number/${first.id}`);
    await ask('POST', '/v1/number', { number: '+4930700', destination: 'hangup||now' });
    const [one] = await deleted('?kind=number');
    expectFailure(await ask('POST', `/v1/deleted_record/${one?.id}/restore`), 'key_taken');
    expect(await deleted('?kind=number')).toHaveLength(1);
    expect((await ask('DELETE', `/v1/deleted_record/${one?.id}`)).status).toBe(200);
    expectFailure(await ask('DELETE', `/v1/deleted_record/${one?.id}`), 'record_unknown');
    expect(await deleted('?kind=number')).toEqual([]);
  });

  test('the audit has who restored and who erased', async () => {
    const { json } = await ask('POST', '/v1/team', { name: 'Brief' });
    await ask('DELETE', `/v1/team/${json.id}`);
    const [one] = await deleted('?kind=team');
    await ask('POST', `/v1/deleted_record/${one?.id}/restore`);
    await ask('DELETE', `/v1/team/${json.id}`);
    await ask('DELETE', `/v1/deleted_record/${(await deleted('?kind=team'))[0]?.id}`);
    const entries = (await ask('GET', `/v1/audit?kind=team&record_id=${json.id}`)).json.data as Json[];
    expect(entries.map(({ action }) => action)).toEqual(['erase', 'delete', 'restore', 'delete', 'create']);
  });

  test('another account neither sees nor restores nor erases them, nor learns where they are used', async () => {
    await ask('POST', '/v1/department', { name: 'Secret', id: 'secret' });
    await ask('DELETE', '/v1/department/secret');
    const [one] = await deleted('?kind=department');
    const other = await runDialtree(['account', 'create', 'stranger'], { dataDir: service.dataDir, env });
    const token = other.out.trim();
    const strange = (method: string, path: string) => call(service.url, method, path, { token });
    expect((await strange('GET', '/v1/deleted_records')).json.data).toEqual([]);
    expectFailure(await strange('POST', `/v1/deleted_record/${one?.id}/restore`), 'record_unknown');
    expectFailure(await strange('DELETE', `/v1/deleted_record/${one?.id}`), 'record_unknown');
    expectFailure(await strange('GET', '/v1/references/agent/700001'), 'record_unknown');
  });

  test('where a record is used names records of all kinds and settings', async () => {
    await ask('POST', '/v1/agent', { name: 'Ben', eid: '700002', intercom: '7002' });
    await ask('POST', '/v1/department', { id: 'crew', name: 'Crew', agents: ['700002'] });
    await ask('POST', '/v1/number', { number: '+4930701', destination: 'department||crew' });
    const used = async (kind: string, id: string) =>
      (await ask('GET', `/v1/references/${kind}/${encodeURIComponent(id)}`)).json;
    expect(await used('agent', '700002')).toEqual({
      data: [{ kind: 'department', id: 'crew', name: 'Crew' }],
      is_complete: true,
    });
    expect((await used('department', 'crew')).data).toMatchObject([{ kind: 'number', name: '+4930701' }]);
    expectFailure(await ask('GET', '/v1/references/agent/none'), 'record_unknown');
    expectFailure(await ask('GET', '/v1/references/spaceship/1'), 'record_unknown');
  });
});
