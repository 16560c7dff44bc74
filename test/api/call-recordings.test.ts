// Voicemail messages and recorded calls over the API. How they come about is in test/calls/voicemail.test.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRecordingRow } from '../../src/storage/ports/call-recordings.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { storeCallRecording } from '../support/call-recording-rows.ts';
import { onAnyDatabase } from '../support/databases.ts';
import { call, type Json, type Service, startService, TOKEN } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const AT = Date.parse('2026-11-15T10:00:00Z');

onAnyDatabase((database) => {
  let service: Service;
  let storage: Storage;
  let accountId = '';
  let folder = '';
  beforeAll(async () => {
    const env = await database.environment();
    service = await startService({ env });
    const { DATABASE_URL: url } = env;
    folder = env['DATA_DIR'] ?? '';
    storage = url ? await openPostgres({ url }) : await openSqlite(folder);
    accountId = (await storage.listAccounts())[0]?.id ?? '';
  });
  afterAll(async () => {
    await storage?.close();
    await service?.remove();
  });
  const ask = (method: string, path: string, headers = {}) => call(service.url, method, path, { headers });
  const store = (id: string, changes: Partial<CallRecordingRow> = {}) =>
    storeCallRecording(storage, folder, { accountId, id, ...changes });
  const ids = async (path: string): Promise<string[]> =>
    (await ask('GET', path)).json.data.map(({ id }: Json) => id);
  const sound = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, ...headers } });

  test('messages are listed newest first, page by page, by box, caller, time and whether they were heard', async () => {
    await store('m1', { startedAtMs: AT, box: 'sales', caller: '111' });
    await store('m2', { startedAtMs: AT + 1_000, box: 'sales', heardAtMs: AT + 5_000 });
    await store('m3', { startedAtMs: AT + 1_000, box: 'other', caller: null });
    await store('c1', { startedAtMs: AT + 500, kind: 'call', box: null, eid: '7', callId: 'x' });
    expect(await ids('/v1/voicemails')).toEqual(['m3', 'm2', 'm1']);
    expect(await ids('/v1/voicemails?box=sales')).toEqual(['m2', 'm1']);
    expect(await ids('/v1/voicemails?box=sales&heard=false')).toEqual(['m1']);
    expect(await ids('/v1/voicemails?heard=true')).toEqual(['m2']);
    expect(await ids('/v1/voicemails?caller=111')).toEqual(['m1']);
    expect(await ids('/v1/voicemails?from=2026-11-15T10:00:01Z')).toEqual(['m3', 'm2']);
    expect(await ids('/v1/voicemails?to=2026-11-15T11:00:01%2B01:00')).toEqual(['m1']);
    const first = await ask('GET', '/v1/voicemails?limit=2');
    expect(first.json.data).toHaveLength(2);
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(await ids(next)).toEqual(['m1']);
    for (const query of ['heard=maybe', 'from=yesterday', 'limit=0', 'cursor=nonsense', 'box='])
      expectFailure(await ask('GET', `/v1/voicemails?${query}`), 'query_invalid');

    expect(await ids('/v1/call/recordings')).toEqual(['c1']);
    expect(await ids('/v1/call/recordings?agent=7&call_id=x')).toEqual(['c1']);
    expect(await ids('/v1/call/recordings?agent=8')).toEqual([]);
    expect(await ids('/v1/call/recordings?call_id=y')).toEqual([]);
    expect(await ids('/v1/call/recordings?to=2026-11-15T10:00:00Z')).toEqual([]);
  });

  test('one is read, with where to hear it; a message is not found as a recorded call', async () => {
    await store('read');
    expect((await ask('GET', '/v1/voicemail/read')).json).toEqual({
      id: 'read',
      call_id: 'call',
      caller: '030',
      caller_name: '',
      dialled: '100',
      started_at: '2026-11-15T10:00:00.000Z',
      duration_ms: 1_000,
      bytes: 8_058,
      audio: '/v1/voicemail/read/audio',
      box: 'support',
      heard: false,
      heard_at: null,
    });
    await store('talk', { kind: 'call', box: null, eid: '7' });
    expect((await ask('GET', '/v1/call/recording/talk')).json).toMatchObject({
      agent: '7',
      audio: '/v1/call/recording/talk/audio',
    });
    expectFailure(await ask('GET', '/v1/call/recording/read'), 'record_unknown');
    expectFailure(await ask('GET', '/v1/voicemail/talk/audio'), 'record_unknown');
    expectFailure(await ask('GET', '/v1/voicemail/..%2F..%2Fdialtree.sqlite/audio'), 'record_unknown');
  });

  test('is heard, whole, in part, and not again when it is known', async () => {
    await store('heard');
    const whole = await sound('/v1/voicemail/heard/audio');
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('audio/wav');
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect(bytes).toHaveLength(8_058);
    const part = await sound('/v1/voicemail/heard/audio', { range: 'bytes=58-157' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 58-157/8058']);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(58, 158));
    const etag = whole.headers.get('etag') ?? '';
    expect((await sound('/v1/voicemail/heard/audio', { 'if-none-match': etag })).status).toBe(304);
    expectFailure(
      await ask('GET', '/v1/voicemail/heard/audio', { range: 'bytes=9000-' }),
      'range_not_satisfiable',
    );
    // Hearing is not marking: whoever looks through messages decides what was heard.
    expect((await ask('GET', '/v1/voicemail/heard')).json.heard).toBe(false);
  });

  test('is marked as heard, once, and as not heard again', async () => {
    await store('marked');
    const heardAt = async () => (await ask('GET', '/v1/voicemail/marked')).json.heard_at;
    expect((await ask('POST', '/v1/voicemail/marked/heard')).status).toBe(200);
    const first = await heardAt();
    expect(Date.parse(first)).toBeGreaterThan(AT);
    await ask('POST', '/v1/voicemail/marked/heard');
    expect(await heardAt()).toBe(first);
    expect((await ask('POST', '/v1/voicemail/marked/unheard')).status).toBe(200);
    expect(await heardAt()).toBeNull();
    const { json } = await ask('GET', '/v1/audit?kind=voicemail_message&record_id=marked');
    expect(json.data.map(({ action }: Json) => action)).toEqual(['update', 'update', 'update']);
    expectFailure(await ask('POST', '/v1/voicemail/none/heard'), 'record_unknown');
    expectFailure(await ask('POST', '/v1/voicemail/none/unheard'), 'record_unknown');
  });

  test.each([
    ['/v1/voicemail', 'voicemail'],
    ['/v1/call/recording', 'call'],
  ] as const)('DELETE %s/{id} deletes the sound, too, and the audit says who did', async (path, kind) => {
    await store(`deleted ${kind}`, { kind });
    const file = join(folder, 'captures', accountId, `deleted ${kind}.wav`);
    expect(existsSync(file)).toBe(true);
    const address = `${path}/${encodeURIComponent(`deleted ${kind}`)}`;
    expect((await ask('DELETE', address)).status).toBe(200);
    expect(existsSync(file)).toBe(false);
    const { json } = await ask('GET', `/v1/audit?record_id=${encodeURIComponent(`deleted ${kind}`)}`);
    const audited = kind === 'call' ? 'call_recording' : 'voicemail_message';
    expect(json.data).toMatchObject([{ action: 'delete', kind: audited, actor_name: 'ACCESS_TOKEN' }]);
    for (const [method, below] of [
      ['GET', ''],
      ['GET', '/audio'],
      ['DELETE', ''],
    ] as const)
      expectFailure(await ask(method, `${address}${below}`), 'record_unknown');
  });

  test('a box with messages is deleted by force alone, and its messages stay', async () => {
    const { json } = await call(service.url, 'POST', '/v1/voicemail_box', { body: { name: 'Full' } });
    await store('in the box', { box: json.id });
    expectFailure(await ask('DELETE', `/v1/voicemail_box/${json.id}`), 'still_referenced');
    expect((await ask('DELETE', `/v1/voicemail_box/${json.id}?force=true`)).status).toBe(200);
    expect(await ids(`/v1/voicemails?box=${json.id}`)).toEqual(['in the box']);
    expectFailure(await ask('DELETE', `/v1/voicemail_box/${json.id}`), 'record_unknown');
  });

  test('who is recorded, with which notice, and how long it is kept is set by the account', async () => {
    const settings = { recording_notice_tone: false, keep_recordings_days: 30, keep_voicemails_days: '7' };
    expect((await call(service.url, 'PATCH', '/v1/settings', { body: settings })).status).toBe(200);
    expect((await ask('GET', '/v1/settings')).json).toMatchObject({ ...settings, keep_voicemails_days: 7 });
    const wrong = { body: { keep_recordings_days: -1 } };
    expectFailure(await call(service.url, 'PATCH', '/v1/settings', wrong), 'fields_invalid');
    const { json } = await call(service.url, 'POST', '/v1/agent', {
      body: { name: 'x', record_calls: true },
    });
    expect((await ask('GET', `/v1/agent/${json.eid}`)).json.record_calls).toBe(true);
  });
});
