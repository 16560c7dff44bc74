// PROTOS c07-sip sent to a running service, while ten callers listen to a tone (T10, R23).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protos } from '../sip/support/corpora.ts';
import { corpusMissing } from '../support/corpora.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { hangUpAll, heardSince, type Listener, listeners, Stalls, TONE_SERVICE } from './support/audio.ts';
import { callsLeft, NOTHING_LEFT } from './support/metrics.ts';
import { Probe } from './support/sip-probe.ts';

/** What a message may take of the thread that answers; a round trip through two processes is longer, never shorter. */
const MOST_MS = 5;
const TRIES = 8;

describe.skipIf(corpusMissing('sip'))('PROTOS c07-sip, live', () => {
  let pbx: Pbx;
  let callers: Listener[];
  let probe: Probe;
  let stalls: Stalls;
  const samples = corpusMissing('sip') ? [] : protos();

  beforeAll(async () => {
    stalls = new Stalls();
    pbx = await startPbx(TONE_SERVICE);
    probe = await Probe.open(pbx.sip);
    callers = await listeners(pbx, 10);
  });
  afterAll(async () => {
    stalls?.close();
    probe?.close();
    await pbx?.remove();
  });

  it('4,527 messages: alive after each, none keeps it for 5 ms, ten calls hear their tone without a gap', async () => {
    expect(samples).toHaveLength(4_527);
    const sinceMs = callers.map(({ call }) => call.nowMs());
    const slow: string[] = [];
    for (const { name, bytes } of samples) {
      let bestMs = Number.POSITIVE_INFINITY;
      for (let tries = 0; bestMs > MOST_MS && tries < TRIES; tries += 1) {
        bestMs = Math.min(bestMs, await probe.after(bytes));
      }
      if (bestMs > MOST_MS) slow.push(`${name}: ${bestMs.toFixed(1)} ms`);
    }
    const heard = callers.map((caller, index) => heardSince(caller, sinceMs[index] ?? 0, stalls));
    expect(slow).toEqual([]);
    expect(heard.map(({ wrong }) => wrong).filter((wrong) => wrong !== '')).toEqual([]);
    expect(heard.reduce((sum, { lost }) => sum + lost, 0)).toBe(0);
    expect(Math.max(...heard.map(({ longestGapMs }) => longestGapMs))).toBeLessThan(60);
    expect(Math.min(...heard.map(({ packets }) => packets))).toBeGreaterThan(50);
  });

  it('nothing is left of it, and nothing was thrown', async () => {
    await hangUpAll(callers);
    expect(await callsLeft(pbx)).toEqual(NOTHING_LEFT);
    expect(pbx.log.filter((line) => line.includes('"level":50') || line.includes('"level":60'))).toEqual([]);
  });
});
