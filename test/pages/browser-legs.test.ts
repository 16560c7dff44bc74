// Browsers as phones, with real RTCPeerConnections in Chromium. SIP over UDP carries their SDP: how a page gets its SIP is another thing.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { closePages, missing, sharedBrowser, tools } from './support/browser.ts';
import { BrowserPhone } from './support/browser-phone.ts';
import { AUDIO_FLAGS } from './support/page-sound.ts';

const { hz, recordings } = tones(60_000, 'prompt', 'caller', 'agent', 'second', 'network');
/** The test phone carries the page's SDP, and sends no RTP itself. */
const carried = (raw: string) => ({ raw, direction: 'recvonly' as const });

/** Longer than a browser has to connect once it is answered. */
const LONG_RING_MS = 17_000;

let bed: PhoneBed;
let provider: Phone;
let browser: Browser;

beforeAll(async () => {
  if (typeof tools === 'string') return;
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    env: { WEBRTC_PORT: '0' },
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {}, '1004': {} },
    menus: {
      main: {
        recording: 'recording||prompt',
        option: ['1', '2', '3'],
        destination: ['1001', '1002', '1003'].map(extension),
        timeout: 60,
      },
    },
    numbers: { '100': 'ivr||main', '71004': extension('1004') },
    trunks: {
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }],
        agents_may_call: true,
      },
    },
  });
  bed.phones.push(provider);
  browser = await sharedBrowser(AUDIO_FLAGS);
});

afterAll(async () => {
  await closePages(browser);
  await bed?.close();
});

interface BrowserCall {
  readonly page: BrowserPhone;
  readonly call: PhoneCall;
}

async function callFromBrowser(number: string): Promise<BrowserCall> {
  const page = await BrowserPhone.open(browser);
  const call = await bed.dial(number, { sdp: carried(await page.offer()) });
  await call.answered();
  await page.answered(call.descriptions.at(-1));
  return { page, call };
}

/** A registered phone whose Contact says, as a browser's does, that it is reached by WebSocket. */
async function browserAgent(intercom: string): Promise<Phone> {
  return bed.agent(intercom, { contactTransport: 'ws' });
}

async function reoffer({ page, call }: BrowserCall, restart = false): Promise<void> {
  expect(await call.reinvite(carried(await page.offer({ restart })))).toBe(200);
  await page.answered(call.descriptions.at(-1));
}

describe.skipIf(missing !== null)('a browser', () => {
  it('calls the menu, hears its prompt, presses a key, and talks with an agent at a plain phone', async () => {
    const agent = await bed.agent('1001');
    const { page, call } = await callFromBrowser('100');
    expect(call.descriptions.at(-1)).toContain('UDP/TLS/RTP/SAVPF');
    await page.hears(hz.prompt);
    await page.press('1');
    const incoming = await agent.incoming();
    expect(incoming.descriptions.at(-1)).toContain('RTP/AVP');
    await incoming.answer();
    await page.tone(hz.caller);
    await incoming.sendTone(hz.agent);
    await Promise.all([page.hears(hz.agent), incoming.hears(hz.caller, { forMs: 200 })]);
    // RTCP of both sides: our report after 5 s, and the browser's answer to it within the next 5 s.
    const reported = async () => (await page.statistics()).find(({ type }) => type === 'remote-inbound-rtp');
    await expect.poll(reported, { timeout: 60_000 }).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    expect(await reported()).toMatchObject({ packetsLost: 0 });
    await call.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    const record = await bed.record(call);
    expect(record.legs[0].packets_received).toBeGreaterThan(200);
    expect(record.legs[0].round_trip_ms).toBeGreaterThanOrEqual(0);
  });

  it('is called as an agent, and hears the caller', async () => {
    const agent = await browserAgent('1004');
    const caller = await bed.dial('71004');
    const incoming = await agent.incoming();
    const offer = incoming.descriptions.at(-1) ?? '';
    expect(offer).toContain('UDP/TLS/RTP/SAVPF');
    const page = await BrowserPhone.open(browser);
    await incoming.answer(carried(await page.answer(offer)));
    await caller.answered();
    await page.tone(hz.agent);
    await caller.sendTone(hz.caller);
    await Promise.all([page.hears(hz.caller), caller.hears(hz.agent, { forMs: 200 })]);
    await caller.hangUp();
    await incoming.ended();
  });

  it('keeps its call through a long ring with early media, which a page may read with the answer alone', async () => {
    const agent = await browserAgent('1001');
    const page = await BrowserPhone.open(browser);
    const call = await agent.call('+4930100', { sdp: carried(await page.offer()) });
    const far = await provider.incoming();
    far.ring(183);
    await far.sendTone(hz.network);
    await call.progressed(183);
    await new Promise((resolve) => setTimeout(resolve, LONG_RING_MS));
    expect(call.status).toBeNull();
    await far.answer();
    await call.answered();
    await page.answered(call.descriptions.at(-1));
    await page.tone(hz.caller);
    await Promise.all([page.hears(hz.network), far.hears(hz.caller, { forMs: 200 })]);
    await call.hangUp();
    await far.ended();
  });

  it('keeps its call through an ICE restart', async () => {
    const agent = await bed.agent('1002');
    const browserCall = await callFromBrowser('100');
    const { page, call } = browserCall;
    await page.hears(hz.prompt);
    const before = call.descriptions.at(-1);
    await reoffer(browserCall, true);
    expect(iceOf(call.descriptions.at(-1))).not.toEqual(iceOf(before));
    await page.connected();
    await page.press('2');
    const incoming = await agent.incoming();
    await incoming.answer();
    await incoming.sendTone(hz.agent);
    await page.tone(hz.caller);
    await Promise.all([page.hears(hz.agent), incoming.hears(hz.caller, { forMs: 200 })]);
    await call.hangUp();
  });

  it('takes up its call in a new page', async () => {
    const { page, call } = await callFromBrowser('100');
    await page.hears(hz.prompt);
    await page.page.close();
    const again = await BrowserPhone.open(browser);
    await reoffer({ page: again, call });
    await again.hears(hz.prompt);
    await call.hangUp();
  });

  it('holds and resumes without another connection', async () => {
    const agent = await bed.agent('1003');
    const browserCall = await callFromBrowser('100');
    const { page, call } = browserCall;
    await page.hears(hz.prompt);
    await page.press('3');
    const incoming = await agent.incoming();
    await incoming.answer();
    await incoming.sendTone(hz.agent);
    await page.hears(hz.agent);
    const before = iceOf(call.descriptions.at(-1));
    await page.direct('sendonly');
    await reoffer(browserCall);
    expect(call.descriptions.at(-1)).toContain('a=recvonly');
    await page.direct('sendrecv');
    await reoffer(browserCall);
    expect(iceOf(call.descriptions.at(-1))).toEqual(before);
    await incoming.sendTone(hz.second);
    await page.hears(hz.second);
    await call.hangUp();
  });
});

const iceOf = (sdp = ''): unknown => sdp.match(/^a=(?:ice-ufrag|ice-pwd|fingerprint):.*$/gm);
