// A page whose sound goes by coturn alone, with the credentials of its phone session; and none of it with wrong or expired ones.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iceServersFor } from '../../src/api/calls/turn-credentials.ts';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { missing, tools } from '../pages/support/browser.ts';
import { JssipPage } from '../pages/support/jssip-page.ts';
import { AUDIO_FLAGS } from '../pages/support/page-sound.ts';
import { ACCOUNT, extension } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { Coturn } from './support/coturn.ts';
import { has } from './support/program.ts';

const { hz, recordings } = tones(8_000, 'prompt', 'page', 'phone');
const SECRET = 'shared-with-coturn';
const HOUR_MS = 3_600_000;

interface Gathered {
  readonly kinds: readonly string[];
  /** The error codes of STUN: 401 is a wrong or expired credential. */
  readonly errors: readonly number[];
}

describe.runIf(missing === null && has('turnserver'))('a page behind a firewall, and coturn', () => {
  let coturn: Coturn;
  let bed: PhoneBed;
  let browser: Browser;
  let page: JssipPage;
  let made: Json;
  beforeAll(async () => {
    if (typeof tools === 'string') return;
    coturn = await Coturn.start(SECRET);
    bed = await PhoneBed.open({
      env: { WEBRTC_PORT: '0', ICE_SERVERS: coturn.url, TURN_SECRET: SECRET },
      recordings,
      agents: { '1001': {} },
      menus: {
        main: {
          recording: 'recording||prompt',
          option: ['1'],
          destination: [extension('1001')],
          timeout: 60,
        },
      },
    });
    browser = await tools.launch(AUDIO_FLAGS);
    page = await JssipPage.open(browser, bed.pbx.url);
    made = (await bed.api('POST', '/v1/phone_session', { to: 'ivr||main' })).json;
  });
  afterAll(async () => {
    await browser?.close();
    await bed?.close();
    await coturn?.remove();
  });

  /** What a connection that may only be relayed finds with these servers. */
  const gather = (servers: readonly object[]): Promise<Gathered> =>
    page.page.evaluate(`(async () => {
      const pc = new RTCPeerConnection({ iceServers: ${JSON.stringify(servers)}, iceTransportPolicy: 'relay' });
      const found = { kinds: [], errors: [] };
      pc.onicecandidate = ({ candidate }) => candidate?.candidate && found.kinds.push(candidate.type);
      pc.onicecandidateerror = ({ errorCode }) => found.errors.push(errorCode);
      const complete = new Promise((resolve) => {
        pc.onicegatheringstatechange = () => pc.iceGatheringState === 'complete' && resolve();
      });
      pc.addTrack(sound.microphone.getAudioTracks()[0]);
      await pc.setLocalDescription();
      await complete;
      pc.close();
      return found;
    })()`);

  it('talks by the credentials of its session', async () => {
    const agent = await bed.agent('1001');
    await page.start(made, bed.pbx.url, false, 'relay');
    await page.does(`call(${JSON.stringify(made.dial)})`);
    await page.hears(hz.prompt);
    await page.does('keys("1")');
    const talk = await (await agent.incoming()).answer();
    await page.tone(hz.page);
    await talk.sendTone(hz.phone);
    await Promise.all([page.hears(hz.phone), talk.hears(hz.page, { forMs: 300 })]);
    expect(await page.goesBy()).toBe('relay');
    const [{ username }] = made.ice_servers;
    await expect.poll(() => coturn.said).toContain(`<${username}>`);
    await talk.hangUp();
    await expect.poll(() => page.states()).toContain('ended');
    await bed.idle();
  });

  it('gets a relay by them, and nothing by others: a wrong password, another secret, expired ones', async () => {
    const [server] = made.ice_servers;
    expect(await gather(made.ice_servers)).toMatchObject({ kinds: ['relay'] });
    const settings = { urls: [coturn.url], turnSecret: SECRET };
    const another = iceServersFor({ ...settings, turnSecret: 'another' }, ACCOUNT, Date.now());
    const expired = iceServersFor(settings, ACCOUNT, Date.now() - 2 * HOUR_MS, HOUR_MS);
    for (const servers of [[{ ...server, credential: 'wrong' }], another.servers, expired.servers]) {
      const { kinds, errors } = await gather(servers);
      expect(kinds).toEqual([]);
      expect(errors).toContain(401);
    }
    // The expired ones were right while they lasted.
    const lasting = iceServersFor(settings, ACCOUNT, Date.now(), HOUR_MS);
    expect(await gather(lasting.servers)).toMatchObject({ kinds: ['relay'] });
  });
});
