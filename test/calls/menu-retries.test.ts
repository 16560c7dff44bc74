// docs/call-rules.md 4 to 6: wrong keys, silence, and how each is counted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(
  200,
  ...(['prompt', 'one', 'invalid', 'final', 'retry', 'timeout', 'lost', 'late'] as const),
);
let bed: PhoneBed;

beforeAll(async () => {
  const menu = {
    option: ['1'],
    destination: ['ivr||one'],
    timeout: 1,
    invalid_destination: 'ivr||lost',
    timeout_destination: 'ivr||late',
  };
  bed = await PhoneBed.open({
    recordings,
    menus: {
      twice: { ...menu, timeout: 30, incorrect_count: 1, recording_invalid: 'recording||final' },
      plain: { ...menu, timeout: 30, incorrect_count: 0 },
      slow: { ...menu, timeout_tries: 1 },
      never: { ...menu, timeout: 0, timeout_tries: 0 },
      both: { ...menu, incorrect_count: 1, timeout_tries: 1 },
      one: { recording: 'recording||one', timeout: 30 },
      lost: { recording: 'recording||lost', timeout: 30 },
      late: { recording: 'recording||late', timeout: 30 },
      bye: { recording: 'recording||prompt', timeout: 0, timeout_tries: 0 },
    },
    numbers: {
      '100': 'ivr||twice',
      '101': 'ivr||plain',
      '102': 'ivr||slow',
      '103': 'ivr||never',
      '104': 'ivr||both',
      '105': 'ivr||bye',
    },
  });
});

afterAll(() => bed.close());

async function hearsInTurn(call: PhoneCall, ...names: (keyof typeof hz)[]): Promise<void> {
  for (const name of names) await call.hears(hz[name], { forMs: 80 });
}

describe.concurrent('rule 4, keys that match nothing', () => {
  it('play the retry prompt and the menu again, until the retries are used up', async () => {
    const call = await bed.reach('100');
    await hearsInTurn(call, 'prompt');
    await call.pressKeys('9#');
    await hearsInTurn(call, 'invalid', 'prompt');
    await call.pressKeys('8#');
    await hearsInTurn(call, 'final', 'lost');
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record).filter((code) => code.startsWith('invalid'))).toEqual([
      'invalid-retry',
      'invalid-final',
    ]);
    expect(step(record, 'invalid-final')).toMatchObject({ keys: '8', destination: 'ivr||lost' });
  });

  it('lead straight to the final step when there are no retries, with the invalid recording for want of another', async () => {
    const call = await bed.choose('101', hz.prompt, '9#');
    await hearsInTurn(call, 'invalid', 'lost');
    await call.hangUp();
  });

  it('are invalid after 2 s without #', async () => {
    const call = await bed.choose('101', hz.prompt, '55');
    await hearsInTurn(call, 'invalid', 'lost');
    await call.hangUp();
    const record = await bed.record(call);
    expect(step(record, 'invalid-final')).toMatchObject({ keys: '55' });
    expect(codes(record)).not.toContain('timeout-final');
  });

  it('leave a second try that is right with its destination', async () => {
    const call = await bed.choose('100', hz.prompt, '9#');
    await hearsInTurn(call, 'invalid');
    await call.pressKeys('1');
    await hearsInTurn(call, 'one');
    await call.hangUp();
  });
});

describe.concurrent('rule 5, silence', () => {
  it('plays the retry prompt and the menu again, until the retries are used up', async () => {
    const call = await bed.reach('102');
    await hearsInTurn(call, 'prompt', 'retry', 'prompt', 'timeout', 'late');
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record).filter((code) => code.startsWith('timeout'))).toEqual([
      'timeout-retry',
      'timeout-final',
    ]);
    const waitedMs = step(record, 'timeout-retry').at_ms - step(record, 'waiting').at_ms;
    expect(waitedMs).toBeGreaterThanOrEqual(990);
    expect(waitedMs).toBeLessThan(2_000);
  });

  it('is not waited for when the time is 0', async () => {
    const call = await bed.reach('103');
    await hearsInTurn(call, 'prompt', 'timeout', 'late');
    await call.hangUp();
    const waits = (await bed.record(call)).steps.filter(({ code }: { code: string }) => code === 'waiting');
    expect(waits.map(({ node }: { node: string }) => node)).not.toContain('ivr||never');
  });

  it('ends the call where the destination is a hang-up, with BYE and cause 16', async () => {
    const call = await bed.reach('105');
    await hearsInTurn(call, 'prompt', 'timeout');
    expect(await call.ended()).toMatchObject({ by: 'peer', how: 'bye', cause: 16 });
    const record = await bed.record(call);
    expect(record).toMatchObject({ end_code: 'hang-up-reached', cause: 16 });
    expect(record.end).toMatchObject({ word: 'normal-clearing' });
  });
});

describe.concurrent('rule 6, the two counters', () => {
  it('do not touch each other', async () => {
    const call = await bed.reach('104');
    await hearsInTurn(call, 'prompt');
    await call.pressKeys('9#');
    await hearsInTurn(call, 'invalid', 'prompt', 'retry', 'prompt');
    await call.pressKeys('7#');
    await hearsInTurn(call, 'invalid', 'lost');
    await call.hangUp();
    const counted = codes(await bed.record(call)).filter((code) => /^(invalid|timeout)-/.test(code));
    expect(counted).toEqual(['invalid-retry', 'timeout-retry', 'invalid-final']);
  });
});
