// Big bodies and long lists at the API while thirty callers listen to a tone (R23): sound has threads of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { call } from '../support/service.ts';
import { hangUpAll, heardSince, type Listener, listeners, Stalls, TONE_SERVICE } from './support/audio.ts';

const CALLS = 30;
const ROUNDS = 20;
const MEGABYTES = 10;

describe('a busy main thread', () => {
  let pbx: Pbx;
  let callers: Listener[];
  let stalls: Stalls;

  beforeAll(async () => {
    pbx = await startPbx({
      ...TONE_SERVICE,
      agents: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [String(1_000 + index), {}])),
    });
    stalls = new Stalls();
    callers = await listeners(pbx, CALLS);
  });
  afterAll(async () => {
    stalls?.close();
    if (callers !== undefined) await hangUpAll(callers);
    await pbx?.remove();
  });

  it('is not heard: no packet lost, no gap over 60 ms', async () => {
    const sinceMs = callers.map(({ call: each }) => each.nowMs());
    const body = `{"name":"${'x'.repeat(MEGABYTES * 1024 * 1024)}"}`;
    const deep = '['.repeat(100_000);
    for (let round = 0; round < ROUNDS; round += 1) {
      const replies = await Promise.all([
        call(pbx.url, 'POST', '/v1/ivr', { body }).then(
          ({ status }) => status,
          () => 413,
        ),
        call(pbx.url, 'POST', '/v1/ivr', { body: deep }).then(({ status }) => status),
        call(pbx.url, 'GET', '/v1/agents?limit=1000').then(({ status }) => status),
      ]);
      expect(replies.filter((status) => status >= 500)).toEqual([]);
    }
    const heard = callers.map((caller, index) => heardSince(caller, sinceMs[index] ?? 0, stalls));
    expect(heard.map(({ wrong }) => wrong).filter((wrong) => wrong !== '')).toEqual([]);
    expect(heard.reduce((sum, { lost }) => sum + lost, 0)).toBe(0);
    expect(Math.max(...heard.map(({ longestGapMs }) => longestGapMs))).toBeLessThan(60);
    expect(Math.min(...heard.map(({ packets }) => packets))).toBeGreaterThan(20);
  });
});
