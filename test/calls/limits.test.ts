// The limits of simultaneous calls, and the response beyond them. Ports that run out come back; none leaks
// (docs/threat-model.md R8).
import { describe, expect, it } from 'vitest';
import type { PbxOptions } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt');

async function withBed(env: Record<string, string>, run: (bed: PhoneBed) => Promise<void>): Promise<void> {
  const options: PbxOptions = {
    recordings,
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main' },
    env,
  };
  const bed = await PhoneBed.open(options);
  try {
    await run(bed);
  } finally {
    await bed.close();
  }
}

async function statuses(bed: PhoneBed, count: number): Promise<PhoneCall[]> {
  const calls = await Promise.all(Array.from({ length: count }, () => bed.dial('100')));
  await Promise.all(calls.map((call) => call.finished()));
  return calls;
}

const answered = (calls: readonly PhoneCall[]): PhoneCall[] => calls.filter(({ status }) => status === 200);
const retryAfter = (call: PhoneCall | undefined): string =>
  call?.finalResponse ? header(call.finalResponse, 'retry-after') : '';

describe.concurrent('limits', () => {
  it('MAX_CALLS calls are accepted, the next gets 503 with Retry-After, and a call that ends makes room', async () => {
    await withBed({ MAX_CALLS: '3' }, async (bed) => {
      const calls = await statuses(bed, 4);
      expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503]);
      expect(retryAfter(calls.find(({ status }) => status === 503))).toMatch(/^\d+$/);
      await answered(calls)[0]?.hangUp();
      await bed.until('a call less', async () => (await bed.metric('dialtree_legs')) === 2);
      const next = await bed.reach('100');
      await next.hears(hz.prompt, { forMs: 80 });
    });
  });

  it('MAX_CALLS_PER_SECOND holds back those that come too fast', async () => {
    await withBed({ MAX_CALLS_PER_SECOND: '2' }, async (bed) => {
      const calls = await statuses(bed, 8);
      const refused = calls.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      expect(answered(calls).length).toBeGreaterThanOrEqual(2);
      expect(retryAfter(refused[0])).toMatch(/^\d+$/);
    });
  });

  it('twenty ports carry ten calls, the eleventh is refused, and afterwards there is room for ten again (R8)', async () => {
    const from = 31_000 + (process.pid % 80) * 20;
    await withBed({ RTP_PORTS: `${from}-${from + 19}` }, async (bed) => {
      for (let round = 0; round < 2; round++) {
        const calls = await statuses(bed, 12);
        expect(answered(calls)).toHaveLength(10);
        for (const call of calls) expect([200, 480, 503]).toContain(call.status);
        await Promise.all(answered(calls).map((call) => call.hears(hz.prompt, { forMs: 60 })));
        await Promise.all(calls.map((call) => call.hangUp()));
        await bed.idle();
      }
    });
  });
});
