import { expect, it } from 'vitest';
import type { StreamSettings } from '../../../media/media.ts';
import type { Webrtc, WebrtcEvents } from '../../../media/webrtc/webrtc.ts';
import { mediaStandIn, SessionStandIn } from '../testing/stand-ins.ts';

const AGREED: StreamSettings = {
  remoteAddress: '0.0.0.0',
  remotePort: 9,
  remoteRtcpPort: 9,
  codec: 'pcmu',
  payloadType: 0,
  eventPayloadType: 101,
  ptimeMs: 20,
  direction: 'sendrecv',
  ice: {
    own: { ufrag: 'ours', pwd: 'secret', certificate: 0 },
    peer: { ufrag: 'theirs', pwd: 'secret', fingerprint: 'sha-256 AA', setup: 'active' },
    formats: [[0, 'PCMU/8000']],
  },
};

it('gives a browser its time from the ACK on, and trusts one that has connected before it', () => {
  const connects: (boolean | undefined)[] = [];
  const events: WebrtcEvents[] = [];
  const webrtc: Webrtc = {
    identity: { port: 30_000, addresses: [], fingerprints: [] },
    open: (_, heard) => {
      events.push(heard);
      return { connect: (_ice, isEarly) => void connects.push(isEarly), close: () => undefined };
    },
    openTransports: 0,
    isPortTaken: false,
    close: async () => undefined,
  };
  const configured: StreamSettings[] = [];
  const { media } = mediaStandIn({ soundMissing: () => undefined } as never, {
    webrtc,
    configure: (settings) => void configured.push(settings),
  });
  const { flow } = new SessionStandIn();
  media.configure({ ...AGREED, early: 'unverified' }, flow);
  expect(configured).toEqual([]);
  events[0]?.connected('127.0.0.1', 40_000);
  // DTLS has proved it: nothing need come from it before something is sent.
  expect(configured).toMatchObject([{ remotePort: 40_000, early: 'verified' }]);
  media.configure(AGREED, flow);
  expect(configured.at(-1)?.early).toBeUndefined();
  expect(connects).toEqual([true, false]);
});
