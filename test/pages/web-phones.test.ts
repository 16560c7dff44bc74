// Phones in web pages, whole: JsSIP in Chromium, over our WebSocket, with the sound of the browser itself.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKey } from '../../src/domain/phone-session.ts';
import { Bot, isTone, received, say, toneAudio } from '../calls/support/bot.ts';
import { codes, PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { ACCOUNT, eidOf, extension } from '../support/pbx.ts';
import { call as ask, type Json } from '../support/service.ts';
import { closePages, missing, sharedBrowser, tools } from './support/browser.ts';
import { JssipPage } from './support/jssip-page.ts';
import { AUDIO_FLAGS } from './support/page-sound.ts';

const { hz, recordings } = tones(60_000, 'prompt', 'caller', 'agent', 'second');

let bed: PhoneBed;
let browser: Browser;

beforeAll(async () => {
  if (typeof tools === 'string') return;
  bed = await PhoneBed.open({
    env: { WEBRTC_PORT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings,
    agents: { '1001': {}, '1002': {} },
    menus: {
      main: {
        recording: 'recording||prompt',
        option: ['1', '2'],
        destination: ['1001', '1002'].map(extension),
        timeout: 60,
      },
    },
    numbers: { '100': 'ivr||main' },
    settings: { srtp: 'required' },
  });
  browser = await sharedBrowser(AUDIO_FLAGS);
});

afterAll(async () => {
  await closePages(browser);
  await bed?.close();
});

async function page(body: object, register: boolean): Promise<{ page: JssipPage; made: Json }> {
  const { json: made } = await bed.api('POST', '/v1/phone_session', body);
  const opened = await JssipPage.open(browser, bed.pbx.url);
  await opened.start(made, bed.pbx.url, register);
  return { page: opened, made };
}

const reaches = (page: JssipPage, state: string) =>
  expect.poll(() => page.states(), { timeout: 30_000 }).toContain(state);
const sends = (page: JssipPage, codec: string) =>
  expect.poll(() => page.sends(), { timeout: 30_000 }).toBe(`audio/${codec}`);

interface Talk {
  readonly agent: JssipPage;
  readonly caller: JssipPage;
}

/** A visitor who pressed 1 in the menu, and the agent who answered. */
async function talk(): Promise<Talk> {
  const { page: agent } = await page({ agent: eidOf('1001') }, true);
  const { page: caller, made } = await page({ to: 'ivr||main' }, false);
  await caller.does(`call(${JSON.stringify(made.dial)})`);
  await caller.hears(hz.prompt);
  await caller.does('keys("1")');
  await reaches(agent, 'new');
  await agent.does('answer()');
  await reaches(agent, 'confirmed');
  await caller.tone(hz.caller);
  await agent.tone(hz.agent);
  await Promise.all([caller.hears(hz.agent), agent.hears(hz.caller)]);
  return { agent, caller };
}

const closed = (...pages: readonly JssipPage[]) => Promise.all(pages.map(({ page: each }) => each.close()));

describe.skipIf(missing !== null)('two pages', () => {
  it('call the menu and be the agent, talk, hold and hang up, encrypted on both sides', async () => {
    const { agent, caller } = await talk();
    await Promise.all([sends(agent, 'opus'), sends(caller, 'opus')]);
    await caller.tone(hz.second);
    await agent.hears(hz.second);
    await agent.does('rtc.hold()');
    await reaches(agent, 'hold');
    await sends(caller, 'PCMU');
    await agent.does('rtc.unhold()');
    await reaches(agent, 'unhold');
    await agent.tone(hz.second);
    await caller.hears(hz.second);
    await Promise.all([sends(agent, 'opus'), sends(caller, 'opus')]);
    await agent.tone(hz.agent);
    await caller.hears(hz.agent);
    await agent.does('rtc.terminate()');
    await reaches(caller, 'ended');
    const record = await bed.record('web');
    expect(record).toMatchObject({ entry: 'ivr||main', outcome: 'answered', web: { button: null } });
    const legs: Json[] = record.legs;
    expect(legs.map(({ encryption }) => encryption)).toEqual(['dtls', 'dtls']);
    for (const { packets_received: received } of legs) expect(received).toBeGreaterThan(50);
    await closed(agent, caller);
  });

  it('transfer a caller blindly to a colleague', async () => {
    const { page: agent } = await page({ agent: eidOf('1001') }, true);
    const { page: colleague } = await page({ agent: eidOf('1002') }, true);
    const { page: caller, made } = await page({ to: '100' }, false);
    await caller.does(`call(${JSON.stringify(made.dial)})`);
    await caller.hears(hz.prompt);
    await caller.does('keys("1")');
    await reaches(agent, 'new');
    await agent.does('answer()');
    await reaches(agent, 'confirmed');
    await agent.tone(hz.agent);
    await caller.hears(hz.agent);
    await agent.does('transfer("1002")');
    await reaches(colleague, 'new');
    await colleague.does('answer()');
    await colleague.tone(hz.second);
    await caller.tone(hz.caller);
    await Promise.all([caller.hears(hz.second), colleague.hears(hz.caller)]);
    await caller.does('rtc.terminate()');
    await reaches(colleague, 'ended');
    await Promise.all([agent, colleague, caller].map(({ page: each }) => each.close()));
  });
});

describe.skipIf(missing !== null)('a page in a call', () => {
  it('goes on after its network has changed, by another WebSocket and an ICE restart', async () => {
    const { agent, caller } = await talk();
    await sends(caller, 'opus');
    await caller.does('loseNetwork()');
    await expect.poll(() => caller.isConnected(), { timeout: 30_000 }).toBe(false);
    await expect.poll(() => caller.isConnected(), { timeout: 30_000 }).toBe(true);
    await caller.does('restartIce()');
    await agent.tone(hz.second);
    await caller.hears(hz.second);
    await caller.tone(hz.prompt);
    await agent.hears(hz.prompt);
    // Longer than a page that is gone is waited for.
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    expect(await caller.states()).not.toContain('ended');
    expect(await agent.states()).not.toContain('ended');
    await caller.does('rtc.terminate()');
    await reaches(agent, 'ended');
    await closed(agent, caller);
  });

  it('takes its call up after a reload', async () => {
    const { agent, caller } = await talk();
    const replaces = await agent.replaces();
    await agent.page.close();
    const { page: again } = await page({ agent: eidOf('1001') }, true);
    await again.does(`call("1001", ${JSON.stringify([replaces])})`);
    await again.tone(hz.second);
    await Promise.all([again.hears(hz.caller), caller.hears(hz.second)]);
    await caller.does('rtc.terminate()');
    await reaches(again, 'ended');
    expect(await bed.record('web')).toMatchObject({ outcome: 'answered' });
    await closed(again, caller);
  });
});

describe.skipIf(missing !== null)('a page that talks with a voice bot', () => {
  it('takes its call up after a reload: it is the same conversation, and each hears the other', async () => {
    const bot = await Bot.open({});
    const ways = { next_destination: 'ivr||main', failed_destination: 'ivr||main' };
    const stream = await bed.api('POST', '/v1/stream', { name: 'Bot', url: `${bot.url}/talk`, ...ways });
    const number = { number: '300', destination: `stream||${stream.json.id}` };
    expect((await bed.api('POST', '/v1/number', number)).status).toBe(201);
    const to = { to: '300' };
    const { page: caller, made } = await page(to, false);
    await caller.does(`call(${JSON.stringify(made.dial)})`);
    const at = await bot.call('/talk');
    const talkAt = async (side: JssipPage, callerHz: number, botHz: number): Promise<void> => {
      const before = at.messages.length;
      await side.tone(callerHz);
      say(at, toneAudio(botHz, 4_000));
      await side.hears(botHz);
      await received(
        at,
        'media',
        (message) => at.messages.indexOf(message) >= before && isTone(message.media.payload, callerHz),
      );
    };
    await received(at, 'start');
    await talkAt(caller, hz.caller, hz.agent);
    const replaces = await caller.replaces();
    await caller.page.close();
    const { page: again, made: next } = await page(to, false);
    await again.does(`call(${JSON.stringify(next.dial)}, ${JSON.stringify([replaces])})`);
    await talkAt(again, hz.second, hz.prompt);
    await again.does('keys("7")');
    await received(at, 'dtmf', ({ dtmf }) => dtmf.digit === '7');
    expect([bot.calls.length, at.closed]).toEqual([1, null]);
    await again.does('rtc.terminate()');
    await received(at, 'stop');
    const record = await bed.until('the record', async () => {
      const one = await bed.record('web');
      return codes(one).includes('stream-connected') ? one : null;
    });
    const talked = codes(record).filter((code) => code.startsWith('stream-'));
    expect(talked).toEqual(['stream-connecting', 'stream-connected']);
    expect(record.legs[0]).toMatchObject({ encryption: 'dtls' });
    await closed(again);
    await bot.close();
  });
});

describe.skipIf(missing !== null)('a call button', () => {
  it('calls from a page of another origin', async () => {
    const { port } = new URL(bed.pbx.url);
    const origin = `http://localhost:${port}`;
    const button = { key: 'website-sales', name: 'Sales', to: 'ivr||main', origins: [origin] };
    const { json: settings } = await bed.api('GET', '/v1/settings');
    const written = await bed.api('PUT', '/v1/settings', { ...settings, call_buttons: [button] });
    expect(written.status, JSON.stringify(written.json)).toBe(200);
    const visitor = await JssipPage.open(browser, origin);
    const path = `/v1/call_button/${publicKey(ACCOUNT, button.key)}/session`;
    const asked = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = { name: 'Asha', page: `${origin}/prices` };
    const made: Json = await visitor.page.evaluate(
      `fetch(${JSON.stringify(bed.pbx.url + path)}, ${JSON.stringify({ ...asked, body: JSON.stringify(body) })}).then((r) => r.json())`,
    );
    await visitor.start(made, bed.pbx.url, false);
    await visitor.does(`call(${JSON.stringify(made.dial)})`);
    await visitor.hears(hz.prompt);
    await visitor.does('rtc.terminate()');
    const record = await bed.until('the record', async () => {
      const one = await bed.record('web');
      return one.caller_name === 'Asha' ? one : null;
    });
    expect(record).toMatchObject({ web: { button: publicKey(ACCOUNT, button.key), page: body.page } });
    const evil = await ask(bed.pbx.url, 'POST', path, {
      body: {},
      token: null,
      headers: { origin: 'http://127.0.0.1:1' },
    });
    expect(evil.json).toMatchObject({ Code: 'origin_refused' });
    await visitor.page.close();
  });
});
