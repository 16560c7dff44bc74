// A web page in Chromium on one side, a phone that we did not write on the other: baresip and SIPp, each calling and being called.
import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { missing, tools } from '../pages/support/browser.ts';
import { JssipPage } from '../pages/support/jssip-page.ts';
import { AUDIO_FLAGS } from '../pages/support/page-sound.ts';
import { eidOf, extension, PASSWORD } from '../support/pbx.ts';
import { Baresip } from './support/baresip.ts';
import { freePort, has } from './support/program.ts';
import { runSipp, Sipp, type SippOptions } from './support/sipp.ts';

const { hz, recordings } = tones(8_000, 'prompt', 'page', 'baresip');
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
/** The numbers: of the page, of baresip, of SIPp. */
const [PAGE, BARESIP, SIPP] = ['1001', '1002', '1003'];

let bed: PhoneBed;
let browser: Browser;

beforeAll(async () => {
  if (typeof tools === 'string') return;
  bed = await PhoneBed.open({
    env: { WEBRTC_PORT: '0' },
    recordings,
    agents: { [PAGE]: {}, [BARESIP]: { sip: sipDigests(BARESIP, SECRET, hash) }, [SIPP]: {} },
    menus: {
      main: {
        recording: 'recording||prompt',
        option: ['2', '3'],
        destination: [BARESIP, SIPP].map(extension),
        timeout: 60,
      },
    },
    numbers: { '100': 'ivr||main', '201': extension(PAGE) },
  });
  browser = await tools.launch(AUDIO_FLAGS);
});
afterEach(() => bed?.idle());
afterAll(async () => {
  await browser?.close();
  await bed?.close();
});

async function page(body: object, register: boolean): Promise<{ page: JssipPage; dial: string }> {
  const { json: made } = await bed.api('POST', '/v1/phone_session', body);
  const opened = await JssipPage.open(browser, bed.pbx.url);
  await opened.start(made, bed.pbx.url, register);
  await opened.tone(hz.page);
  return { page: opened, dial: made.dial };
}

const reaches = (opened: JssipPage, state: string) => expect.poll(() => opened.states()).toContain(state);

/** A visitor who hears the menu and presses a key. */
async function visitor(key: string): Promise<JssipPage> {
  const { page: opened, dial } = await page({ to: 'ivr||main' }, false);
  await opened.does(`call(${JSON.stringify(dial)})`);
  await opened.hears(hz.prompt);
  await opened.does(`keys(${JSON.stringify(key)})`);
  return opened;
}

/** An agent's page, which answers the first call. */
async function agentPage(): Promise<{ page: JssipPage; answered: () => Promise<void> }> {
  const { page: opened } = await page({ agent: eidOf(PAGE) }, true);
  const answered = async (): Promise<void> => {
    await reaches(opened, 'new');
    await opened.does('answer()');
    await reaches(opened, 'confirmed');
  };
  return { page: opened, answered };
}

describe.runIf(missing === null && has('baresip'))('a page and baresip', () => {
  const started: Baresip[] = [];
  afterEach(async () => {
    for (const each of started.splice(0)) await each.remove();
  });

  async function baresip(answers: 'manual' | 'auto', more: { codecs?: string } = {}): Promise<Baresip> {
    const account = { server: bed.pbx.sip, user: BARESIP, password: SECRET };
    const phone = await Baresip.start({ ...account, toneHz: hz.baresip, answers, ...more });
    started.push(phone);
    await phone.registered();
    return phone;
  }

  it('talk: the page calls, baresip hangs up', async () => {
    const phone = await baresip('auto');
    const caller = await visitor('2');
    await phone.happens('CALL_ESTABLISHED');
    await Promise.all([caller.hears(hz.baresip), phone.hears(hz.page)]);
    phone.tell('hangup');
    await reaches(caller, 'ended');
    const { legs } = await bed.record('web');
    expect(legs.map(({ encryption }: { encryption: string }) => encryption)).toEqual(['dtls', 'none']);
    await caller.page.close();
  });

  it('talk: baresip calls, the page hangs up', async () => {
    const agent = await agentPage();
    const phone = await baresip('manual');
    phone.tell('dial', `sip:${PAGE}@${bed.pbx.sip.host}:${bed.pbx.sip.port}`);
    await agent.answered();
    await Promise.all([agent.page.hears(hz.baresip), phone.hears(hz.page)]);
    await agent.page.does('rtc.terminate()');
    await phone.happens('CALL_CLOSED');
    const { legs } = await bed.record(BARESIP);
    expect(legs.map(({ encryption }: { encryption: string }) => encryption)).toEqual(['none', 'dtls']);
    await agent.page.page.close();
  });

  it('talk in G.722 when both have it: baresip calls, the page says what it sends', async () => {
    const agent = await agentPage();
    const phone = await baresip('manual', { codecs: 'G722/16000/1,PCMU/8000/1' });
    phone.tell('dial', `sip:${PAGE}@${bed.pbx.sip.host}:${bed.pbx.sip.port}`);
    await agent.answered();
    await expect.poll(() => agent.page.sends()).toBe('audio/G722');
    await expect.poll(() => phone.said).toMatch(/^m=audio \d+ RTP\/AVP 9 0 8 /m);
    await Promise.all([agent.page.hears(hz.baresip), phone.hears(hz.page, { forMs: 500 })]);
    phone.tell('hangup');
    await reaches(agent.page, 'ended');
    await agent.page.page.close();
  });
});

// SIPp sends back what it hears: the page hears its own tone, after it went through SIPp.
describe.runIf(missing === null && has('sipp'))('a page and SIPp', () => {
  const sippAgent = (port: number): Omit<SippOptions, 'scenario'> => ({
    ...{ server: bed.pbx.sip, port, user: SIPP },
    ...{ keys: { caller: SIPP }, more: ['-au', SIPP, '-ap', PASSWORD, '-rtp_echo'] },
  });

  it('talk: the page calls and hangs up', async () => {
    const base = sippAgent(await freePort());
    const registered = await runSipp({ ...base, scenario: 'stays-registered' });
    expect(registered, registered.story).toMatchObject({ code: 0 });
    const agent = await Sipp.start({ ...base, scenario: 'agent-answers' });
    const caller = await visitor('3');
    await caller.hears(hz.page);
    await caller.does('rtc.terminate()');
    const result = await agent.ended;
    expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
    const left = await runSipp({ ...base, scenario: 'leaves' });
    expect(left, left.story).toMatchObject({ code: 0 });
    await caller.page.close();
  });

  it('talk: SIPp calls, the page hangs up', async () => {
    const agent = await agentPage();
    const keys = { caller: 'sipp' };
    const call = { server: bed.pbx.sip, user: '201', keys, more: ['-rtp_echo'] };
    const caller = await Sipp.start({ ...call, scenario: 'hung-up-on' });
    await agent.answered();
    await agent.page.hears(hz.page);
    await agent.page.does('rtc.terminate()');
    const result = await caller.ended;
    expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
    expect(await bed.record('sipp')).toMatchObject({ outcome: 'answered' });
    await agent.page.page.close();
  });
});
