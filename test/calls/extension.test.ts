// docs/call-rules.md 7: an extension. Phones ring together, the first answer wins; without a failover callers hear an apology. And agents
// among themselves: answers that cross, transfers that lead on to menus.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'onward', 'one', 'caller', 'agent');
/** With a number of their own: 7 and the intercom number. */
const TOGETHER = ['1021', '1022', '1027', '1028', '1029', '1031', '1032'];
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
    agents: {
      ...Object.fromEntries(intercoms.map((each) => [each, {}])),
      ...Object.fromEntries(TOGETHER.map((each) => [each, {}])),
      '1007': { follow_me_number: '+4930123456' },
    },
    departments: { sales: { agents: [eidOf('1021'), eidOf('1022')] } },
    menus: {
      main: { option, destination: intercoms.map(extension), timeout: 30 },
      onward: { recording: 'recording||onward', option: ['1'], destination: ['ivr||one'], timeout: 60 },
      one: { recording: 'recording||one', timeout: 60 },
    },
    numbers: {
      '100': 'ivr||main',
      '2': extension('1002'),
      '200': 'department||sales',
      '300': 'ivr||onward',
      ...Object.fromEntries(TOGETHER.map((each) => [`7${each}`, extension(each)])),
    },
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
    expect(await call.ended({ withinMs: 30_000 })).toMatchObject({ by: 'peer', how: 'bye', cause: 20 });
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
});

describe.concurrent('a department', () => {
  it('rings its agents together; when two answer at the same moment one talks and the other is hung up', async () => {
    const phones = await Promise.all([bed.agent('1021'), bed.agent('1022')]);
    const call = await bed.dial('200');
    const incoming = await Promise.all(phones.map((phone) => phone.incoming()));
    for (const each of incoming) each.ring();
    await Promise.allSettled(incoming.map((each) => each.answer()));
    await call.answered();
    await bed.until('one left', async () => incoming.filter(({ end }) => end === null).length === 1);
    const winner = incoming.find(({ end }) => end === null);
    await winner?.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 200 });
    await call.hangUp();
    await winner?.ended();
    const record = await bed.record(call);
    expect(record.answered_by).toBe(eidOf(winner?.dialled ?? ''));
    // Both are free again.
    const next = await bed.dial('200');
    const again = await Promise.all(phones.map((phone) => phone.incoming()));
    await next.hangUp();
    for (const each of again) expect(await each.ended()).toMatchObject({ how: 'cancel' });
  });
});

describe.concurrent('an agent', () => {
  it('who was called sends the caller to a menu, where keys work', async () => {
    const phone = await bed.agent('1027');
    const call = await bed.dial('71027');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    expect(await incoming.refer('300')).toBe(202);
    await incoming.ended();
    await call.hears(hz.onward, { forMs: 80 });
    await call.pressKeys('1');
    await call.hears(hz.one, { forMs: 80 });
    await call.hangUp();
    await bed.until('the record of the first call', async () => {
      const { json } = await bed.api('GET', '/v1/call/records?limit=100');
      const first = json.data.find((row: { dialled: string }) => row.dialled === '71027');
      return first?.end_code === 'transferred';
    });
  });

  it('who called sends the other one to a menu, where keys work', async () => {
    const [one, two] = await Promise.all([bed.agent('1028'), bed.agent('1029')]);
    const call = await one.call('1029');
    const incoming = await two.incoming();
    await incoming.answer();
    await call.answered();
    expect(await call.refer('300')).toBe(202);
    await call.ended();
    await incoming.hears(hz.onward, { forMs: 80 });
    await incoming.pressKeys('1');
    await incoming.hears(hz.one, { forMs: 80 });
    await incoming.hangUp();
  });

  it('whose phone is held is hung up like any other', async () => {
    const phone = await bed.agent('1031');
    const call = await bed.dial('71031');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    expect(await incoming.hold()).toBe(200);
    await call.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
  });

  it('is heard ringing reliably by a caller who asks for it (RFC 3262)', async () => {
    const phone = await bed.agent('1032');
    const call = await bed.dial('71032', {
      headers: [
        ['Supported', '100rel'],
        ['Require', '100rel'],
      ],
    });
    const incoming = await phone.incoming();
    incoming.ring();
    await call.progressed(180);
    await incoming.answer();
    await call.answered();
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 100 });
    await call.hangUp();
  });
});
