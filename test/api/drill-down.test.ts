// Every count of the statistics, held against the call records that its filter finds: as many rows as the number says, on both databases.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRow } from '../../src/storage/ports/calls.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases } from '../support/databases.ts';
import { callRow } from '../support/payload.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';

const BEGAN = Date.parse('2026-11-02T08:00:00Z');
const SPAN = 'from=2026-11-02&to=2026-11-04';

type Line = readonly [atMs: number, node: string | null, code: string];

function aCall(index: number, lines: readonly Line[], lastMs: number, changes: Partial<CallRow> = {}) {
  const trail = lines.map(([atMs, node, code]) => ({ atMs, node, code, text: '' }));
  const startedAtMs = BEGAN + index * 600_000;
  const json = JSON.stringify({ trail, caller_name: '' });
  return { id: `call-${index}`, startedAtMs, endedAtMs: startedAtMs + lastMs, json, ...changes };
}

const arrived = (atMs: number, department: string): Line => [atMs, `department||${department}`, 'arrived'];
const rang = (atMs: number, eid: string): Line => [atMs, `extension||${eid}`, 'ring-progressed'];
const answeredBy = (eid: string) => ({ answeredBy: eid, talkMs: 9_000, endCode: 'agent-hung-up' });

/** Waits at, below and above thresholds; two departments; agents who ring and do not answer. */
function someCalls(): Partial<CallRow>[] {
  const calls: Partial<CallRow>[] = [];
  for (const [index, waitMs] of [0, 4_999, 5_000, 19_000, 20_000, 20_001, 61_000, 700_000].entries())
    calls.push(
      aCall(
        index,
        [
          arrived(100, 'a'),
          rang(200, 'ann'),
          rang(200, 'bob'),
          [100 + waitMs, 'extension||ann', 'connected'],
        ],
        waitMs + 9_100,
        answeredBy('ann'),
      ),
    );
  // Went on from a to b, where bob answered; the arrival at b counts there.
  calls.push(
    aCall(
      20,
      [arrived(0, 'a'), arrived(30_000, 'b'), rang(31_000, 'bob'), [42_000, 'extension||bob', 'connected']],
      60_000,
      answeredBy('bob'),
    ),
  );
  calls.push(aCall(21, [arrived(0, 'a'), rang(1000, 'ann')], 12_000));
  calls.push(aCall(22, [arrived(0, 'a'), arrived(5_000, 'b')], 45_000));
  calls.push(
    aCall(23, [arrived(0, 'b'), [9_000, 'voicemail||v', 'arrived']], 30_000, { endCode: 'voicemail-left' }),
  );
  calls.push(aCall(24, [[0, 'ivr||m', 'arrived']], 3_000));
  calls.push(aCall(25, [[0, 'number||1', 'connected']], 3_000, { endCode: 'operator-hung-up' }));
  // A call-back of a caller who is counted by the call that asked for it, and a parked call: both are in no queue.
  const back = aCall(26, [arrived(0, 'a'), rang(100, 'ann'), [4_000, 'extension||ann', 'connected']], 20_000);
  const json = JSON.stringify({ ...JSON.parse(back.json), callback: { id: 'x', call_id: 'y', attempt: 1 } });
  calls.push({ ...back, ...answeredBy('ann'), direction: 'outbound', json });
  calls.push(
    aCall(27, [arrived(0, 'parking 701'), [4_000, 'extension||bob', 'connected']], 20_000, {
      ...answeredBy('bob'),
      direction: 'internal',
    }),
  );
  return calls;
}

onBothDatabases((database) => {
  let service: Service;
  let storage: Storage;
  beforeAll(async () => {
    const env = await database.environment();
    service = await startService({ env });
    const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
    storage = url ? await openPostgres({ url }) : await openSqlite(folder);
    const accountId = (await storage.listAccounts())[0]?.id ?? '';
    await storage.saveCalls({ calls: someCalls().map((one) => callRow({ accountId, ...one })) });
  });
  afterAll(async () => {
    await storage?.close();
    await service?.remove();
  });
  const ask = (path: string) => call(service.url, 'GET', path);

  async function rowsOf(filter: string): Promise<number> {
    let rows = 0;
    let cursor: string | null = '';
    for (let page = 0; page < 20 && cursor !== null; page++) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json, status } = await ask(`/v1/call/records?${SPAN}&limit=3${filter}${more}`);
      expect(status).toBe(200);
      rows += json.data.length;
      cursor = json.next_cursor;
    }
    return rows;
  }

  const RESULTS = [
    ['answered', 'answered'],
    ['answered_in_time', 'in_time'],
    ['abandoned', 'abandoned'],
    ['left', 'left'],
  ] as const;

  test.each([5, 20, 30, 60, 600])(
    'with a service level of %i seconds each count has as many records',
    async (seconds) => {
      await call(service.url, 'PATCH', '/v1/settings', { body: { service_level_seconds: seconds } });
      const { json } = await ask(`/v1/statistics?${SPAN}&by=none`);
      expect(json.service_level_seconds).toBe(seconds);
      const { totals } = json;
      const counted: [filter: string, count: number][] = [
        ['', totals.calls],
        ['&outcome=talked', totals.talked],
        ['&outcome=voicemail', totals.voicemail],
        ['&direction=inbound', totals.inbound],
        ['&queue=any', totals.queue.calls],
        ['&queue=late', totals.queue.answered - totals.queue.answered_in_time],
      ];
      for (const [figure, word] of RESULTS) counted.push([`&queue=${word}`, totals.queue[figure]]);
      for (const { id, calls, queue } of json.departments as Json[]) {
        counted.push([`&department=${id}`, calls], [`&department=${id}&queue=any`, queue.calls]);
        for (const [figure, word] of RESULTS)
          counted.push([`&department=${id}&queue=${word}`, queue[figure]]);
      }
      for (const { eid, offered, answered, not_answered } of json.agents as Json[])
        counted.push(
          [`&offered=${eid}`, offered],
          [`&agent=${eid}`, answered],
          [`&unanswered_by=${eid}`, not_answered],
        );
      const found: typeof counted = [];
      for (const [filter] of counted) found.push([filter, await rowsOf(filter)]);
      expect(found).toEqual(counted);
      const inTime = { 5: 3, 20: 6, 30: 7, 60: 7, 600: 8 }[seconds];
      expect(json.departments.map(({ id }: Json) => id)).toEqual(['a', 'b']);
      expect(totals.queue).toMatchObject({
        calls: 12,
        answered: 9,
        answered_in_time: inTime,
        abandoned: 2,
        left: 1,
        service_level: Math.round(((inTime ?? 0) / 12) * 10_000) / 10_000,
      });
    },
  );

  test('a service level that no class of waits ends with is refused', async () => {
    const { status } = await call(service.url, 'PATCH', '/v1/settings', {
      body: { service_level_seconds: 17 },
    });
    expect(status).toBe(400);
  });
});
