// Drafts: what the console of an account with require_publish collects, how it is published, and how that is rolled back.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { call, runDialtree, type Service, startService, TOKEN } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';

const IN_DRAFT = 'This is in the draft: callers notice nothing until it is published.';

onAnyDatabase((database) => {
  let service: Service;
  let browser: Browser;
  let env: Record<string, string>;
  beforeAll(async () => {
    env = await database.environment();
    service = await startService({ env: { ...env, DEMO: 'on' } });
    browser = new Browser(() => service.url, []);
    expect((await browser.signIn(TOKEN)).status).toBe(201);
    await api('PATCH', '/v1/settings', { require_publish: true });
  });
  afterAll(() => service?.remove());

  const api = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body ? { body } : {});
  const web = (method: string, path: string, body?: object) =>
    browser.ask(method, path, { account: 'default', ...(body ? { body } : {}) });
  const nameOf = async (ask: typeof api | typeof web, path: string) => (await ask('GET', path)).json.name;
  const publish = (reason: string, query = '') => web('POST', `/v1/draft/publish${query}`, { reason });

  it('the console collects changes that neither the API nor callers see, until they are published together', async () => {
    const changed = await web('PATCH', '/v1/department/sales', { name: 'Sales desk' });
    expect(changed.json.Message).toBe(`Department updated to version 2. ${IN_DRAFT}`);
    const made = await web('POST', '/v1/department', { id: 'billing', name: 'Billing' });
    expect(made.status).toBe(201);
    expect(made.json.Message).toMatch(new RegExp(`${IN_DRAFT}$`));
    expect((await web('PATCH', '/v1/ivr/main', { invalid_destination: 'department||billing' })).status).toBe(
      200,
    );
    expect(await nameOf(web, '/v1/department/sales')).toBe('Sales desk');
    expect(await nameOf(web, '/v1/department/billing')).toBe('Billing');
    const names = async (ask: typeof api) =>
      (await ask('GET', '/v1/departments')).json.data.map(({ name }: { name: string }) => name);
    expect(await names(web)).toEqual(expect.arrayContaining(['Billing', 'Sales desk']));
    expect(await names(api)).not.toContain('Billing');
    expect(await nameOf(api, '/v1/department/sales')).toBe('Sales');
    const { data } = (await web('GET', '/v1/draft')).json;
    expect(data).toMatchObject([
      { kind: 'department', id: 'billing', action: 'create', before: null, after: { name: 'Billing' } },
      { kind: 'department', id: 'sales', action: 'update', before: { name: 'Sales' }, conflict: false },
      { kind: 'ivr', id: 'main', action: 'update' },
    ]);
    const { findings } = (await web('POST', '/v1/draft/check')).json;
    expect(findings.filter(({ message }: { message: string }) => message.includes('does not exist'))).toEqual(
      [],
    );
    const done = await publish('Billing gets its own line');
    expect(done.json).toMatchObject({ Success: true, Message: 'Published: 3 records' });
    expect(await nameOf(api, '/v1/department/sales')).toBe('Sales desk');
    expect((await api('GET', '/v1/ivr/main')).json.invalid_destination).toBe('department||billing');
    expect((await web('GET', '/v1/draft')).json.data).toEqual([]);
  });

  it('a publication is rolled back by one request, unless something came after it', async () => {
    const [last] = (await web('GET', '/v1/publications')).json.data;
    expect(last).toMatchObject({
      reason: 'Billing gets its own line',
      rolls_back: null,
      rolled_back_by: null,
    });
    const back = await web('POST', `/v1/publication/${last.id}/roll_back`, { reason: 'Too early' });
    expect(back.json).toMatchObject({ Message: 'Rolled back: 3 records' });
    expect(await nameOf(api, '/v1/department/sales')).toBe('Sales');
    expect((await api('GET', '/v1/department/billing')).status).toBe(404);
    const [newest, before] = (await web('GET', '/v1/publications')).json.data;
    expect(newest).toMatchObject({ reason: 'Too early', rolls_back: last.id });
    expect(before).toMatchObject({ id: last.id, rolled_back_by: newest.id });
    const again = await web('POST', `/v1/publication/${last.id}/roll_back`, { reason: 'Again' });
    expectFailure(again, 'publish_conflict');
    expectFailure(await web('POST', '/v1/publication/none/roll_back', { reason: 'x' }), 'record_unknown');
  });

  it('a draft shows that a secret changed, never the secret', async () => {
    const request = {
      ...{ id: 'ask', name: 'Ask', url: 'https://example.com/ask', secret: `whsec_${'A'.repeat(32)}` },
      ...{ next_destination: 'hangup||now', failed_destination: 'hangup||now' },
    };
    expect((await api('POST', '/v1/request', request)).status).toBe(201);
    expect((await web('PATCH', '/v1/request/ask', { name: 'Asks' })).status).toBe(200);
    const sides = async () => (await web('GET', '/v1/draft')).json.data[0];
    expect(await sides()).toMatchObject({ before: { sealed_secret: '•' }, after: { sealed_secret: '•' } });
    await web('PATCH', '/v1/request/ask', { secret: `whsec_${'B'.repeat(32)}` });
    expect(await sides()).toMatchObject({ before: { sealed_secret: '•' }, after: { sealed_secret: '••' } });
    expect((await web('DELETE', '/v1/draft')).status).toBe(200);
  });

  it('a record that the API changed meanwhile is named, and nothing is published', async () => {
    await web('PATCH', '/v1/department/sales', { description: 'from the console' });
    await web('PATCH', '/v1/department/support', { description: 'from the console' });
    await api('PATCH', '/v1/department/sales', { description: 'from the API' });
    const { data } = (await web('GET', '/v1/draft')).json;
    expect(data.map(({ id, conflict }: { id: string; conflict: boolean }) => [id, conflict])).toEqual([
      ['sales', true],
      ['support', false],
    ]);
    const refused = await publish('both');
    expectFailure(refused, 'publish_conflict');
    expect(refused.json.Message).toContain('"Sales" was changed by somebody else meanwhile');
    expect((await api('GET', '/v1/department/support')).json.description).not.toBe('from the console');
    expect((await web('DELETE', '/v1/draft/department/sales')).status).toBe(200);
    expectFailure(await web('DELETE', '/v1/draft/department/sales'), 'record_unknown');
    expect((await publish('one')).status).toBe(201);
    expect((await api('GET', '/v1/department/support')).json.description).toBe('from the console');
  });

  it('tests of menus that fail with the draft refuse it, unless they are to be skipped', async () => {
    const tests = [{ name: '1 is sales', script: '1,answer', expect: { visited: ['department||sales'] } }];
    const main = (await api('GET', '/v1/ivr/main')).json;
    const kept = await api('PATCH', '/v1/ivr/main', { tests: [...main.tests, ...tests] });
    expect(kept.status).toBe(200);
    await web('PATCH', '/v1/ivr/main?skip_tests=true', {
      destination: ['department||support', ...main.destination.slice(1)],
    });
    const refused = await publish('wrong');
    expectFailure(refused, 'tests_failed');
    expect(refused.json.Tests[0]).toMatchObject({ menu: 'main', passed: false });
    expect((await publish('all the same', '?skip_tests=true')).status).toBe(201);
  });

  it('what names a destination that does not exist is not published, unless it is forced, and then the answer says so', async () => {
    const made = await web('POST', '/v1/announcement', {
      id: 'nowhere',
      name: 'Nowhere',
      recording: 'recording||welcome',
      destination: 'department||never-made',
    });
    expect(made.status, made.text).toBe(201);
    const refused = await publish('to nowhere');
    expectFailure(refused, 'fields_invalid');
    expect(refused.json.Message).toContain('Nothing was published. Nowhere: ');
    expect(refused.json.Errors).toMatchObject([{ Code: 'reference_unknown' }]);
    expect((await api('GET', '/v1/announcement/nowhere')).status).toBe(404);
    const forced = await publish('all the same', '?force=true');
    expect(forced.status, forced.text).toBe(201);
    expect(forced.json.Message).toMatch(
      /^Published: \d+ records?, although something is missing\. Nowhere: /,
    );
  });

  it('deleted and made within the draft leaves nothing, and an empty draft is not published', async () => {
    await web('POST', '/v1/department', { id: 'short', name: 'Short' });
    expect((await web('DELETE', '/v1/department/short')).status).toBe(200);
    expect((await web('GET', '/v1/department/short')).status).toBe(404);
    expectFailure(await publish('nothing'), 'draft_empty');
    await web('DELETE', '/v1/department/support?force=true');
    expect((await web('GET', '/v1/department/support')).status).toBe(404);
    expect((await api('GET', '/v1/department/support')).status).toBe(200);
    expect((await web('DELETE', '/v1/draft')).json.Message).toBe('Draft discarded, with 1 record');
    expect((await web('GET', '/v1/department/support')).status).toBe(200);
  });

  it('of two people who change one record the second is told, as without a draft', async () => {
    const first = await web('GET', '/v1/department/sales');
    const etag = first.headers.get('etag') ?? '';
    const put = (name: string) =>
      browser.ask('PATCH', '/v1/department/sales', {
        account: 'default',
        body: { name },
        headers: { 'if-match': etag },
      });
    expect((await put('By one')).status).toBe(200);
    expectFailure(await put('By the other'), 'version_changed');
    await web('DELETE', '/v1/draft');
  });

  it('where references are strict, a draft may refer to what is new in it, and is published as a whole', async () => {
    await api('PATCH', '/v1/settings', { strict_references: true });
    const unknown = await web('PATCH', '/v1/ivr/main', { invalid_destination: 'department||night' });
    expectFailure(unknown, 'fields_invalid');
    expect((await web('POST', '/v1/department', { id: 'night', name: 'Night' })).status).toBe(201);
    const main = (await web('GET', '/v1/ivr/main')).json;
    const tests = [{ name: '5 is night', script: '5,answer', expect: { visited: ['department||night'] } }];
    const changed = await web('PATCH', '/v1/ivr/main', {
      option: [...main.option, '5'],
      destination: [...main.destination, 'department||night'],
      tests,
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await web('POST', '/v1/ivr/main/test')).json.data.at(-1)).toMatchObject({ passed: true });
    const hours = { id: 'nightly', name: 'Nightly', timezone: 'UTC', weekly: [], exceptions: [] };
    const led = { open_destination: 'ivr||main', closed_destination: 'department||night' };
    const timed = await web('POST', '/v1/timegroup', { ...hours, ...led });
    expect(timed.status, timed.text).toBe(201);
    const dialled = { number: '298', destination: 'timegroup||nightly' };
    const number = await web('POST', '/v1/number', dialled);
    expect(number.status, number.text).toBe(201);
    // Agents take effect at once: for them the draft's records do not exist.
    const early = await web('PATCH', '/v1/agent/100001', { failover_destination: 'department||night' });
    expectFailure(early, 'fields_invalid');
    expect((await api('POST', '/v1/number', { ...dialled, number: '299' })).status).toBe(400);
    // Without the department the others would lead nowhere.
    await web('DELETE', '/v1/draft/department/night');
    for (const query of ['', '?skip_tests=true']) {
      const refused = await publish('in parts', query);
      expectFailure(refused, 'fields_invalid');
      expect(refused.json.Message).toContain('department||night does not exist');
    }
    expect((await web('POST', '/v1/department', { id: 'night', name: 'Night' })).status).toBe(201);
    const done = await publish('A night desk');
    expect(done.json).toMatchObject({ Success: true, Message: 'Published: 4 records' });
    expect((await api('GET', '/v1/number/298')).json.destination).toBe('timegroup||nightly');
    expect((await api('PATCH', '/v1/settings', { strict_references: false })).status).toBe(200);
  });

  it('another account neither sees nor discards nor rolls back any of it', async () => {
    await web('PATCH', '/v1/department/sales', { name: 'Secret desk' });
    const made = await runDialtree(['account', 'create', 'stranger'], { dataDir: service.dataDir, env });
    const token = made.out.trim();
    const strange = (method: string, path: string, body?: object) =>
      call(service.url, method, path, { token, ...(body ? { body } : {}) });
    expect((await strange('GET', '/v1/draft')).json.data).toEqual([]);
    expect((await strange('GET', '/v1/publications')).json.data).toEqual([]);
    expectFailure(await strange('DELETE', '/v1/draft/department/sales'), 'record_unknown');
    const [one] = (await web('GET', '/v1/publications')).json.data;
    expectFailure(
      await strange('POST', `/v1/publication/${one.id}/roll_back`, { reason: 'x' }),
      'record_unknown',
    );
    await strange('DELETE', '/v1/draft');
    expect(await nameOf(web, '/v1/department/sales')).toBe('Secret desk');
  });
});
