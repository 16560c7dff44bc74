// Hold: what the other side hears meanwhile, whichever side holds, however its phone says so, and in recorded, listened-in and
// transferred calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(2_000, 'caller', 'agent', 'house', 'sales', 'boss');
const AGENTS = Array.from({ length: 20 }, (_, index) => String(1_001 + index));
const SALES = '1102';
/** The tone of `hold_sound: tone`. */
const HOLD_TONE_HZ = 440;
const RTP_TIMEOUT_MS = 5_000;
let bed: PhoneBed;
let nextAgent = 0;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: {
      ...Object.fromEntries(AGENTS.map((each) => [each, {}])),
      [SALES]: {},
    },
    departments: { sales: { agents: [eidOf(SALES)], music_on_hold: 'recording||sales' } },
    numbers: {
      ...Object.fromEntries(AGENTS.map((each) => [`7${each}`, extension(each)])),
      '200': 'department||sales',
    },
    settings: { music_on_hold: 'recording||house' },
    env: { RTP_TIMEOUT_SECONDS: String(RTP_TIMEOUT_MS / 1_000) },
  });
});

afterAll(() => bed.close());

interface Talk {
  readonly caller: PhoneCall;
  readonly agent: PhoneCall;
  readonly phone: Phone;
}

async function talk(intercom = AGENTS[nextAgent++] ?? '', number = `7${intercom}`): Promise<Talk> {
  const phone = await bed.agent(intercom);
  const caller = await bed.dial(number);
  const agent = await phone.incoming();
  await agent.answer();
  await caller.answered();
  await caller.sendTone(hz.caller);
  await agent.sendTone(hz.agent);
  return { caller, agent, phone };
}

async function hears(call: PhoneCall, tone: number): Promise<void> {
  call.forget();
  await call.hears(tone, { forMs: 200 });
}

const hearEachOther = ({ caller, agent }: Talk): Promise<unknown> =>
  Promise.all([hears(caller, hz.agent), hears(agent, hz.caller)]);

async function hangUp({ caller, agent }: Talk): Promise<void> {
  await caller.hangUp();
  await agent.ended();
}

const WAYS: readonly (readonly [
  string,
  (call: PhoneCall) => Promise<number>,
  (call: PhoneCall) => Promise<number>,
])[] = [
  ['sendonly', (call) => call.hold(), (call) => call.resume()],
  ['inactive', (call) => call.reinvite({ direction: 'inactive' }), (call) => call.resume()],
  [
    'the address 0.0.0.0',
    (call) => call.reinvite({ address: '0.0.0.0' }),
    (call) => call.reinvite({ address: '127.0.0.1' }),
  ],
  [
    'UPDATE',
    (call) => call.update({ direction: 'sendonly' }),
    (call) => call.update({ direction: 'sendrecv' }),
  ],
  ['a delayed offer', (call) => call.redescribe('sendonly'), (call) => call.redescribe('sendrecv')],
];

describe.concurrent('who is put on hold', () => {
  it.each(WAYS)(
    'by %s hears the music of the account, and the other side again at once',
    async (_, hold, resume) => {
      const both = await talk();
      await hearEachOther(both);
      for (const [holder, held, heldHz] of [
        [both.caller, both.agent, hz.agent],
        [both.agent, both.caller, hz.caller],
      ] as const) {
        expect(await hold(holder)).toBe(200);
        await hears(held, hz.house);
        holder.forget();
        await holder.hearsSilence(200);
        expect(await resume(holder)).toBe(200);
        await hears(holder, heldHz);
        await hearEachOther(both);
      }
      await hangUp(both);
    },
  );

  it('hears nothing of what the holding phone still sends, but its keys', async () => {
    const both = await talk();
    await both.agent.hold();
    await hears(both.caller, hz.house);
    await both.agent.sendTone(hz.boss);
    both.caller.forget();
    await both.agent.pressKeys('7');
    await both.caller.receivesKeys('7');
    await hears(both.caller, hz.house);
    expect(both.caller.heard().some(({ hz: tone }) => tone === hz.boss)).toBe(false);
    await hangUp(both);
  });

  it('by both: who resumes first hears the music until the other resumes', async () => {
    const both = await talk();
    await both.caller.hold();
    await hears(both.agent, hz.house);
    await both.agent.hold();
    both.agent.forget();
    await both.agent.hearsSilence(200);
    await both.caller.resume();
    await hears(both.caller, hz.house);
    await both.agent.resume();
    await hearEachOther(both);
    await hangUp(both);
  });

  it('in a call of a department hears the music of the department', async () => {
    const both = await talk(SALES, '200');
    await both.agent.hold();
    await hears(both.caller, hz.sales);
    await both.agent.resume();
    await hearEachOther(both);
    await hangUp(both);
  });

  it('before the agent answered: the agent hears the music first', async () => {
    const intercom = AGENTS[nextAgent++] ?? '';
    const phone = await bed.agent(intercom);
    const held = await bed.dial(`7${intercom}`, { sdp: { direction: 'sendonly' } });
    const agent = await phone.incoming();
    await agent.answer();
    await held.answered();
    await hears(agent, hz.house);
    await held.sendTone(hz.caller);
    await held.resume();
    await hears(agent, hz.caller);
    await held.hangUp();
    await agent.ended();
  });

  it('for longer than the RTP time-out stays in the call, when both are silent', async () => {
    const both = await talk();
    await both.agent.reinvite({ direction: 'inactive' });
    await both.caller.reinvite({ direction: 'inactive' });
    await new Promise((resolve) => setTimeout(resolve, RTP_TIMEOUT_MS + 1_500));
    expect([both.caller.end, both.agent.end]).toEqual([null, null]);
    await both.caller.resume();
    await hears(both.caller, hz.house);
    await both.agent.resume();
    await hearEachOther(both);
    await hangUp(both);
  });

  it('and is transferred hears the ringing of the colleague, and then the colleague', async () => {
    const both = await talk();
    const intercom = AGENTS[nextAgent++] ?? '';
    const colleague = await bed.agent(intercom);
    await both.agent.hold();
    await hears(both.caller, hz.house);
    both.caller.forget();
    expect(await both.agent.refer(intercom)).toBe(202);
    const incoming = await colleague.incoming();
    incoming.ring();
    await both.caller.hears('dual', { forMs: 200 });
    await incoming.answer();
    await incoming.sendTone(hz.boss);
    await hears(both.caller, hz.boss);
    await hears(incoming, hz.caller);
    await both.caller.hangUp();
    await incoming.ended();
  });

  it('hears a supervisor who barges in above the music', async () => {
    const both = await talk();
    const intercom = AGENTS[nextAgent++] ?? '';
    const boss = await bed.agent(intercom);
    const id = await bed.until('the live call', async () => {
      const { json } = await bed.api('GET', '/v1/live_calls');
      return json.data.find(({ caller }: Json) => caller === callerOf(both.caller))?.id ?? null;
    });
    expect(
      (await bed.api('POST', '/v1/call/listen', { id, agent: eidOf(intercom), mode: 'barge' })).status,
    ).toBe(200);
    const third = await boss.incoming();
    await third.answer();
    await third.hears('dual', { forMs: 200 });
    await both.agent.hold();
    await hears(both.caller, hz.house);
    await third.sendTone(hz.boss);
    const pair = [hz.house, hz.boss].sort((one, other) => one - other);
    await bed.until('both tones', async () =>
      both.caller
        .heard()
        .some((each) => each.pair?.every((tone, at) => Math.abs(tone - (pair[at] ?? 0)) < 25)),
    );
    await third.sendSilence();
    await both.agent.resume();
    await hears(both.caller, hz.agent);
    await hangUp(both);
  });
});

describe('the setting hold_sound', () => {
  it.each([
    ['tone', HOLD_TONE_HZ],
    ['silence', null],
  ] as const)('%s', async (hold_sound, tone) => {
    expect((await bed.api('PATCH', '/v1/settings', { hold_sound })).status).toBe(200);
    const both = await talk();
    await both.agent.hold();
    both.caller.forget();
    if (tone !== null) await both.caller.hears(tone, { forMs: 200, withinMs: 30_000 });
    else {
      const { packets } = both.caller.rtp;
      await both.caller.hearsSilence(300);
      const before = packets.length;
      // Silent packets: the NAT between stays open, and the phone knows that the call is alive.
      await bed.until('packets', async () => packets.length > before + 10);
    }
    await both.agent.resume();
    await hearEachOther(both);
    await hangUp(both);
  });
});
