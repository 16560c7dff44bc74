// Browser legs beside plain ones, by tone: in a conference room, in recorded conversations, and with a phone that has G.722. With real browsers:
// test/pages/browser-legs.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BrowserPeer } from '../support/browser-peer.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { Law } from '../support/phone/law.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';
import { heardIn, soundsOf } from './support/recorded-sound.ts';
import { WebPages } from './support/web-pages.ts';

const { hz } = tones(400, 'page', 'phone', 'third');
const WIDEBAND: { readonly codecs: readonly Law[] } = { codecs: ['g722', 'pcmu'] };
const ICE = 'UDP/TLS/RTP/SAVPF';
let bed: PhoneBed;
let room = '';
const peers: BrowserPeer[] = [];
const { session, page } = new WebPages(() => bed);

beforeAll(async () => {
  bed = await PhoneBed.open({
    // Two media workers: the legs of a call are in both.
    env: { WEBRTC_PORT: '0', MEDIA_WORKERS: '2' },
    agents: { '1001': {}, '1002': {}, '1003': { record_calls: true }, '1004': {} },
    numbers: { '703': extension('1003') },
  });
  const made = await bed.api('POST', '/v1/room', { name: 'Board', announce: false });
  expect(made.status, made.text).toBe(201);
  room = made.json.id;
  await bed.api('POST', '/v1/number', { number: '200', destination: `room||${room}` });
});
afterEach(() => bed.idle());
afterAll(async () => {
  await bed.close();
  for (const peer of peers) peer.close();
});

interface PageCall {
  readonly peer: BrowserPeer;
  readonly call: PhoneCall;
}

function newPeer(laws?: readonly Law[]): BrowserPeer {
  const peer = new BrowserPeer(laws);
  peers.push(peer);
  return peer;
}

/** A page of agent 1001 that dials; its connection is made when the other side has answered. */
async function dialFromPage(number: string, laws?: readonly Law[]): Promise<PageCall> {
  const peer = newPeer(laws);
  const web = await page(await session({ agent: eidOf('1001') }));
  const call = await web.call(number, { sdp: peer.carried(await peer.offer()) });
  return { peer, call };
}

async function answered({ peer, call }: PageCall): Promise<void> {
  await call.answered();
  peer.answered(call.descriptions.at(-1));
}

/** A page of that agent that is rung and answers. */
async function answerInPage(
  agent: string,
  ring: () => Promise<PhoneCall>,
): Promise<PageCall & { caller: PhoneCall }> {
  const peer = newPeer();
  const web = await page(await session({ agent: eidOf(agent) }));
  expect(await web.register()).toBe(200);
  const caller = await ring();
  const call = await web.incoming();
  const offer = call.invite?.body ?? '';
  expect(offer).toContain(ICE);
  await call.answer(peer.carried(await peer.answer(offer)));
  await caller.answered();
  return { peer, call, caller };
}

/** Each sends its tone and hears that of the other. */
async function hearEachOther(peer: BrowserPeer, phone: PhoneCall): Promise<void> {
  peer.sendTone(hz.page);
  await phone.sendTone(hz.phone);
  peer.forget();
  phone.forget();
  await Promise.all([peer.hears(hz.phone), phone.hears(hz.page, { forMs: 200 })]);
}

describe('in a conference room', () => {
  it('a page and a plain phone hear each other, and both hear a third one, who hears the page', async () => {
    const inPage = await dialFromPage('200');
    await answered(inPage);
    const { peer, call } = inPage;
    expect(call.descriptions.at(-1)).toContain(ICE);
    const phone = await bed.reach('200');
    await hearEachOther(peer, phone);
    const { json } = await bed.api('GET', `/v1/room/${room}/participants`);
    expect(json.participants.map(({ caller }: Json) => caller)).toEqual(['1001', callerOf(phone)]);
    const third = await bed.reach('200');
    await phone.sendSilence();
    await third.hears(hz.page, { forMs: 200 });
    peer.sendTone(0);
    await third.sendTone(hz.third);
    for (const each of [peer, phone]) each.forget();
    await Promise.all([peer.hears(hz.third), phone.hears(hz.third, { forMs: 200 })]);
    for (const each of [call, phone, third]) await each.hangUp();
    expect((await bed.record('1001')).legs).toMatchObject([{ encryption: 'dtls' }]);
  });
});

describe('a recorded conversation', () => {
  const channelsOf = async (id: string): Promise<number[][]> => {
    const audio: string = await bed.until('the recording', async () => {
      const { json } = await bed.api('GET', `/v1/call/recordings?call_id=${id}`);
      return json.data[0]?.audio ?? null;
    });
    return (await heardIn(`${bed.pbx.url}${audio}`)).map(soundsOf);
  };

  it('has the voices of a page that called and of the phone on tracks of their own', async () => {
    const recorded = await bed.agent('1003');
    const inPage = await dialFromPage('703');
    const phone = await recorded.incoming();
    await phone.answer();
    await answered(inPage);
    await hearEachOther(inPage.peer, phone);
    const { json } = await bed.api('GET', '/v1/live_calls');
    const [{ id }] = json.data;
    await inPage.call.hangUp();
    await phone.ended();
    await recorded.unregister();
    expect(await channelsOf(id)).toEqual([[hz.page], [hz.phone]]);
  });

  it('has those of a caller and of a page that answered', async () => {
    const { peer, call, caller } = await answerInPage('1003', () => bed.dial('703'));
    await hearEachOther(peer, caller);
    await caller.hangUp();
    await call.ended();
    const { id, legs } = await bed.record(caller);
    expect(legs.map(({ encryption }: Json) => encryption)).toEqual(['none', 'dtls']);
    expect(await channelsOf(id)).toEqual([[hz.phone], [hz.page]]);
  });
});

describe('with a phone that has G.722', () => {
  const law = (call: PhoneCall): Law | undefined => call.remote?.law;
  const reach = async (peer: BrowserPeer, phone: PhoneCall, wanted: Law): Promise<void> => {
    await expect.poll(() => [peer.law, law(phone)]).toEqual([wanted, wanted]);
  };

  it('a page without it stays at 8 kHz, and so does the phone', async () => {
    const wide = await bed.agent('1002', { sdp: WIDEBAND });
    const inPage = await dialFromPage('1002', ['pcmu', 'pcma']);
    const phone = await wide.incoming();
    await phone.answer();
    await answered(inPage);
    await hearEachOther(inPage.peer, phone);
    // Longer than until phones that talk alone are asked.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const offers = [...phone.descriptions, ...inPage.call.descriptions];
    expect(offers.filter((sdp) => sdp.includes('G722'))).toEqual([]);
    expect([inPage.peer.law, law(phone)]).toEqual(['pcmu', 'pcmu']);
    await hearEachOther(inPage.peer, phone);
    await phone.hangUp();
    await inPage.call.ended();
    await wide.unregister();
  });

  it('a page that called and has it changes to it while they talk, and back when the phone holds', async () => {
    const wide = await bed.agent('1002', { sdp: WIDEBAND });
    const inPage = await dialFromPage('1002');
    const phone = await wide.incoming();
    await phone.answer();
    await answered(inPage);
    await hearEachOther(inPage.peer, phone);
    await reach(inPage.peer, phone, 'g722');
    await hearEachOther(inPage.peer, phone);
    expect(await phone.hold()).toBe(200);
    await expect.poll(() => inPage.peer.law).toBe('pcmu');
    expect(await phone.resume()).toBe(200);
    await reach(inPage.peer, phone, 'g722');
    await hearEachOther(inPage.peer, phone);
    await inPage.call.hangUp();
    await phone.ended();
    await wide.unregister();
  });

  it('a page that was called does so, too', async () => {
    const wide = await bed.agent('1002', { sdp: WIDEBAND });
    const { peer, call, caller } = await answerInPage('1004', () => wide.call('1004'));
    await hearEachOther(peer, caller);
    await reach(peer, caller, 'g722');
    await hearEachOther(peer, caller);
    await caller.hangUp();
    await call.ended();
    await wide.unregister();
  });
});
