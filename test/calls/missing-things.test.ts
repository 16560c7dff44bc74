// docs/call-rules.md 8 and 9: things that are not there, and destinations that go round in circles.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { recordings } = tones(200, 'prompt', 'invalid', 'retry', 'timeout', 'deleted');
/** The short tone that stands for a recording that is not there. */
const MISSING_HZ = 400;
let bed: PhoneBed;

beforeAll(async () => {
  const round = { timeout: 0, timeout_tries: 0 };
  bed = await PhoneBed.open({
    recordings,
    agents: {
      '1001': { failover_destination: extension('1002') },
      '1002': { failover_destination: extension('1001') },
    },
    menus: {
      mute: { recording: 'recording||nowhere', timeout: 30 },
      erased: { recording: 'recording||deleted', timeout: 30 },
      lost: { option: ['1'], destination: ['extension||404'], timeout: 30 },
      gone: { ...round, timeout_destination: 'ivr||no-such-menu' },
    },
    numbers: {
      '100': 'ivr||mute',
      '101': 'ivr||erased',
      '102': 'ivr||lost',
      '103': 'ivr||gone',
      '104': extension('1001'),
    },
  });
});

afterAll(() => bed.close());

/** How long something other than silence was heard since then. */
function soundMs(call: PhoneCall, sinceMs: number): number {
  return call
    .heard()
    .filter(({ hz: what, fromMs }) => fromMs >= sinceMs && what !== 'silence' && what !== 'nothing')
    .reduce((ms, { fromMs, toMs }) => ms + toMs - fromMs, 0);
}

describe.concurrent('rule 8, things that are missing', () => {
  it('plays a short tone for a recording that does not exist, and records it in the trail', async () => {
    const call = await bed.reach('100');
    await call.hears(MISSING_HZ, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toContain('recording-missing');
  });

  it('plays a short tone for a recording whose file is gone, and records it in the trail', async () => {
    const { json } = await bed.api('GET', '/v1/ivr/erased');
    expect(json.recording).toBe('recording||deleted');
    rmSync(join(bed.pbx.dataDir, 'recordings'), { recursive: true, force: true });
    const call = await bed.reach('101');
    await call.hears(MISSING_HZ, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(step(record, 'recording-missing').text).toContain('cannot be read');
  });

  it('apologises for a destination that does not exist, and hangs up with cause 1', async () => {
    const call = await bed.reach('102');
    await call.pressKeys('1', { gapMs: 200 });
    await call.pressKeys('1');
    const fromMs = call.nowMs();
    expect(await call.ended({ withinMs: 25_000 })).toMatchObject({ by: 'peer', how: 'bye', cause: 1 });
    expect(soundMs(call, fromMs)).toBeGreaterThan(500);
    const record = await bed.record(call);
    expect(codes(record)).toEqual(expect.arrayContaining(['destination-missing', 'apology']));
    expect(record.end_code).toBe('destination-missing');
  });

  it('apologises for a menu that does not exist', async () => {
    const call = await bed.reach('103');
    expect(await call.ended({ withinMs: 25_000 })).toMatchObject({ by: 'peer', how: 'bye', cause: 1 });
    expect(soundMs(call, 0)).toBeGreaterThan(500);
  });
});

describe.concurrent('rule 9, a chain of destinations', () => {
  it('is cut after 20 hops; nothing was answered, so the caller gets 404', async () => {
    const call = await bed.dial('104');
    expect(await call.finished()).toBe(404);
    const record = await bed.record(call);
    expect(record.legs).toMatchObject([{ role: 'caller', answered_at_ms: null, status: 404, cause: 25 }]);
    expect(codes(record)).toContain('status-sent');
    expect(codes(record).filter((code) => code === 'arrived')).toHaveLength(1 + 20);
    expect(record.end_code).toBe('hop-limit');
  });
});
