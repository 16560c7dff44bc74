// Where the sound of a page goes: to who has proved to be there by ICE, whatever its SDP says (docs/threat-model.md, T69). The pages here are no
// browsers, as those of an attacker are not.
import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const VICTIM = '127.0.0.3';
const { hz, recordings } = tones(2_000, 'prompt');
let bed: PhoneBed;
let victim: Socket;
let packets = 0;
const { session, page } = new WebPages(() => bed);

beforeAll(async () => {
  bed = await PhoneBed.open({
    env: { WEBRTC_PORT: '0' },
    recordings,
    agents: { '1001': {}, '1002': {} },
    menus: { main: { recording: 'recording||prompt', timeout: 60 } },
    numbers: { '100': 'ivr||main' },
  });
  victim = createSocket('udp4').on('message', () => {
    packets += 1;
  });
  await new Promise<void>((resolve) => victim.bind(0, VICTIM, resolve));
});
afterAll(async () => {
  victim.close();
  await bed.close();
});

const target = () => ({ address: VICTIM, port: victim.address().port });
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 500));

describe.each([
  ['a guest', { to: 'ivr||main' }, 'call'],
  ['an agent', { agent: eidOf('1001') }, '100'],
])('%s without ICE', (_, body, dialled) => {
  it.each([
    ['to another host', target],
    ['to itself', () => ({})],
  ])('gets no plain RTP %s', async (__, sdp) => {
    packets = 0;
    const web = await page(await session(body));
    const call = await web.call(dialled, { sdp: sdp() });
    expect(await call.ended()).toMatchObject({ status: 488 });
    expect(call.finalResponse?.headers.find(([name]) => name === 'warning')?.[1]).toContain('ICE');
    await aMoment();
    expect(packets).toBe(0);
    web.close();
  });

  it('gets none by an INVITE without an offer either: ours has ICE, and its answer without it ends the call', async () => {
    packets = 0;
    const web = await page(await session(body));
    const call = await web.call(dialled, { delayedOffer: true, sdp: target() });
    await call.answered();
    expect(call.descriptions[0]).toContain('UDP/TLS/RTP/SAVPF');
    await call.ended();
    await aMoment();
    expect(packets).toBe(0);
    web.close();
  });
});

describe('a page that is rung', () => {
  it('is offered ICE, also where its Contact names UDP', async () => {
    const web = await page(await session({ agent: eidOf('1002') }));
    const contact = `<sip:x@${VICTIM}:${target().port};transport=udp>`;
    expect(await web.register(300, web.options.server, contact)).toBe(200);
    const caller = await bed.agent('1001');
    const call = await caller.call('1002');
    const rung = await web.incoming();
    expect(rung.invite?.body).toContain('UDP/TLS/RTP/SAVPF');
    await call.cancel();
    web.close();
  });
});

describe('a phone without a WebSocket', () => {
  it('gets plain RTP as ever', async () => {
    const call = await bed.reach('100');
    await call.hears(hz.prompt);
    await call.hangUp();
  });
});
