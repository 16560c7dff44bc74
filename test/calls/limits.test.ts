// How many calls there may be, and what the rest is told. R8: ports that run out come back; none leaks.
import { describe, expect, it } from 'vitest';
import type { PbxOptions } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { Lines, tones } from './support/lines.ts';

const { hz, recordings } = tones(400, 'prompt');

async function withLines(env: Record<string, string>, run: (lines: Lines) => Promise<void>): Promise<void> {
  const options: PbxOptions = {
    recordings,
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main' },
    env,
  };
  const lines = await Lines.open(options);
  try {
    await run(lines);
  } finally {
    await lines.close();
  }
}

async function statuses(lines: Lines, count: number): Promise<PhoneCall[]> {
  const calls = await Promise.all(Array.from({ length: count }, () => lines.dial('100')));
  await Promise.all(calls.map((call) => call.finished()));
  return calls;
}

const answered = (calls: readonly PhoneCall[]): PhoneCall[] => calls.filter(({ status }) => status === 200);
const retryAfter = (call: PhoneCall | undefined): string =>
  call?.finalResponse ? header(call.finalResponse, 'retry-after') : '';

describe.concurrent('limits', () => {
  it('MAX_CALLS calls are taken, the next is told 503 with Retry-After, and a place that is left is free again', async () => {
    await withLines({ MAX_CALLS: '3' }, async (lines) => {
      const calls = await statuses(lines, 4);
      expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503]);
      expect(retryAfter(calls.find(({ status }) => status === 503))).toMatch(/^\d+$/);
      await answered(calls)[0]?.hangUp();
      await lines.until('a free place', async () => (await lines.metric('dialtree_legs')) === 2);
      const next = await lines.reach('100');
      await next.hears(hz.prompt, { forMs: 80 });
    });
  });

  it('MAX_CALLS_PER_SECOND holds back those that come too fast', async () => {
    await withLines({ MAX_CALLS_PER_SECOND: '2' }, async (lines) => {
      const calls = await statuses(lines, 8);
      const refused = calls.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      expect(answered(calls).length).toBeGreaterThanOrEqual(2);
      expect(retryAfter(refused[0])).toMatch(/^\d+$/);
    });
  });

  it('R8: twenty ports carry ten calls, the eleventh is refused, and afterwards there is room for ten again', async () => {
    const from = 31_000 + (process.pid % 80) * 20;
    await withLines({ RTP_PORTS: `${from}-${from + 19}` }, async (lines) => {
      for (let round = 0; round < 2; round++) {
        const calls = await statuses(lines, 12);
        expect(answered(calls)).toHaveLength(10);
        for (const call of calls) expect([200, 480, 503]).toContain(call.status);
        await Promise.all(answered(calls).map((call) => call.hears(hz.prompt, { forMs: 60 })));
        await Promise.all(calls.map((call) => call.hangUp()));
        await lines.idle();
      }
    });
  });
});
