// Where browsers are told to connect, by the addresses that the service has.
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import { PhoneBed } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const ADVERTISED = '203.0.113.5';
const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 0 101',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=ice-ufrag:abcd',
  `a=ice-pwd:${'p'.repeat(24)}`,
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  'a=setup:actpass',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  '',
].join('\r\n');

/** The candidates in the answer to a page on this machine. */
async function candidates(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const bed = await PhoneBed.open({
    env: { WEBRTC_PORT: '0', ...env },
    agents: { '1001': {} },
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main' },
  });
  try {
    const { session, page } = new WebPages(() => bed);
    const web = await page(await session({ agent: eidOf('1001') }));
    const call = await (await web.call('100', { sdp: { raw: OFFER } })).answered();
    const answer = call.descriptions.at(-1) ?? '';
    await call.hangUp();
    return [...answer.matchAll(/^a=candidate:\d+ 1 UDP \d+ (\S+) /gm)].map(([, address = '']) => address);
  } finally {
    await bed.close();
  }
}

const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address);

describe('candidates for browsers', () => {
  it('are the advertised address and those of this machine, for browsers outside and inside', async () => {
    const all = await candidates({ SIP_HOST: '0.0.0.0', ADVERTISED_ADDRESS: ADVERTISED });
    expect(all).toContain(ADVERTISED);
    expect(all).toEqual(expect.arrayContaining(own.slice(0, 1)));
  });

  it.skipIf(own.length === 0)('are the address of SIP_HOST alone where it is one', async () => {
    expect(await candidates({ SIP_HOST: String(own[0]) })).toEqual(own.slice(0, 1));
  });

  it('on loopback are that of SIP_HOST and one of the machine, for Firefox, also if the page came by another', async () => {
    expect(await candidates({ SIP_HOST: '127.0.0.2' })).toEqual(['127.0.0.2', ...own.slice(0, 1)]);
  });
});
