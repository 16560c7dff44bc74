// Copies of recordings: another record with the same sound.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, type Json, type Service, startService, TOKEN } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

onAnyDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: await database.environment() });
  });
  afterAll(() => service?.remove());

  const ask = (method: string, path: string, body?: unknown) =>
    call(service.url, method, path, body === undefined ? {} : { body });
  async function create(body: unknown): Promise<Json> {
    const made = await ask('POST', '/v1/recording', body);
    expect(made.status, made.text).toBe(201);
    return { ...made.json, path: made.headers.get('location') };
  }
  const soundBytes = async (path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${service.url}${path}/audio`, { headers });
    expect(response.status).toBe(200);
    return (await response.arrayBuffer()).byteLength;
  };

  test('a copy has the sound of another recording and its origin, and stays when that one is deleted', async () => {
    const original = await create(recordingForm({ name: 'Original' }, toneWav(500, 400)));
    const copy = await create({ name: 'Copy', copy_of: `recording||${original.id}` });
    const { json: first } = await ask('GET', original.path);
    const { json: second } = await ask('GET', copy.path);
    const { id: _, name: _n, created_at: _c, updated_at: _u, ...same } = first;
    expect(second).toMatchObject({ ...same, name: 'Copy' });
    expect((await ask('DELETE', original.path)).status).toBe(200);
    expect(await soundBytes(copy.path)).toBeGreaterThan(400 * 8);
    // Another recording may take it over, and keeps its name.
    const other = await create(recordingForm({ name: 'Other' }, toneWav(900, 200)));
    expect((await ask('PATCH', other.path, { copy_of: copy.id })).status).toBe(200);
    const { json: taken } = await ask('GET', other.path);
    expect(taken).toMatchObject({ name: 'Other', sha256: first.sha256, duration_ms: first.duration_ms });
    expectFailure(await ask('POST', '/v1/recording', { copy_of: copy.id }), 'fields_invalid');
    const missing = await ask('POST', '/v1/recording', { name: 'x', copy_of: original.id });
    expectFailure(missing, 'fields_invalid');
    expect(missing.json.Errors).toMatchObject([{ Pointer: '/copy_of', Code: 'reference_unknown' }]);
    const two = await ask('POST', '/v1/recording', { name: 'x', copy_of: copy.id, text: 'Hello' });
    expectFailure(two, 'fields_invalid');
  });
});
