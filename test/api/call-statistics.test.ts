// Filters, the export and statistics over HTTP, on both databases, held against a walk through the records themselves.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT_STATES } from '../../src/domain/agent-state.ts';
import type { CallRow } from '../../src/storage/ports/calls.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases } from '../support/databases.ts';
import { callRow, menu } from '../support/payload.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const NO_TIMES = Object.fromEntries(AGENT_STATES.map((state) => [state, 0]));
const NOT_AT_WORK = { signed_in_ms: 0, paused_ms: 0, occupancy: null };
const at = (time: string): number => Date.parse(time);
const FORMULA = '=HYPERLINK("http://evil.example","click, me")';

function trailed(id: string, time: string, trail: readonly object[], changes: Partial<CallRow> = {}) {
  const startedAtMs = at(time);
  const json = JSON.stringify({ trail, caller_name: changes.caller === 'x' ? FORMULA : 'Ann' });
  return { id, startedAtMs, endedAtMs: startedAtMs + 30_000, json, ...changes };
}

const line = (atMs: number, node: string | null, code: string, more: object = {}) => ({
  atMs,
  node,
  code,
  text: '',
  ...more,
});

/** Chose 1 and was answered by ann; hung up while the phones of the department rang; hung up at the prompt; timed out. */
const CALLS: readonly Partial<CallRow>[] = [
  trailed(
    'answered',
    '2026-10-24T22:10:00Z',
    [
      line(0, 'ivr||m', 'arrived'),
      line(1400, 'ivr||m', 'key-pressed', { keys: '1' }),
      line(1400, 'ivr||m', 'option-matched', { keys: '1', destination: 'extension||ann' }),
      line(1400, 'extension||ann', 'arrived'),
      line(1400, 'extension||ann', 'ringing', { rung: ['extension||ann'] }),
      line(4400, 'extension||ann', 'connected'),
    ],
    { answeredBy: 'ann', ringMs: 3000, talkMs: 20_000, endCode: 'agent-hung-up', caller: '+4930111' },
  ),
  trailed(
    'missed',
    '2026-10-25T00:20:00Z',
    [
      line(0, 'ivr||m', 'arrived'),
      line(2600, 'ivr||m', 'key-pressed', { keys: '2' }),
      line(2600, 'ivr||m', 'option-matched', { keys: '2', destination: 'department||d' }),
      line(2600, 'department||d', 'arrived'),
      line(2600, 'department||d', 'ringing', { rung: ['extension||ann', 'extension||bob'] }),
      line(2700, 'extension||ann', 'ring-progressed'),
      line(2700, 'extension||bob', 'ring-progressed'),
      line(9000, null, 'ended'),
    ],
    { caller: '+4930222', dialled: '200' },
  ),
  trailed('left', '2026-10-25T01:20:00Z', [line(0, 'ivr||m', 'arrived'), line(500, 'ivr||m', 'ended')], {
    caller: 'x',
    direction: 'internal',
  }),
  trailed(
    'timed-out',
    '2026-10-25T23:30:00Z',
    [
      line(0, 'ivr||m', 'arrived'),
      line(5000, 'ivr||m', 'timeout-retry'),
      line(10_000, 'ivr||m', 'timeout-final', { destination: 'hangup||now' }),
      line(12_000, 'hangup||now', 'arrived'),
    ],
    { caller: null, endCode: 'hang-up-reached', ringMs: 0 },
  ),
];

onBothDatabases((database) => {
  let service: Service;
  let storage: Storage;
  beforeAll(async () => {
    const env = await database.environment();
    service = await startService({ env });
    const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
    storage = url ? await openPostgres({ url }) : await openSqlite(folder);
    const accountId = (await storage.listAccounts())[0]?.id ?? '';
    await call(service.url, 'POST', '/v1/agent', { body: { name: 'Ann Agent', eid: 'ann' } });
    await storage.saveCalls({ calls: CALLS.map((one) => callRow({ accountId, ...one })) });
  });
  afterAll(async () => {
    await storage?.close();
    await service?.remove();
  });
  const ask = (path: string) => call(service.url, 'GET', path);

  test.each([
    ['from=2026-10-25T01:00:00Z', ['timed-out', 'left']],
    ['from=2026-10-25T00:20:00%2B00:00&to=2026-10-25T23:30:00Z', ['left', 'missed']],
    ['to=2026-10-25', ['answered']],
    ['direction=internal', ['left']],
    ['agent=ann', ['answered']],
    ['involved=ann', ['missed', 'answered']],
    ['involved=bob', ['missed']],
    ['department=d', ['missed']],
    ['ivr=m', ['timed-out', 'left', 'missed', 'answered']],
    ['ivr=other', []],
    ['number=200', ['missed']],
    ['caller=%2B4930111', ['answered']],
    ['outcome=missed', ['missed']],
    ['outcome=abandoned', ['left']],
    ['outcome=completed', ['timed-out']],
    ['outcome=unanswered', ['timed-out', 'left', 'missed']],
    ['end_code=agent-hung-up', ['answered']],
    ['min_duration=31', []],
    ['min_duration=30&max_duration=30&ivr=m&outcome=answered', ['answered']],
    ['q=30222', ['missed']],
    ['q=hyperlink', ['left']],
    ['q=ANN&ivr=m', ['timed-out', 'missed', 'answered']],
  ])('the records of %s are found, newest first, and the export has the same', async (query, ids) => {
    const { json, status } = await ask(`/v1/call/records?${query}`);
    expect(status).toBe(200);
    expect(json.data.map(({ id }: Json) => id)).toEqual(ids);
    const { text } = await ask(`/v1/call/records.csv?${query}`);
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines.map((one) => one.split(',')[0])).toEqual(ids);
  });

  test('the export is RFC 4180 with a header, and no cell is a formula (T24)', async () => {
    const { text, headers } = await ask('/v1/call/records.csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toContain('attachment');
    const [header, ...lines] = text.split('\r\n');
    expect(header).toBe(
      'id,started_at,ended_at,direction,caller,caller_name,dialled,entry,outcome,end_code,cause,answered_by,ring_ms,talk_ms,wait_ms,schema,call_id',
    );
    expect(lines).toHaveLength(5);
    expect(lines[1]).toContain(`,"'${FORMULA.replaceAll('"', '""')}",`);
    expect(lines[3]).toBe(
      "answered,2026-10-24T22:10:00.000Z,2026-10-24T22:10:30.000Z,inbound,'+4930111,Ann,100,ivr||main,answered,agent-hung-up,16,ann,3000,20000,0,2,answered",
    );
  });

  test('wrong filters are told by name', async () => {
    for (const query of [
      'from=yesterday',
      'from=2026-02-30',
      'to=2026-13-01T00:00:00Z',
      'outcome=lost',
      'direction=up',
      'min_duration=-1',
      'agent=a%20b',
      'from=2026-01-01&from=2026-01-02',
    ]) {
      expectFailure(await ask(`/v1/call/records?${query}`), 'query_invalid');
      expectFailure(await ask(`/v1/call/records.csv?${query}`), 'query_invalid');
    }
  });

  test('the statistics of a menu say what callers did in it', async () => {
    const { json } = await ask('/v1/ivr/m/statistics?from=2026-10-24&to=2026-10-27&by=none');
    expect(json).toEqual({
      ivr: 'm',
      from: '2026-10-24T00:00:00+00:00',
      to: '2026-10-27T00:00:00+00:00',
      timezone: 'UTC',
      by: 'none',
      data: [],
      totals: {
        visits: 4,
        chosen: 2,
        options: { '1': 1, '2': 1 },
        invalid: 0,
        invalid_rate: 0,
        invalid_final: 0,
        timeouts: 2,
        timeout_rate: 0.5,
        timeout_final: 1,
        abandoned: 1,
        abandoned_rate: 0.25,
        abandoned_at: {
          prompt: 1,
          waiting: 0,
          collecting: 0,
          retrying: 0,
          closing: 0,
          queue: 0,
          ringing: 1,
          elsewhere: 0,
        },
        cut: 0,
        typed_ahead: 0,
        time_to_key: { count: 2, average_ms: 2000, p50_ms: 1500, p90_ms: 3000 },
      },
    });
  });

  test('days and hours are those of the viewer, also where clocks change or differ by half an hour', async () => {
    const visits = async (query: string) => {
      const { json } = await ask(`/v1/ivr/m/statistics?${query}`);
      return Object.fromEntries(
        json.data.filter((one: Json) => one.visits).map((one: Json) => [one.start, one.visits]),
      );
    };
    const berlin = 'from=2026-10-25&to=2026-10-27&timezone=Europe/Berlin';
    expect(await visits(`${berlin}&by=day`)).toEqual({
      '2026-10-25T00:00:00+02:00': 3,
      '2026-10-26T00:00:00+01:00': 1,
    });
    expect(await visits(`${berlin}&by=hour`)).toEqual({
      '2026-10-25T00:00:00+02:00': 1,
      '2026-10-25T02:00:00+02:00': 1,
      '2026-10-25T02:00:00+01:00': 1,
      '2026-10-26T00:00:00+01:00': 1,
    });
    expect(await visits('from=2026-10-25&to=2026-10-27&timezone=Asia/Kolkata&by=hour')).toEqual({
      '2026-10-25T03:00:00+05:30': 1,
      '2026-10-25T05:00:00+05:30': 1,
      '2026-10-25T06:00:00+05:30': 1,
      '2026-10-26T05:00:00+05:30': 1,
    });
    const hours = (await ask(`/v1/ivr/m/statistics?${berlin}&by=hour`)).json.data;
    expect(hours).toHaveLength(49);
  });

  test('the statistics of the account name agents and departments', async () => {
    const { json } = await ask('/v1/statistics?from=2026-10-24T22:00:00Z&to=2026-10-26&by=day');
    expect(json.totals).toMatchObject({
      calls: 4,
      inbound: 3,
      internal: 1,
      outbound: 0,
      answered: 1,
      missed: 1,
      abandoned: 1,
      completed: 1,
      voicemail: 0,
      failed: 0,
      answer_rate: 0.25,
      talk_ms: 20_000,
      average_talk_ms: 20_000,
      average_duration_ms: 30_000,
    });
    expect(json.agents).toEqual([
      {
        eid: 'ann',
        name: 'Ann Agent',
        offered: 2,
        answered: 1,
        not_answered: 1,
        talk_ms: 20_000,
        average_talk_ms: 20_000,
        ...NOT_AT_WORK,
        state_ms: NO_TIMES,
      },
      {
        eid: 'bob',
        name: null,
        offered: 1,
        answered: 0,
        not_answered: 1,
        talk_ms: 0,
        average_talk_ms: null,
        ...NOT_AT_WORK,
        state_ms: NO_TIMES,
      },
    ]);
    expect(json.departments).toEqual([
      {
        id: 'd',
        name: null,
        calls: 1,
        answered: 0,
        not_answered: 1,
        abandoned: 1,
        talk_ms: 0,
        average_talk_ms: null,
        average_wait_ms: null,
        callbacks_asked: 0,
        callbacks_done: 0,
        callbacks_failed: 0,
        queue: {
          calls: 1,
          answered: 0,
          answered_in_time: 0,
          abandoned: 1,
          left: 0,
          service_level: 0,
          average_answer_ms: null,
          abandoned_rate: 1,
          average_abandon_ms: 27_400,
        },
      },
    ]);
    expect(json.data.map(({ start, calls }: Json) => [start, calls])).toEqual([
      ['2026-10-24T00:00:00+00:00', 1],
      ['2026-10-25T00:00:00+00:00', 3],
    ]);
    // Within one quarter of an hour, which is not a whole hour of any zone.
    const quarter = await ask('/v1/statistics?from=2026-10-25T00:15:00Z&to=2026-10-25T00:30:00Z');
    expect([quarter.json.totals.calls, quarter.json.agents.length]).toEqual([1, 2]);
  });

  test('one response has all menus, the most visited first, each with the figures it has alone', async () => {
    const span = 'from=2026-10-24T22:00:00Z&to=2026-10-26T23:45:00Z';
    const { json } = await ask(`/v1/statistics/ivrs?${span}`);
    const { json: alone } = await ask(`/v1/ivr/m/statistics?${span}&by=none`);
    expect(json).toEqual({
      from: '2026-10-24T22:00:00+00:00',
      to: '2026-10-26T23:45:00+00:00',
      timezone: 'UTC',
      data: [{ ivr: 'm', ...alone.totals }],
      left_off: 0,
    });
    expect(json.data[0].visits).toBe(4);
    const { json: day } = await ask(
      '/v1/statistics/ivrs?from=2026-10-26&to=2026-10-27&timezone=Europe/Berlin',
    );
    expect(day.data.map(({ ivr, visits }: Json) => [ivr, visits])).toEqual([['m', 1]]);
    expect((await ask('/v1/statistics/ivrs?from=2026-09-01&to=2026-09-02')).json.data).toEqual([]);
    for (const query of [
      'from=2025-01-01&to=2026-10-25',
      'timezone=Mars/Olympus',
      'from=2026-10-26&to=2026-10-25',
    ])
      expectFailure(await ask(`/v1/statistics/ivrs?${query}`), 'query_invalid');
  });

  test('a week up to now without being told, a menu without visits is all zero, a menu that is none is 404', async () => {
    const { headers } = await call(service.url, 'POST', '/v1/ivr', { body: menu() });
    const { json } = await ask(`${headers.get('location')}/statistics`);
    expect(json.data).toHaveLength(7);
    expect(json.totals).toMatchObject({ visits: 0, abandoned_rate: null });
    expectFailure(await ask('/v1/ivr/none/statistics'), 'record_unknown');
  });

  test('wrong questions for statistics are told by name', async () => {
    for (const query of [
      'timezone=Mars/Olympus',
      'by=week',
      'from=2026-10-26&to=2026-10-25',
      'from=2026-01-01&to=2026-10-25&by=hour',
      'from=1990-01-01',
    ])
      expectFailure(await ask(`/v1/statistics?${query}`), 'query_invalid');
  });
});
