// docs/call-rules.md 1 to 3: the prompt, keys, and where they lead.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'one', 'twelve', 'star', 'hash', 'invalid', 'second');
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings: { ...recordings, prompt: { hz: hz.prompt, ms: 1_500 } },
    menus: {
      main: {
        option: ['1', '12', '*', '2'],
        destination: ['ivr||one', 'ivr||twelve', 'ivr||star', 'ivr||second'],
        timeout: 60,
      },
      hash: { option: ['1#', '#'], destination: ['ivr||one', 'ivr||hash-alone'] },
      one: { recording: 'recording||one' },
      twelve: { recording: 'recording||twelve' },
      star: { recording: 'recording||star' },
      'hash-alone': { recording: 'recording||hash' },
      second: { recording: 'recording||second', option: ['1'], destination: ['ivr||one'], timeout: 60 },
    },
    numbers: { '100': 'ivr||main', '101': 'ivr||hash' },
  });
});

afterAll(() => bed.close());

describe.concurrent('rule 1, the prompt', () => {
  it('is answered and heard whole when no key is pressed', async () => {
    const call = await bed.reach('100');
    await call.hears(hz.prompt);
    const heardMs = (): number =>
      call
        .heard()
        .filter((each) => typeof each.hz === 'number' && Math.abs(each.hz - hz.prompt) < 15)
        .reduce((ms, { fromMs, toMs }) => ms + toMs - fromMs, 0);
    await bed.until('the whole prompt', async () => heardMs() > 1_400);
    await call.hearsSilence(300);
    expect(heardMs()).toBeLessThan(1_600);
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toEqual(['call-started', 'arrived', 'answered', 'playing', 'waiting', 'ended']);
  });

  it('stops at the first key', async () => {
    const call = await bed.reach('100');
    await call.hears(hz.prompt, { forMs: 80 });
    await call.pressKeys('*');
    await call.hears(hz.star, { forMs: 80 });
    const prompt = call
      .heard()
      .find((each) => typeof each.hz === 'number' && Math.abs(each.hz - hz.prompt) < 15);
    expect((prompt?.toMs ?? 0) - (prompt?.fromMs ?? 0)).toBeLessThan(1_200);
    await call.hangUp();
  });

  it('is not played where keys were typed ahead, two menus deep', async () => {
    const call = await bed.reach('100');
    await call.pressKeys('21', { gapMs: 40 });
    await call.hears(hz.one, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record).filter((code) => code === 'option-matched')).toHaveLength(2);
  });
});

describe.concurrent('rule 2, the keys', () => {
  it('are taken at once when no longer option could match', async () => {
    const call = await bed.choose('100', hz.prompt, '12');
    await call.hears(hz.twelve, { forMs: 100, withinMs: 1_500 });
    await call.hangUp();
    const record = await bed.record(call);
    const last = record.steps.filter((each: { code: string }) => each.code === 'key-pressed').at(-1);
    expect(step(record, 'option-matched').at_ms - last.at_ms).toBeLessThan(100);
  });

  it('wait 2 s for another one when a longer option could match', async () => {
    const call = await bed.choose('100', hz.prompt, '1');
    await call.hears(hz.one, { forMs: 100 });
    await call.hangUp();
    const record = await bed.record(call);
    const waitedMs = step(record, 'option-matched').at_ms - step(record, 'key-pressed').at_ms;
    expect(waitedMs).toBeGreaterThanOrEqual(1_990);
    expect(waitedMs).toBeLessThan(3_000);
  });

  it('are ended by # when no option contains it', async () => {
    const call = await bed.choose('100', hz.prompt, '1#');
    await call.hears(hz.one, { forMs: 100, withinMs: 1_800 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(step(record, 'option-matched').text).toContain('# ended the input');
  });

  it('count # as a key when an option contains it', async () => {
    const call = await bed.choose('101', hz.prompt, '#');
    await call.hears(hz.hash, { forMs: 100 });
    await call.hangUp();
    const other = await bed.choose('101', hz.prompt, '1#');
    await other.hears(hz.one, { forMs: 100 });
    await other.hangUp();
  });

  it('are the same by SIP INFO, and in the sound when the caller has no telephone-event', async () => {
    const [info, inBand] = await Promise.all([
      bed.reach('100', { sdp: { events: null } }),
      bed.reach('100', { sdp: { events: null } }),
    ]);
    await Promise.all([
      info.pressKeys('12', { how: 'info' }).then(() => info.hears(hz.twelve)),
      inBand.pressKeys('12', { how: 'in-band' }).then(() => inBand.hears(hz.twelve)),
    ]);
    await Promise.all([info.hangUp(), inBand.hangUp()]);
  });
});
