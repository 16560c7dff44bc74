// G.722 between two phones that have it: passed through while they talk alone, and given up whenever a sound of the service is needed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Law } from '../support/phone/law.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { Bot, send } from './support/bot.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(4_000, 'prompt', 'caller', 'agent', 'second');
const WIDEBAND: { readonly codecs: readonly Law[] } = { codecs: ['g722', 'pcmu'] };
let bed: PhoneBed;
let bot: Bot;

beforeAll(async () => {
  bot = await Bot.open({
    '/echo': (call, { event, media }) => {
      if (event === 'media') send(call, 'media', { media: { payload: media.payload } });
    },
  });
  bed = await PhoneBed.open({
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {}, '1004': {} },
    menus: {
      main: { recording: 'recording||prompt', option: ['1'], destination: [extension('1001')], timeout: 60 },
    },
    numbers: { '100': 'ivr||main' },
  });
});
afterAll(async () => {
  await bed.close();
  await bot.close();
});

interface Talk {
  readonly caller: PhoneCall;
  readonly called: PhoneCall;
}

async function talk(from: Phone, to: Phone): Promise<Talk> {
  const caller = await from.call(to.user);
  const called = await to.incoming();
  await called.answer();
  await caller.answered();
  await caller.sendTone(hz.caller);
  await called.sendTone(hz.agent);
  return { caller, called };
}

const law = (call: PhoneCall): Law | undefined => call.remote?.law;
const reach = (call: PhoneCall, wanted: Law) => expect.poll(() => law(call)).toBe(wanted);

async function wide(one: string, other: string): Promise<Talk> {
  const from = await bed.agent(one, { sdp: WIDEBAND });
  const to = await bed.agent(other, { sdp: WIDEBAND });
  const both = await talk(from, to);
  await Promise.all([reach(both.caller, 'g722'), reach(both.called, 'g722')]);
  return both;
}

describe('two phones with G.722', () => {
  it('begin with G.711, change to it while they talk, and hear each other', async () => {
    const { caller, called } = await wide('1001', '1002');
    expect(caller.descriptions[0]).not.toContain('G722');
    expect(called.descriptions[0]).not.toContain('G722');
    await caller.sendTone(hz.second);
    await called.hears(hz.second, { forMs: 200 });
    await caller.hears(hz.agent, { forMs: 200 });
    await caller.pressKeys('5');
    await called.receivesKeys('5');
    await caller.hangUp();
    expect(await called.ended()).toMatchObject({ by: 'peer', how: 'bye' });
  });

  it('go back when one of them is transferred to a menu, whose prompt is heard', async () => {
    const { caller, called } = await wide('1001', '1002');
    expect(await called.refer('100')).toBe(202);
    await caller.hears(hz.prompt, { forMs: 200 });
    expect(law(caller)).toBe('pcmu');
    await caller.hangUp();
  });

  it('go back when one of them is transferred to a voice bot without a disclosure, and they hear each other', async () => {
    const stream = await bed.api('POST', '/v1/stream', {
      name: 'Echo',
      url: `${bot.url}/echo`,
      next_destination: 'ivr||main',
      failed_destination: 'ivr||main',
    });
    expect(stream.status, stream.text).toBe(201);
    const destination = `stream||${stream.json.id}`;
    const number = await bed.api('POST', '/v1/number', { number: '200', destination });
    expect(number.status, number.text).toBe(201);
    const { caller, called } = await wide('1001', '1002');
    expect(await called.refer('200')).toBe(202);
    await reach(caller, 'pcmu');
    await caller.sendTone(hz.second);
    await caller.hears(hz.second, { forMs: 300 });
    await caller.hangUp();
  });

  it('go back when one holds, and the other hears music; they change again when it resumes', async () => {
    const { caller, called } = await wide('1001', '1002');
    expect(await called.hold()).toBe(200);
    await reach(caller, 'pcmu');
    expect(await called.resume()).toBe(200);
    await Promise.all([reach(caller, 'g722'), reach(called, 'g722')]);
    await called.sendTone(hz.second);
    await caller.hears(hz.second, { forMs: 200 });
    await caller.hangUp();
  });

  it.each([
    ['with an offer', {}],
    ['without one', ''],
  ])('stay in it when one refreshes its session by a re-INVITE %s', async (_how, sdp) => {
    const { caller, called } = await wide('1001', '1002');
    const offers = called.descriptions.length;
    expect(await caller.reinvite(sdp)).toBe(200);
    expect(law(caller)).toBe('g722');
    await caller.sendTone(hz.second);
    await called.hears(hz.second, { forMs: 200 });
    await caller.hears(hz.agent, { forMs: 200 });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(law(called)).toBe('g722');
    expect(called.descriptions.length).toBe(offers);
    await caller.hangUp();
  });

  it('go back when one of them offers G.711 alone, and hear each other', async () => {
    const { caller, called } = await wide('1001', '1002');
    expect(await caller.reinvite({ codecs: ['pcmu'] })).toBe(200);
    await reach(called, 'pcmu');
    await caller.sendTone(hz.second);
    await called.hears(hz.second, { forMs: 200 });
    await caller.hears(hz.agent, { forMs: 200 });
    await caller.hangUp();
  });

  it('go back for a listener, who hears both', async () => {
    const { caller, called } = await wide('1001', '1002');
    const supervisor = await bed.agent('1003', { sdp: WIDEBAND });
    const { json } = await bed.api('GET', '/v1/live_calls');
    const { id } = json.data[0];
    const asked = await bed.api('POST', '/v1/call/listen', {
      call_id: id,
      agent: eidOf('1003'),
      mode: 'monitor',
    });
    expect(asked.status, JSON.stringify(asked.json)).toBeLessThan(300);
    const listening = await supervisor.incoming();
    await listening.answer();
    await called.sendTone(0);
    await listening.hears(hz.caller, { forMs: 200 });
    await caller.sendTone(0);
    await called.sendTone(hz.agent);
    await listening.hears(hz.agent, { forMs: 200 });
    expect([law(caller), law(called)]).toEqual(['pcmu', 'pcmu']);
    await caller.hears(hz.agent, { forMs: 200 });
    await caller.hangUp();
    await listening.ended();
  });
});

describe('a phone with G.722', () => {
  it('keeps G.711 with one that has none', async () => {
    const from = await bed.agent('1001', { sdp: WIDEBAND });
    const to = await bed.agent('1004');
    const { caller, called } = await talk(from, to);
    await expect.poll(() => called.descriptions.some((sdp) => sdp.includes('G722'))).toBe(true);
    await called.hears(hz.caller, { forMs: 200 });
    await caller.hears(hz.agent, { forMs: 200 });
    expect(caller.descriptions.some((sdp) => sdp.includes('G722'))).toBe(false);
    expect(law(called)).toBe('pcmu');
    await caller.hangUp();
  });

  it('keeps G.711 in a conversation with a number outside, and in a menu', async () => {
    const from = await bed.agent('1001', { sdp: WIDEBAND });
    const call = await (await from.call('100')).answered();
    await call.hears(hz.prompt, { forMs: 200 });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(call.descriptions.some((sdp) => sdp.includes('G722'))).toBe(false);
    await call.hangUp();
  });
});
