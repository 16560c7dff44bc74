// Two people talk: audio and keys both ways, whatever their phones are like, and what either may ask for meanwhile.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { CallOptions, PhoneCall } from '../support/phone/phone-call.ts';
import type { PhoneOptions } from '../support/phone/phone-options.ts';
import { header } from '../support/phone/sip-text.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'caller', 'agent', 'second');
const AGENTS = Array.from({ length: 30 }, (_, index) => String(1_001 + index));
const numberOf = (intercom: string): string => `7${intercom}`;
let bed: PhoneBed;
let nextAgent = 0;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: Object.fromEntries(AGENTS.map((each) => [each, {}])),
    menus: { main: { timeout: 60 } },
    numbers: {
      '100': 'ivr||main',
      ...Object.fromEntries(AGENTS.map((each) => [numberOf(each), extension(each)])),
    },
  });
});

afterAll(() => bed.close());

interface Talk {
  readonly caller: PhoneCall;
  readonly agent: PhoneCall;
  readonly phone: Phone;
  readonly intercom: string;
}

/** An agent of its own for every test, in a call with a stranger. */
async function talk(
  caller: CallOptions & { phone?: Partial<PhoneOptions> } = {},
  agent: Partial<PhoneOptions> = {},
): Promise<Talk> {
  const intercom = AGENTS[nextAgent++] ?? '';
  const phone = await bed.agent(intercom, agent);
  const call = await bed.dial(numberOf(intercom), caller);
  const incoming = await phone.incoming();
  incoming.ring();
  await incoming.answer();
  await call.answered();
  return { caller: call, agent: incoming, phone, intercom };
}

/** Each hears the other's tone. */
async function hearEachOther({ caller, agent }: Pick<Talk, 'caller' | 'agent'>): Promise<void> {
  caller.forget();
  agent.forget();
  await caller.sendTone(hz.caller);
  await agent.sendTone(hz.agent);
  await Promise.all([caller.hears(hz.agent, { forMs: 200 }), agent.hears(hz.caller, { forMs: 200 })]);
}

async function hangUp({ caller, agent }: Pick<Talk, 'caller' | 'agent'>): Promise<void> {
  await caller.hangUp();
  expect(await agent.ended()).toMatchObject({ by: 'peer', how: 'bye' });
}

describe.concurrent('two who talk', () => {
  it('hear each other', async () => {
    const both = await talk();
    await hearEachOther(both);
    await hangUp(both);
  });

  it('hear each other when one knows µ-law alone and the other A-law alone', async () => {
    const both = await talk({ sdp: { codecs: ['pcmu'] } }, { sdp: { codecs: ['pcma'] } });
    await hearEachOther(both);
    expect(both.caller.remote?.law).toBe('pcmu');
    expect(both.agent.rtp.packets.some(({ payloadType }) => payloadType === 8)).toBe(true);
    await hangUp(both);
  });

  it('hear each other at 40 ms a packet', async () => {
    const both = await talk({ sdp: { ptimeMs: 40 } });
    await hearEachOther(both);
    await hangUp(both);
  });

  it('press keys that the other one receives, each once', async () => {
    const both = await talk();
    await both.caller.pressKeys('42#');
    await both.agent.receivesKeys('42#');
    await both.agent.pressKeys('*71');
    await both.caller.receivesKeys('*71');
    await hangUp(both);
  });

  it('press keys by SIP INFO that the other one receives', async () => {
    const both = await talk();
    await both.caller.pressKeys('19', { how: 'info' });
    await both.agent.receivesKeys('19');
    await both.agent.pressKeys('5', { how: 'info' });
    await both.caller.receivesKeys('5');
    await hangUp(both);
  });

  it('press keys that a phone without telephone-event hears as tones', async () => {
    const both = await talk({}, { sdp: { events: null } });
    await both.caller.pressKeys('5', { durationMs: 160 });
    const heard = await both.agent.hears('dual', { forMs: 60 });
    expect(heard.pair?.map((each) => Math.round(each / 40) * 40)).toEqual([760, 1_320]);
    await hangUp(both);
  });

  it('may number telephone-event as each likes', async () => {
    const both = await talk({ sdp: { events: 96 } });
    await both.caller.pressKeys('8');
    await both.agent.receivesKeys('8');
    await both.agent.pressKeys('3');
    await both.caller.receivesKeys('3');
    await hangUp(both);
  });

  it('hold and resume from either side', async () => {
    const both = await talk();
    await hearEachOther(both);
    for (const [holder, other] of [
      [both.caller, both.agent],
      [both.agent, both.caller],
    ] as const) {
      expect(await holder.hold()).toBe(200);
      expect(holder.remote?.direction).toBe('recvonly');
      await new Promise((resolve) => setTimeout(resolve, 100));
      holder.forget();
      await holder.hearsSilence(300);
      expect(await holder.resume()).toBe(200);
      await hearEachOther({ caller: both.caller, agent: both.agent });
      expect(other.end).toBeNull();
    }
    await hangUp(both);
  });

  it('hold by the old address 0.0.0.0 and resume', async () => {
    const both = await talk();
    await hearEachOther(both);
    expect(await both.caller.reinvite({ address: '0.0.0.0' })).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
    both.caller.forget();
    await both.caller.hearsSilence(300);
    expect(await both.caller.reinvite({ address: '127.0.0.1' })).toBe(200);
    await hearEachOther(both);
    await hangUp(both);
  });

  it('go on after a re-INVITE without SDP, an UPDATE, and a change of codec', async () => {
    const both = await talk();
    expect(await both.caller.reinvite('')).toBe(200);
    await hearEachOther(both);
    expect(await both.agent.update({})).toBe(200);
    await hearEachOther(both);
    expect(await both.caller.reinvite({ codecs: ['pcma'] })).toBe(200);
    await hearEachOther(both);
    await hangUp(both);
  });

  it('keep talking when an offer is refused with 488', async () => {
    const both = await talk();
    const video =
      'v=0\r\no=- 1 9 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 9 RTP/AVP 99\r\n';
    expect(await both.caller.reinvite(video)).toBe(488);
    await hearEachOther(both);
    await hangUp(both);
  });
});

describe.concurrent('a caller', () => {
  it('who sends no offer gets ours, and hears the prompt', async () => {
    const call = await bed.reach('100', { delayedOffer: true });
    await call.hears(hz.prompt, { forMs: 100 });
    await call.hangUp();
    const both = await talk({ delayedOffer: true });
    await hearEachOther(both);
    await hangUp(both);
  });

  it('over TCP reaches an agent over TCP', async () => {
    const server = bed.tcp;
    const both = await talk({ phone: { server, transport: 'tcp' } }, { server, transport: 'tcp' });
    await hearEachOther(both);
    expect(await both.agent.hold()).toBe(200);
    expect(await both.agent.resume()).toBe(200);
    await both.agent.hangUp();
    expect(await both.caller.ended()).toMatchObject({ by: 'peer', how: 'bye' });
  });

  it('who asks for a session timer gets one, and one that is too short is refused with the shortest', async () => {
    const timer = [
      ['Supported', 'timer'],
      ['Session-Expires', '120;refresher=uac'],
    ] as const;
    const call = await bed.reach('100', { headers: timer });
    expect(call.finalResponse && header(call.finalResponse, 'session-expires')).toMatch(/^120;refresher=uac/);
    await call.hangUp();
    const short = await bed.dial('100', {
      headers: [
        ['Supported', 'timer'],
        ['Session-Expires', '30'],
      ],
    });
    expect(await short.finished()).toBe(422);
    expect(short.finalResponse && header(short.finalResponse, 'min-se')).toBe('90');
  });

  it('who offers nothing that we speak is refused with 488', async () => {
    const raw =
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 18\r\n';
    const call = await bed.dial('100', { sdp: { raw } });
    expect(await call.finished()).toBe(488);
  });
});

describe.concurrent('a blind transfer', () => {
  it('by the agent brings the caller to a colleague, and the agent is free', async () => {
    const both = await talk();
    const colleague = await talkable();
    expect(await both.agent.refer(colleague.intercom)).toBe(202);
    const incoming = await colleague.phone.incoming();
    incoming.ring();
    await both.caller.hears('dual', { forMs: 200 });
    expect(await both.agent.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    expect(both.agent.notifications.at(-1)).toContain('200');
    await incoming.answer();
    await hearEachOther({ caller: both.caller, agent: incoming });
    await both.caller.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    const caller = both.caller.dialog.local.replace(/^<sip:([^@]*)@.*/, '$1');
    await bed.until('both records', async () => {
      const rows = (await bed.api('GET', '/v1/call/records?limit=100')).json.data;
      return rows.filter((row: { caller: string }) => row.caller === caller).length === 2;
    });
    const second = await bed.record(caller);
    expect(second).toMatchObject({ answered_by: eidOf(colleague.intercom), end_code: 'caller-hung-up' });
  });

  it('to a number outside is refused when no trunk lets agents call it', async () => {
    const both = await talk();
    expect(await both.agent.refer('+49900123456')).toBe(403);
    await hearEachOther(both);
    await hangUp(both);
  });

  it('is refused to the caller', async () => {
    const both = await talk();
    expect(await both.caller.refer('100')).toBe(403);
    await hearEachOther(both);
    await hangUp(both);
  });
});

/** An agent who waits for a call. */
async function talkable(): Promise<{ phone: Phone; intercom: string }> {
  const intercom = AGENTS[nextAgent++] ?? '';
  return { phone: await bed.agent(intercom), intercom };
}
