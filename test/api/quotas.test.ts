// R28: what an account may store, set by the operator. Usage is shown beside the limits.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { call, runDialtree, type Service, startService } from '../support/service.ts';

let service: Service;
let token = '';
beforeAll(async () => {
  service = await startService();
  token = (await operator('account', 'create', 'tenant')).out.trim();
});
afterAll(() => service.remove());

const operator = (...words: string[]) => runDialtree(words, { dataDir: service.dataDir });
const ask = (method: string, path: string, body?: unknown) =>
  call(service.url, method, path, { token, ...(body === undefined ? {} : { body }) });

it('R28: a new account keeps call recordings for 90 days, unless it says otherwise', async () => {
  expect((await ask('GET', '/v1/settings')).json).toMatchObject({
    keep_recordings_days: 90,
    keep_voicemails_days: 0,
  });
});

it('R28: records beyond max_records are refused with a code of their own, until some are deleted', async () => {
  expect((await operator('account', 'limits', 'tenant', 'max_records=2')).code).toBe(0);
  const make = (name: string) => ask('POST', '/v1/ivr', menu({ name }));
  const first = await make('one');
  expect([first.status, (await make('two')).status]).toEqual([201, 201]);
  const refused = await make('three');
  expect([refused.status, refused.json.Code]).toEqual([409, 'quota_reached']);
  expect((await ask('GET', '/v1/limits')).json).toMatchObject({
    max_records: 2,
    used: { records: 2, recordings_bytes: 0, voicemail_bytes: 0, call_recordings_bytes: 0 },
  });
  expect((await ask('DELETE', first.headers.get('location') ?? '')).status).toBe(200);
  await expect.poll(async () => (await make('three')).status).toBe(201);
});

it('T38: trunks beyond max_trunks are refused, and an address is stored once', async () => {
  await operator('account', 'limits', 'tenant', 'max_records=100', 'max_trunks=1');
  const make = (name: string) =>
    ask('POST', '/v1/trunk', { name, host: 'sip.example.com', addresses: Array(100).fill('203.0.113.7') });
  const first = await make('one');
  expect((await ask('GET', first.headers.get('location') ?? '')).json).toMatchObject({
    addresses: ['203.0.113.7'],
  });
  const refused = await make('two');
  expect([refused.status, refused.json.Code]).toEqual([409, 'quota_reached']);
  expect(refused.json.Message).toContain('no more trunks: its limit is 1.');
});

it('R28: prompts beyond max_recordings_mb are refused', async () => {
  await operator('account', 'limits', 'tenant', 'max_recordings_mb=0', 'max_records=100');
  for (const body of [{ text: 'Hello' }, { name: 'Copy', copy_of: 'other' }]) {
    const refused = await ask('POST', '/v1/recording', body);
    expect([refused.status, refused.json.Code]).toEqual([409, 'quota_reached']);
  }
});
