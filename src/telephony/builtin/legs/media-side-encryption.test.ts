import { expect, it } from 'vitest';
import type { StreamSettings } from '../../../media/media.ts';
import type { SuiteName } from '../../../media/srtp/suites.ts';
import type { Webrtc, WebrtcEvents } from '../../../media/webrtc/webrtc.ts';
import type { Protocol } from '../../../sip/transports/transport.ts';
import { mediaStandIn } from '../testing/stand-ins.ts';

const PLAIN: StreamSettings = {
  remoteAddress: '203.0.113.9',
  remotePort: 4_000,
  remoteRtcpPort: 4_001,
  codec: 'pcmu',
  payloadType: 0,
  eventPayloadType: null,
  ptimeMs: 20,
  direction: 'sendrecv',
};
const key = new Uint8Array(30);
const encrypted = (suite: SuiteName = 'AES_CM_128_HMAC_SHA1_80'): StreamSettings => ({
  ...PLAIN,
  srtp: { suite, local: key, remote: key },
});
const ice = { ufrag: 'abcd', pwd: 'x'.repeat(22), fingerprint: 'sha-256 AB', setup: 'active' } as const;
const BROWSER: StreamSettings = {
  ...PLAIN,
  ice: { own: { ufrag: 'efgh', pwd: 'y'.repeat(22), certificate: 0 }, peer: ice, formats: [] },
};

const flow = (protocol: Protocol) => ({
  protocol,
  local: { address: '192.0.2.1', port: 5_060 },
  remote: { address: '203.0.113.9', port: 40_000 },
  connection: 0,
});

function opened() {
  let browser: WebrtcEvents | null = null;
  const webrtc: Webrtc = {
    identity: { port: 30_000, addresses: [], fingerprints: [] },
    open: (_port, events) => {
      browser = events;
      return { connect: () => undefined, close: () => undefined };
    },
    openTransports: 0,
    isPortTaken: false,
    close: async () => undefined,
  };
  const nothing = (): void => undefined;
  const events = { keyPressed: nothing, played: nothing, soundMissing: nothing, oneWay: nothing };
  const { media } = mediaStandIn({ ...events, silent: nothing }, { webrtc });
  const encryption = async () => (await media.close()).encryption;
  return { media, encryption, connects: () => browser?.connected('127.0.0.1', 9) };
}

it('a browser’s sound counts as encrypted once it has connected, and as none before', async () => {
  const away = opened();
  away.media.configure(BROWSER, flow('ws'));
  expect(await away.encryption()).toBe(null);
  const there = opened();
  there.media.configure(BROWSER, flow('ws'));
  there.connects();
  expect(await there.encryption()).toEqual({ by: 'dtls' });
});

it('a leg without sound was neither encrypted nor plain', async () => {
  expect(await opened().encryption()).toBe(null);
});

it.each([
  ['plain, then encrypted', [PLAIN, encrypted()], { by: 'none' }],
  ['encrypted, then plain', [encrypted(), PLAIN], { by: 'none' }],
  [
    'a long tag, then a short one, then a long one',
    [encrypted(), encrypted('AES_CM_128_HMAC_SHA1_32'), encrypted('AES_256_CM_HMAC_SHA1_80')],
    { by: 'sdes', suite: 'AES_CM_128_HMAC_SHA1_32', isKeySecret: true },
  ],
] as const)('of several ways the weakest counts: %s', async (_name, all, expected) => {
  const { media, encryption } = opened();
  for (const settings of all) media.configure(settings, flow('tls'));
  expect(await encryption()).toEqual(expected);
});

it('keys that went by UDP or TCP are not secret, also when later ones are', async () => {
  for (const protocol of ['udp', 'tcp'] as const) {
    const { media, encryption } = opened();
    media.configure(encrypted('AES_256_CM_HMAC_SHA1_80'), flow(protocol));
    media.configure(encrypted('AES_CM_128_HMAC_SHA1_32'), flow('tls'));
    expect(await encryption()).toEqual({
      by: 'sdes',
      suite: 'AES_256_CM_HMAC_SHA1_80',
      isKeySecret: false,
    });
  }
});
