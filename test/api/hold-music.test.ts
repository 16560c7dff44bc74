// The setting music_on_hold: its reference is checked as those of records are.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordingForm } from '../support/recording-form.ts';
import { call, type Json, type SharedService, sharedService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: unknown) =>
  call(service.url, method, path, body === undefined ? {} : { body });

async function create(): Promise<{ id: string; path: string }> {
  const { json } = await ask('POST', '/v1/recording', recordingForm({ name: 'House music' }));
  return { id: json.id, path: `/v1/recording/${json.id}` };
}

test('the music of the settings is checked, and not deleted unless that is meant', async () => {
  const { id, path } = await create();
  const music = (music_on_hold: string | null) => ask('PATCH', '/v1/settings', { music_on_hold });
  const lint = async () =>
    (await ask('GET', '/v1/lint')).json.data.filter(({ node }: Json) => node === 'settings');
  expect((await music(id)).json.Message).toBe('Settings stored.');
  expect((await ask('GET', '/v1/settings')).json).toMatchObject({
    hold_sound: 'music',
    music_on_hold: `recording||${id}`,
  });
  expect(await lint()).toEqual([]);
  const refused = await ask('DELETE', path);
  expectFailure(refused, 'still_referenced');
  expect(refused.json.ReferencedBy).toEqual([
    { kind: 'settings', id: 'music_on_hold', name: 'music_on_hold' },
  ]);
  expect((await ask('DELETE', `${path}?force=true`)).status).toBe(200);
  expect(await lint()).toMatchObject([{ code: 'recording-missing', pointer: '/music_on_hold' }]);
  expect((await music(id)).json.Message).toContain(`Recording ${id} does not exist`);
  await ask('PATCH', '/v1/settings', { strict_references: true });
  expectFailure(await music('gone'), 'fields_invalid');
  expectFailure(await ask('PATCH', '/v1/settings', { hold_sound: 'loud' }), 'fields_invalid');
  await ask('PATCH', '/v1/settings', { strict_references: false, music_on_hold: null });
  expect(await lint()).toEqual([]);
});
