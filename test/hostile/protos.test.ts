// PROTOS c07-sip sent to a running service, while ten callers listen to a tone (T10, R23).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protos } from '../sip/support/corpora.ts';
import { corpusMissing } from '../support/corpora.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import {
  hangUpAll,
  heardByAll,
  type Listener,
  listeners,
  nowOf,
  Stalls,
  TONE_SERVICE,
} from './support/audio.ts';
import { callsLeft, NOTHING_LEFT } from './support/metrics.ts';
import { Probe } from './support/sip-probe.ts';

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

  it('4,527 messages: alive after each, and ten calls hear their tone', async () => {
    expect(samples).toHaveLength(4_527);
    const sinceMs = nowOf(callers);
    // How much work each of them is, test/sip/protos.test.ts counts.
    const tookMs: number[] = [];
    for (const { bytes } of samples) tookMs.push(await probe.after(bytes));
    const { packets, lost, wrong, ended, gaps } = heardByAll(callers, sinceMs, stalls);
    console.log(`PROTOS: slowest answer ${Math.max(...tookMs).toFixed(1)} ms; gaps in sound: ${gaps}`);
    expect([lost, wrong, ended]).toEqual([0, [], 0]);
    expect(packets).toBeGreaterThan(50);
  });

  it('nothing is left of it, and nothing was thrown', async () => {
    await hangUpAll(callers);
    expect(await callsLeft(pbx)).toEqual(NOTHING_LEFT);
    expect(pbx.log.filter((line) => line.includes('"level":50') || line.includes('"level":60'))).toEqual([]);
  });
});
