// What the audit has beside changes of records: nodes, phone sessions, drafts and failed sign-ins; and who may discard a draft.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, type Json, runDialtree, type Service, startService, TOKEN } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { invited, makeOwner } from './support/people.ts';

const account = 'default';
const METRICS_TOKEN = 'metrics-for-prometheus';
let service: Service;
let owner: Browser;
let assistant = '';

beforeAll(async () => {
  service = await startService({ env: { DEMO: 'on', SIP: 'on', METRICS_TOKEN } });
  owner = await makeOwner(service);
  const words = ['token', 'create', '--name', 'assistant', '--assistant'];
  assistant = (await runDialtree(words, { dataDir: service.dataDir })).out.trim();
  expect((await call(service.url, 'PATCH', '/v1/settings', { body: { require_publish: true } })).status).toBe(
    200,
  );
});
afterAll(() => service?.remove());

const web = (by: Browser, method: string, path: string, body?: object) =>
  by.ask(method, path, { account, ...(body ? { body } : {}) });
async function entries(query: string): Promise<Json[]> {
  return (await call(service.url, 'GET', `/v1/audit?limit=100&${query}`)).json.data;
}
const acts = async (query: string): Promise<string[]> =>
  (await entries(query)).map(({ action, actor_name: by }) => `${action} by ${by}`);

it('drain and resume of a node', async () => {
  const [{ id }] = (await call(service.url, 'GET', '/v1/nodes')).json.data;
  for (const what of ['drain', 'resume'])
    expect((await web(owner, 'POST', `/v1/node/${id}/${what}`)).status).toBe(200);
  expect(await acts(`kind=node&record_id=${id}`)).toEqual(['resume by Olga Owner', 'drain by Olga Owner']);
});

it('phone sessions, made and ended', async () => {
  const made = await web(owner, 'POST', '/v1/phone_session', { to: 'ivr||main' });
  expect(made.status, made.text).toBe(201);
  expect((await web(owner, 'DELETE', `/v1/phone_session/${made.json.id}`)).status).toBe(200);
  expect(await acts(`kind=phone_session&record_id=${made.json.id}`)).toEqual([
    'delete by Olga Owner',
    'create by Olga Owner',
  ]);
});

it('sign-ins that failed, some of a flood', async () => {
  const wrong = { email: 'owner@example.com', password: 'not the right one' };
  for (let at = 0; at < 3; at++)
    expectFailure(
      await new Browser(() => service.url).ask('POST', '/v1/session', { body: wrong }),
      'sign_in_refused',
    );
  const failed = async () => (await entries('kind=user')).filter(({ action }) => action === 'sign_in_failed');
  await expect.poll(async () => (await failed()).length).toBe(3);
  expect((await failed())[0]).toMatchObject({
    actor_id: 'sign-in',
    actor_name: '127.0.0.1',
    record_name: 'Olga Owner',
  });
});

it('the first change of a record in the draft and each other editor, not every edit; and what is discarded', async () => {
  for (const name of ['One', 'Two', 'Three'])
    expect((await web(owner, 'PATCH', '/v1/department/sales', { name })).status).toBe(200);
  const drafted = await call(service.url, 'PATCH', '/v1/department/sales', {
    token: assistant,
    body: { name: 'Four' },
  });
  expect(drafted.status, drafted.text).toBe(200);
  expect(await acts('kind=department&record_id=sales')).toEqual([
    'draft by assistant',
    'draft by Olga Owner',
  ]);
  expect((await call(service.url, 'DELETE', '/v1/draft/department/sales', { token: assistant })).status).toBe(
    200,
  );
  expect((await acts('kind=department&record_id=sales'))[0]).toBe('discard by assistant');
});

it('who may only draft discards nothing of others, and a role nothing of kinds that it may not change', async () => {
  expect((await web(owner, 'PATCH', '/v1/department/sales', { name: 'Hers' })).status).toBe(200);
  const others = await call(service.url, 'DELETE', '/v1/draft/department/sales', { token: assistant });
  expectFailure(others, 'scope_missing');
  const editor = await invited(service, owner, 'editor');
  const asked = {
    id: 'crm',
    name: 'CRM',
    url: 'https://crm.example.com/',
    next_destination: 'ivr||main',
    failed_destination: 'ivr||main',
  };
  const made = await web(owner, 'POST', '/v1/request', asked);
  expect(made.status, made.text).toBe(201);
  expectFailure(await web(editor, 'DELETE', '/v1/draft/request/crm'), 'role_refused');
  expectFailure(await web(editor, 'DELETE', '/v1/draft'), 'role_refused');
  expect((await web(editor, 'DELETE', '/v1/draft/department/sales')).status).toBe(200);
  expect((await web(owner, 'DELETE', '/v1/draft')).json.Message).toBe('Draft discarded, with 1 record');
  expect((await acts('kind=draft'))[0]).toBe('discard by Olga Owner');
});

it('metrics are read with METRICS_TOKEN, and with no other', async () => {
  const read = (token: string | null) => call(service.url, 'GET', '/metrics', { token });
  for (const token of [null, TOKEN, 'metrics-for', `${METRICS_TOKEN}x`])
    expectFailure(await read(token), 'token_invalid');
  const { status, text } = await read(METRICS_TOKEN);
  expect([status, text.includes('dialtree_')]).toEqual([200, true]);
});
