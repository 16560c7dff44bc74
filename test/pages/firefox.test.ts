// Firefox as a phone, with the console and the desk as they are served: it calls a menu and is called, and its tone is heard.
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invited, makeOwner, PASSWORD as USER_PASSWORD } from '../api/support/people.ts';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import { TOKEN } from '../support/service.ts';
import { FirefoxPage, hasFirefox, launchFirefox } from './support/firefox.ts';

const { hz, recordings } = tones(20_000, 'prompt', 'firefox', 'phone');
const AGENT = 'asha@example.com';

let bed: PhoneBed;
let firefox: Browser;
let agent: Phone;

beforeAll(async () => {
  if (!hasFirefox) return;
  [bed, firefox] = await Promise.all([
    PhoneBed.open({
      env: { WEBRTC_PORT: '0' },
      recordings,
      agents: { '1001': {}, '1002': {} },
      menus: {
        main: {
          name: 'Main menu',
          recording: 'recording||prompt',
          option: ['1'],
          destination: [extension('1001')],
          timeout: 60,
        },
      },
      numbers: { '100': 'ivr||main', '202': extension('1002') },
    }),
    launchFirefox(hz.firefox),
  ]);
  agent = await bed.agent('1001');
  const owner = await makeOwner(bed.pbx);
  await invited(bed.pbx, owner, 'agent', { name: 'Asha', email: AGENT, agent: eidOf('1002') });
});

afterAll(async () => {
  await firefox?.close();
  await bed?.close();
});

/** Signed in, as the sign-in page does it. */
async function open(path: string, credentials: object): Promise<FirefoxPage> {
  const page = await FirefoxPage.open(firefox);
  await page.tab.goto(`${bed.pbx.url}/`);
  const request = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify(credentials);
  const asked = `fetch('/v1/session', ${JSON.stringify({ ...request, body })}).then((answer) => answer.status)`;
  expect(await page.page.evaluate(asked)).toBe(201);
  await page.tab.goto('about:blank');
  await page.tab.goto(`${bed.pbx.url}${path}`);
  return page;
}

describe.runIf(hasFirefox)('Firefox', () => {
  it.each(['Firefox', 'the phone'] as const)(
    'calls a menu from the console, hears it, presses 1 and talks with a phone; %s hangs up',
    async (hangsUp) => {
      const page = await open('/#/menus/main', { token: TOKEN });
      await page.press('Call this menu');
      await page.hears(hz.prompt);
      await page.press('1');
      const talk = await (await agent.incoming()).answer();
      await talk.sendTone(hz.phone);
      await Promise.all([page.hears(hz.phone), talk.hears(hz.firefox, { forMs: 500 })]);
      if (hangsUp === 'Firefox') await page.press('Hang up');
      else await talk.hangUp();
      await page.says('The call has ended.');
      await talk.ended();
      await bed.idle();
      const record = await bed.record('web');
      expect(record).toMatchObject({ entry: 'ivr||main', outcome: 'answered' });
      expect(record.legs[0]).toMatchObject({ encryption: 'dtls' });
      expect(record.legs[0].packets_received).toBeGreaterThan(50);
      await page.tab.close();
    },
  );

  it('rings at the desk, accepts, holds, resumes and hangs up', async () => {
    const page = await open('/desk', { email: AGENT, password: USER_PASSWORD });
    await page.says('Ready for calls');
    const caller = await bed.dial('202');
    await page.press('Accept');
    await caller.answered();
    await caller.sendTone(hz.phone);
    await Promise.all([page.hears(hz.phone), caller.hears(hz.firefox, { forMs: 300 })]);
    await page.press('Hold');
    await page.says('on hold');
    await page.press('Resume');
    caller.forget();
    await Promise.all([page.hears(hz.phone), caller.hears(hz.firefox, { forMs: 300 })]);
    await page.press('Hang up');
    await caller.ended();
    await page.tab.close();
  });
});
