// The gate of stored tests holds for every write: what breaks a test of a menu is refused, whichever record it changes.
import { beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, type SharedService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

onAnyDatabase((database) => {
  let service: SharedService;
  const send = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body ? { body } : {});
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json, headers, text } = await send('POST', path, body);
    expect(status, text).toBe(201);
    return json.eid ?? json.id ?? headers.get('location')?.split('/').at(-1);
  };
  let asha = '';
  let bilal = '';
  let main = '';
  beforeAll(async () => {
    service = await database.service();
    asha = await made('/v1/agent', { name: 'Asha' });
    bilal = await made('/v1/agent', { name: 'Bilal' });
    await made('/v1/department', {
      id: 'sales',
      name: 'Sales',
      agents: [asha],
      failover_destination: `extension||${bilal}`,
    });
    await made('/v1/switch', {
      id: 'where',
      name: 'Where',
      otherwise_destination: 'department||sales',
      rules: [],
    });
    main = await made(
      '/v1/ivr',
      menu({
        name: 'Main',
        option: ['1'],
        destination: ['switch||where'],
        tests: [{ name: '1 is Sales', script: '1,answer', expect: { visited: ['department||sales'] } }],
      }),
    );
  });

  const toBilal = () => ({ otherwise_destination: `extension||${bilal}` });

  it('a change of a switch that breaks the test of a menu is refused with the test, and nothing is stored', async () => {
    const refused = await send('PATCH', '/v1/switch/where', toBilal());
    expectFailure(refused, 'tests_failed');
    expect(refused.json.Message).toContain('"1 is Sales" of Main');
    expect(refused.json.Tests).toMatchObject([
      { menu: main, menu_name: 'Main', name: '1 is Sales', passed: false },
    ]);
    expect((await send('GET', '/v1/switch/where')).json.otherwise_destination).toBe('department||sales');
  });

  it('so is a forced deletion, and no list of others is changed by it', async () => {
    expectFailure(await send('DELETE', '/v1/department/sales?force=true'), 'tests_failed');
    expect((await send('GET', '/v1/department/sales')).status).toBe(200);
  });

  it('what no test comes to, or what breaks none, is stored', async () => {
    expect((await send('PATCH', '/v1/department/sales', { name: 'Sales and more' })).status).toBe(200);
    expect((await send('PATCH', `/v1/agent/${bilal}`, { name: 'Bilal K' })).status).toBe(200);
    await made('/v1/department', { id: 'other', name: 'Other' });
    expect((await send('DELETE', '/v1/department/other')).status).toBe(200);
  });

  it('agents, their eid and the hours that they have count, too; closing by hand for a while does not', async () => {
    const weekly = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }];
    const hours = await made('/v1/timegroup', {
      name: 'Always',
      timezone: 'Asia/Kolkata',
      weekly,
      exceptions: [],
      open_destination: 'department||sales',
      closed_destination: 'hangup||hangup',
    });
    const chandra = await made('/v1/agent', { name: 'Chandra', timegroup_id: hours });
    await made(
      '/v1/ivr',
      menu({
        name: 'Direct',
        option: ['1'],
        destination: [`extension||${chandra}`],
        tests: [{ name: 'twice', script: '1,answer', expect: { outcome: 'connected' } }],
      }),
    );
    expectFailure(await send('POST', `/v1/agent/${chandra}/block`), 'tests_failed');
    expectFailure(await send('DELETE', `/v1/agent/${chandra}?force=true`), 'tests_failed');
    expectFailure(await send('PATCH', `/v1/agent/${chandra}?force=true`, { eid: 987_654 }), 'tests_failed');
    expectFailure(await send('PATCH', `/v1/timegroup/${hours}`, { weekly: [] }), 'tests_failed');
    const closed_until = new Date(Date.now() + 7_200_000).toISOString();
    const closed = await send('PATCH', `/v1/timegroup/${hours}`, { closed_until });
    expect(closed.status, closed.text).toBe(200);
    expect((await send('POST', `/v1/agent/${chandra}/block?skip_tests=true`)).status).toBe(200);
    expect((await send('POST', `/v1/agent/${chandra}/unblock`)).status).toBe(200);
  });

  it('skip_tests stores it; what is red then refuses nobody else, and lint and Health name it', async () => {
    expect((await send('PATCH', '/v1/switch/where?skip_tests=true', toBilal())).status).toBe(200);
    expect((await send('PATCH', '/v1/switch/where', { name: 'Whereto' })).status).toBe(200);
    const { data } = (await send('GET', '/v1/lint')).json;
    expect(data.filter(({ code }: Json) => code === 'test-failed')).toMatchObject([
      { severity: 'error', node: `ivr||${main}`, pointer: '/tests/0' },
    ]);
    const health = (await send('GET', '/v1/health')).json.data;
    expect(health.find(({ code }: Json) => code === 'test-failed')).toMatchObject({
      severity: 'error',
      concerns: [`ivr||${main}`],
    });
  });

  it('a publication is refused for the tests that it breaks, not for those that were red before', async () => {
    const drafted = (method: string, path: string, body: object) =>
      call(service.url, method, path, { body, headers: { 'dialtree-draft': 'true' } });
    expect((await drafted('PATCH', '/v1/department/sales', { description: 'drafted' })).status).toBe(200);
    const published = await send('POST', '/v1/draft/publish', { reason: 'text' });
    expect(published.status, published.text).toBe(201);
  });

  it('a publication is rolled back only where no test breaks, or with skip_tests', async () => {
    const drafted = (method: string, path: string, body: object) =>
      call(service.url, method, path, { body, headers: { 'dialtree-draft': 'true' } });
    await drafted('PATCH', '/v1/switch/where', { otherwise_destination: 'department||sales' });
    const { json } = await send('POST', '/v1/draft/publish', { reason: 'green again' });
    const back = `/v1/publication/${json.id}/roll_back`;
    expectFailure(await send('POST', back, { reason: 'no' }), 'tests_failed');
    expect((await send('POST', `${back}?skip_tests=true`, { reason: 'yes' })).status).toBe(201);
    expect(
      (await send('PATCH', '/v1/switch/where', { otherwise_destination: 'department||sales' })).status,
    ).toBe(200);
  });

  it('settings that break a test are refused, and others are stored', async () => {
    const script = '1,no-answer';
    const { steps } = (await send('POST', `/v1/ivr/${main}/simulate`, { script })).json;
    const within_ms = steps.at(-1).at_ms + 1000;
    const tests = [{ name: 'somebody else soon', script, expect: { within_ms } }];
    const kept = await send('PATCH', `/v1/ivr/${main}`, { tests });
    expect(kept.status, kept.text).toBe(200);
    expectFailure(await send('PATCH', '/v1/settings', { ring_seconds: 60 }), 'tests_failed');
    expect((await send('PATCH', '/v1/settings', { area_code: '20' })).status).toBe(200);
    expect((await send('PATCH', '/v1/settings?skip_tests=true', { ring_seconds: 60 })).status).toBe(200);
    expect((await send('PATCH', '/v1/settings', { ring_seconds: 59 })).status).toBe(200);
  });
});
