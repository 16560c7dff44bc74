// docs/call-rules.md 7: an extension. Phones ring together, the first answer wins; an agent who cannot be reached is
// replaced by the failover destination, or by an apology.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'failover', 'caller', 'agent');
const RING_SECONDS = 8;
const toVoice = { failover_destination: 'ivr||failover' };
let bed: PhoneBed;
let provider: Phone;

/** One for each agent, in their order: twelve calls at once on a busy machine take more than 2 s between two keys, and then chose nothing. */
const KEYS = '1234567890*#';

beforeAll(async () => {
  // The provider's switch: a phone of ours that the trunk leads to.
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  const intercoms = [...KEYS].map((_, index) => `${1001 + index}`);
  const option = [...KEYS];
  bed = await PhoneBed.open({
    recordings,
    settings: { ring_seconds: RING_SECONDS },
    agents: {
      ...Object.fromEntries(intercoms.map((each) => [each, {}])),
      '1003': { ...toVoice },
      '1004': { custom_status: 1, ...toVoice },
      '1005': { ...toVoice },
      '1006': { ...toVoice },
      '1007': { follow_me_number: '+4930123456' },
      '1009': { ...toVoice },
    },
    menus: {
      main: { option, destination: intercoms.map(extension), timeout: 30 },
      failover: { recording: 'recording||failover', timeout: 30 },
    },
    numbers: { '100': 'ivr||main', '2': extension('1002') },
    trunks: {
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+49', strip: 1, add: '00' }],
        caller_id: '+493099',
      },
    },
  });
  bed.phones.push(provider);
});

afterAll(() => bed.close());

const keyOf = (intercom: string): string => KEYS.charAt(Number(intercom) - 1001);

/** A caller who chose that agent in the menu. */
function ask(intercom: string): Promise<PhoneCall> {
  return bed.choose('100', hz.prompt, keyOf(intercom));
}

describe.concurrent('rule 7, an extension', () => {
  it('rings all registered phones together, and the first answer wins while the others are cancelled', async () => {
    const [first, second] = await Promise.all([bed.agent('1001'), bed.agent('1001')]);
    const call = await ask('1001');
    const [one, two] = await Promise.all([first.incoming(), second.incoming()]);
    one.ring();
    two.ring();
    const ringback = await call.hears('dual', { forMs: 200 });
    expect(ringback.pair?.map((each) => Math.round(each / 20) * 20)).toEqual([440, 480]);
    await two.answer();
    expect(await one.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    expect((await one.ended()).text).toContain('cause=200');
    await call.sendTone(hz.caller);
    await two.sendTone(hz.agent);
    await Promise.all([call.hears(hz.agent, { forMs: 200 }), two.hears(hz.caller, { forMs: 200 })]);
    await two.hangUp();
    expect(await call.ended()).toMatchObject({ by: 'peer', how: 'bye', cause: 16 });
    const record = await bed.record(call);
    expect(record).toMatchObject({ end_code: 'agent-hung-up', cause: 16, answered_by: eidOf('1001') });
    expect(record.ring_ms).toBeGreaterThan(0);
    expect(record.talk_ms).toBeGreaterThan(150);
  });

  it('shows the agent who calls', async () => {
    const phone = await bed.agent('1011');
    const call = await bed.reach('100', { phone: { displayName: 'Ada' } });
    await call.hears(hz.prompt, { forMs: 40 });
    await call.pressKeys(keyOf('1011'));
    const incoming = await phone.incoming();
    expect(incoming.caller).toBe(call.dialog.local.replace(/^<sip:([^@]*)@.*/, '$1'));
    expect(incoming.invite?.headers.find(([name]) => name === 'from')?.[1]).toContain('Ada');
    await call.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
  });

  it('is heard ringing before the answer when it is what was dialled', async () => {
    const phone = await bed.agent('1002');
    const call = await bed.dial('2');
    const incoming = await phone.incoming();
    incoming.ring();
    await call.progressed(180);
    expect(call.status).toBeNull();
    await incoming.answer();
    await call.answered();
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 80 });
    await call.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
  });

  it('that is busy goes to its failover destination', async () => {
    const phone = await bed.agent('1003');
    const call = await ask('1003');
    (await phone.incoming()).reject(486, 'Busy Here');
    await call.hears(hz.failover, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toEqual(expect.arrayContaining(['agent-busy', 'failover']));
    expect(record.answered_by).toBeNull();
  });

  it('that is blocked is offered no call and goes to its failover destination', async () => {
    const phone = await bed.agent('1004');
    const call = await ask('1004');
    await call.hears(hz.failover, { forMs: 80 });
    await call.hangUp();
    expect(phone.calls).toHaveLength(0);
    expect(codes(await bed.record(call))).toContain('agent-blocked');
  });

  it('that has no phone registered is unreachable and goes to its failover destination', async () => {
    const call = await ask('1005');
    await call.hears(hz.failover, { forMs: 80 });
    await call.hangUp();
    expect(codes(await bed.record(call))).toContain('agent-unreachable');
  });

  it('that does not answer in time goes to its failover destination, and its phone is cancelled', async () => {
    const phone = await bed.agent('1006');
    const call = await ask('1006');
    const incoming = await phone.incoming();
    incoming.ring();
    await call.hears(hz.failover, { forMs: 80, withinMs: RING_SECONDS * 1_000 + 5_000 });
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await call.hangUp();
    const record = await bed.record(call);
    const rangMs = step(record, 'no-answer').at_ms - step(record, 'ringing').at_ms;
    expect(rangMs).toBeGreaterThanOrEqual(RING_SECONDS * 1_000 - 10);
    expect(rangMs).toBeLessThan(RING_SECONDS * 1_000 + 1_500);
  });

  it('rings the number to follow over the trunk together with the phone', async () => {
    const phone = await bed.agent('1007');
    const call = await ask('1007');
    const [agentStates, mobile] = await Promise.all([phone.incoming(), provider.incoming()]);
    expect(mobile.dialled).toBe('004930123456');
    expect(mobile.caller).toBe('+493099');
    agentStates.ring();
    mobile.ring();
    await mobile.answer();
    expect(await agentStates.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await mobile.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 80 });
    await call.hangUp();
    expect(await mobile.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    expect((await bed.record(call)).answered_by).toBe(eidOf('1007'));
  });

  it('without a failover destination ends in an apology and then a hang-up with the cause', async () => {
    const call = await ask('1008');
    expect(await call.ended({ withinMs: 25_000 })).toMatchObject({ by: 'peer', how: 'bye', cause: 20 });
    // The apology is speech: neither a tone nor silence.
    const spokenMs = call
      .heard()
      .reduce(
        (ms, { hz: what, fromMs, toMs }) =>
          ms + (what === 'silence' || what === 'nothing' || fromMs < 800 ? 0 : toMs - fromMs),
        0,
      );
    expect(spokenMs).toBeGreaterThan(1_000);
    const record = await bed.record(call);
    expect(codes(record)).toEqual(expect.arrayContaining(['agent-unreachable', 'apology', 'ended']));
    expect(record.end_code).toBe('agent-unreachable');
  });

  it('that is in a call is offered no second one', async () => {
    const phone = await bed.agent('1009');
    const call = await ask('1009');
    await (await phone.incoming()).answer();
    const next = await ask('1009');
    await next.hears(hz.failover, { forMs: 80 });
    expect(phone.calls).toHaveLength(1);
    await Promise.all([call.hangUp(), next.hangUp()]);
    expect(codes(await bed.record(next))).toContain('agent-busy');
  });

  it('counts the calls that it answered', async () => {
    const answered = async (): Promise<number> => {
      const { json } = await bed.api('GET', '/v1/agents');
      return json.find((each: { eid: string }) => each.eid === eidOf('1010')).calls_answered;
    };
    expect(await answered()).toBe(0);
    const phone = await bed.agent('1010');
    const call = await ask('1010');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.hangUp();
    await incoming.ended();
    await bed.until('a count of 1', async () => (await answered()) === 1);
  });

  it('of whom the phone is cancelled when the caller hangs up while it rings', async () => {
    const phone = await bed.agent('1012');
    const call = await ask('1012');
    const incoming = await phone.incoming();
    incoming.ring();
    await call.hears('dual', { forMs: 80 });
    await call.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    expect(await bed.record(call)).toMatchObject({ end_code: 'caller-hung-up', answered_by: null });
  });
});
