// Calls that are over, and how many of them each agent answered. Written by storage, as live calls will.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRow } from '../../src/storage/ports/calls.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases } from '../support/databases.ts';
import { callRow } from '../support/payload.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

onBothDatabases((database) => {
  let service: Service;
  let storage: Storage;
  let accountId = '';
  beforeAll(async () => {
    const env = await database.environment();
    service = await startService({ env });
    const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
    storage = url ? await openPostgres({ url }) : await openSqlite(folder);
    accountId = (await storage.listAccounts())[0]?.id ?? '';
    for (const eid of ['ann', 'bob'])
      await call(service.url, 'POST', '/v1/agent', { body: { name: eid, eid } });
  });
  afterAll(async () => {
    await storage?.close();
    await service?.remove();
  });
  const ask = (path: string, headers = {}) => call(service.url, 'GET', path, { headers });
  const save = (...calls: Partial<CallRow>[]) =>
    storage.saveCalls({ calls: calls.map((one) => callRow({ accountId, ...one })) });

  test('a caller is found in every form of the number once the country is set (T44)', async () => {
    const forms = ['+49301234567', '49301234567', '0049301234567', '0301234567', '1234567'];
    await save(...forms.map((caller, index) => ({ id: `form${index}`, caller, startedAtMs: index })));
    await save({ id: 'other-form', caller: '0301234568', startedAtMs: 9, dialled: '0049309' });
    const found = async (query: string): Promise<string[]> =>
      (await ask(`/v1/call/records?to=1970-01-02&limit=2&${query}`)).json.data.map(({ id }: Json) => id);
    expect(await found('caller=0301234567')).toEqual(['form3']);
    const change = (country: string) =>
      call(service.url, 'PATCH', '/v1/settings', { body: { country, area_code: country && '030' } });
    expect((await change('de')).status).toBe(200);
    try {
      for (const form of forms) {
        const first = await ask(`/v1/call/records?to=1970-01-02&limit=3&caller=${encodeURIComponent(form)}`);
        expect(first.json.data.map(({ id }: Json) => id)).toEqual(['form4', 'form3', 'form2']);
        const second = await ask(
          `/v1/call/records?to=1970-01-02&limit=3&caller=${encodeURIComponent(form)}&cursor=${first.json.next_cursor}`,
        );
        expect(second.json.data.map(({ id }: Json) => id)).toEqual(['form1', 'form0']);
        expect(second.json.next_cursor ?? null).toBeNull();
      }
      expect(await found('q=%2B49301234568')).toEqual(['other-form']);
      const wrong = await call(service.url, 'PATCH', '/v1/settings', {
        body: { country: 'XX', area_code: 'x' },
      });
      expect(wrong.status).toBe(400);
      expect(wrong.json.Errors.map(({ Pointer }: Json) => Pointer)).toEqual(['/country', '/area_code']);
    } finally {
      await change('');
    }
    expect((await ask('/v1/settings')).json).toMatchObject({ country: null, area_code: null });
  });

  test('a call is read with its steps, and whatever else was written down of it', async () => {
    const trail = [
      { atMs: 0, node: null, code: 'call-started', text: 'A call.' },
      { atMs: 1200, node: 'ivr||main', code: 'key-pressed', text: 'The caller pressed 1.', keys: '1' },
    ];
    await save({ id: 'one', json: JSON.stringify({ trail, codec: 'PCMU', id: 'forged' }) });
    const { status, json } = await ask('/v1/call/records/one');
    expect(status).toBe(200);
    expect(json).toEqual({
      id: 'one',
      call_id: 'one',
      started_at: '2026-11-15T10:00:00.000Z',
      ended_at: '2026-11-15T10:01:00.000Z',
      direction: 'inbound',
      caller: '030',
      caller_name: null,
      dialled: '100',
      entry: 'ivr||main',
      schema: 2,
      outcome: 'abandoned',
      end_code: 'caller-hung-up',
      cause: 16,
      answered_by: null,
      wait_ms: 0,
      ring_ms: 0,
      talk_ms: 0,
      codec: 'PCMU',
      steps: [
        { at_ms: 0, node: null, code: 'call-started', text: 'A call.' },
        { at_ms: 1200, node: 'ivr||main', code: 'key-pressed', text: 'The caller pressed 1.', keys: '1' },
      ],
    });
    expectFailure(await ask('/v1/call/records/none'), 'record_unknown');
  });

  test('an old record is read as it was written, says so, and is found by its old outcome', async () => {
    const index = {
      outcome: 'failed',
      callerName: null,
      words: ['outcome:failed', 'outcome:unanswered'],
      counts: [],
    } as const;
    await save({
      id: 'old',
      startedAtMs: 1000,
      waitMs: null,
      ringMs: 7000,
      endCode: 'operator-hung-up',
      json: JSON.stringify({ call_id: 'abc@192.0.2.1', trail: [] }),
      index,
    });
    const { json } = await ask('/v1/call/records/old');
    expect(json).toMatchObject({ schema: 1, outcome: 'failed', wait_ms: null, ring_ms: 7000 });
    expect(json).toMatchObject({ call_id: 'old', sip_call_id: 'abc@192.0.2.1' });
    const found = (await ask('/v1/call/records?outcome=failed')).json.data;
    expect(found).toMatchObject([{ id: 'old', schema: 1, outcome: 'failed', wait_ms: null }]);
    const { text } = await ask('/v1/call/records.csv?outcome=failed');
    expect(text).toMatch(/^old,.*,failed,operator-hung-up,16,,7000,0,,1,old\r$/m);
  });

  test('statistics count each outcome, those of old records as they were; answered are answered and transferred', async () => {
    const startedAtMs = Date.parse('2025-03-04T05:00:00Z');
    const ends = [
      'transferred',
      'caller-blocked',
      'call-refused',
      'operator-hung-up',
      'agent-unreachable',
      'hang-up-reached',
    ];
    const counts = [
      { subject: 'account', measure: 'calls', value: 1 },
      { subject: 'account', measure: 'failed', value: 1 },
    ];
    const index = { outcome: 'failed', callerName: null, words: [], counts } as const;
    await save(
      ...ends.map((endCode) => ({ id: `end-${endCode}`, startedAtMs, endCode, waitMs: 1500 })),
      { id: 'end-answered', startedAtMs, answeredBy: 'x', talkMs: 1000 },
      { id: 'end-missed', startedAtMs, ringMs: 4000 },
      { id: 'end-old', startedAtMs, waitMs: null, index },
    );
    const { totals } = (await ask('/v1/statistics?from=2025-03-04&to=2025-03-05&by=none')).json;
    expect(totals).toMatchObject({
      calls: 9,
      answered: 1,
      transferred: 1,
      missed: 1,
      unreachable: 1,
      abandoned: 0,
      voicemail: 0,
      blocked: 1,
      refused: 1,
      interrupted: 1,
      completed: 1,
      failed: 1,
      talked: 1,
      answer_rate: 0.1111,
      wait_ms: 9000,
      ring_ms: 4000,
      talk_ms: 1000,
    });
  });

  test('the list is newest first and goes through all pages, also where calls began together', async () => {
    await save(
      ...Array.from({ length: 25 }, (_, index) => ({
        id: `listed-${String(index).padStart(2, '0')}`,
        startedAtMs: Date.parse('2026-11-16T10:00:00Z') + Math.floor(index / 5),
      })),
    );
    const ids: string[] = [];
    let next = '/v1/call/records?limit=7';
    while (next !== '' && ids.length < 25) {
      const { json, headers } = await ask(next);
      ids.push(...json.data.map(({ id }: Json) => id));
      expect(json.data[0].steps).toBeUndefined();
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }
    const expected = Array.from(
      { length: 25 },
      (_, index) => `listed-${String(24 - index).padStart(2, '0')}`,
    );
    expect(ids.slice(0, 25)).toEqual(expected);
    expectFailure(await ask('/v1/call/records?limit=501'), 'query_invalid');
    expectFailure(await ask('/v1/call/records?cursor=nonsense'), 'query_invalid');
    for (const odd of ['["a","b"]', '[1.5,"x"]', '[1]', '[1e99,"x"]', '[]'])
      expect((await ask(`/v1/call/records?cursor=${btoa(odd)}`)).status).toBe(200);
  });

  test('calls_answered is the true count, everywhere, at once, and an ETag goes with it', async () => {
    const counts = async () => {
      const of = (list: Json[]) => Object.fromEntries(list.map(({ eid, calls_answered: n }) => [eid, n]));
      const v1 = of((await ask('/v1/agents')).json);
      expect(of((await ask('/v2/agents')).json.data)).toEqual(v1);
      for (const eid of ['ann', 'bob'])
        expect((await ask(`/v1/agent/${eid}`)).json.calls_answered).toBe(v1[eid]);
      return v1;
    };
    expect(await counts()).toEqual({ ann: 0, bob: 0 });
    const etag = (await ask('/v1/agents')).headers.get('etag') ?? '';
    expect((await ask('/v1/agents', { 'if-none-match': etag })).status).toBe(304);
    await save({ id: 'unanswered' });
    expect((await ask('/v1/agents', { 'if-none-match': etag })).status).toBe(304);

    await save(
      { id: 'a1', answeredBy: 'ann' },
      { id: 'a2', answeredBy: 'ann' },
      { id: 'b1', answeredBy: 'bob' },
    );
    expect((await ask('/v1/agents', { 'if-none-match': etag })).status).toBe(200);
    expect(await counts()).toEqual({ ann: 2, bob: 1 });
    await save({ id: 'a1', answeredBy: 'ann' }, { id: 'gone', answeredBy: 'nobody' });
    expect(await counts()).toEqual({ ann: 2, bob: 1 });
    const sorted = (await ask('/v2/agents?sort=-calls_answered')).json.data;
    expect(sorted.map(({ eid }: Json) => eid)).toEqual(['ann', 'bob']);

    // A change of the agent leaves the count alone.
    await call(service.url, 'PUT', '/v1/agent/ann', { body: { name: 'Ann', calls_answered: 99 } });
    await call(service.url, 'POST', '/v1/agent/ann/block');
    expect(await counts()).toEqual({ ann: 2, bob: 1 });
    await save({ id: 'a3', answeredBy: 'ann' });
    expect(await counts()).toEqual({ ann: 3, bob: 1 });
  });

  test('answered calls are counted in the next request', async () => {
    for (let round = 1; round <= 20; round++) {
      await save({ id: `round-${round}`, answeredBy: 'bob' });
      const list = (await ask('/v1/agents')).json as Json[];
      expect(list.find(({ eid }) => eid === 'bob').calls_answered).toBe(1 + round);
    }
  });
});
