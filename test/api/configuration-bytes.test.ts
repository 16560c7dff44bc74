// Threat T76: an account fills the database with versions of a large menu.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { call, runDialtree, type Service, startService } from '../support/service.ts';

const MENUS = '/v1/ivr?skip_tests=true';
const MB = 1024 * 1024;
const LARGE = Array.from({ length: 10 }, (_, at) => ({
  name: `test ${at}`,
  script: '1',
  expect: { visited: ['x'.repeat(7_900)] },
}));

let service: Service;
let token = '';
beforeAll(async () => {
  service = await startService();
  const limits = ['account', 'limits', 'tenant', 'max_configuration_mb=1'];
  token = (await runDialtree(['account', 'create', 'tenant'], { dataDir: service.dataDir })).out.trim();
  expect((await runDialtree(limits, { dataDir: service.dataDir })).code).toBe(0);
});
afterAll(() => service?.remove());

const ask = (method: string, path: string, body?: unknown) =>
  call(service.url, method, path, { token, ...(body === undefined ? {} : { body }) });
const used = async (): Promise<number> => (await ask('GET', '/v1/limits')).json.used.configuration_bytes;

it('a large menu is changed until the limit of the account, and what to do is said; what is erased makes room', async () => {
  const made = await ask('POST', MENUS, menu({ name: 'large', tests: LARGE }));
  expect(made.status).toBe(201);
  const path = `${made.headers.get('location')}?skip_tests=true`;
  let refused = made;
  let changes = 0;
  for (; refused.status < 400 && changes < 30; changes++)
    refused = await ask('PATCH', path, { description: `version ${changes}` });
  expect([refused.status, refused.json.Code]).toEqual([409, 'quota_reached']);
  expect(refused.json.Message).toContain('max_configuration_mb');
  expect(refused.json.Message).toContain('erase them for good');
  expect(changes).toBeGreaterThan(8);
  expect(await used()).toBeLessThanOrEqual(MB);
  expect(await used()).toBeGreaterThan(0.8 * MB);
  const another = menu({ name: 'another', tests: LARGE });
  expect((await ask('POST', MENUS, another)).status).toBe(409);
  expect((await ask('PUT', path, another)).status).toBe(409);
  // Its versions go with it; the record itself can be restored, and counts.
  expect((await ask('DELETE', path.replace(/\?.*/, ''))).status).toBe(200);
  await expect.poll(used).toBeLessThan(0.2 * MB);
  await expect.poll(async () => (await ask('POST', MENUS, another)).status).toBe(201);
});
