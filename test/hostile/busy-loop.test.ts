// Big bodies and long lists at the API while thirty callers listen to a tone (R23): sound has threads of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { call } from '../support/service.ts';
import {
  hangUpAll,
  heardByAll,
  type Listener,
  listeners,
  nowOf,
  Stalls,
  TONE_SERVICE,
} from './support/audio.ts';

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

  it('is not heard: no packet lost, and sound goes on while requests are open', async () => {
    const sinceMs = nowOf(callers);
    let heardMeanwhile = 0;
    const packets = (): number => callers.reduce((sum, { call: each }) => sum + each.rtp.packets.length, 0);
    const body = `{"name":"${'x'.repeat(MEGABYTES * 1024 * 1024)}"}`;
    const deep = '['.repeat(100_000);
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = packets();
      const replies = await Promise.all([
        call(pbx.url, 'POST', '/v1/ivr', { body }).then(
          ({ status }) => status,
          () => 413,
        ),
        call(pbx.url, 'POST', '/v1/ivr', { body: deep }).then(({ status }) => status),
        call(pbx.url, 'GET', '/v1/agents?limit=1000').then(({ status }) => status),
      ]);
      heardMeanwhile += packets() - before;
      expect(replies.filter((status) => status >= 500)).toEqual([]);
    }
    const { packets: least, lost, wrong, ended, gaps } = heardByAll(callers, sinceMs, stalls);
    console.log(
      `gaps in sound beside a busy main thread: ${gaps}; ${heardMeanwhile} packets while requests were open`,
    );
    expect([lost, wrong, ended]).toEqual([0, [], 0]);
    expect(least).toBeGreaterThan(20);
    // More than one for each request that is open, of all callers together.
    expect(heardMeanwhile).toBeGreaterThan(3 * ROUNDS);
  });
});
