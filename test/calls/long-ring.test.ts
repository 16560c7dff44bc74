// A browser leg that rings for longer than the library waits for the first check of a connection. It mostly waits.
import { expect, it } from 'vitest';
import { freePort } from '../../src/media/webrtc/local-addresses.ts';
import { openWebrtcProcess } from '../../src/media/webrtc/process/webrtc-process.ts';
import { BrowserStandIn } from '../../src/media/webrtc/testing/browser-stand-in.ts';
import { beginLeg, connected, type OpenedLeg } from '../../src/media/webrtc/webrtc.contract.ts';

const LONG_RING_MS = 45_000;

it('a browser that reads our description with the answer alone connects, however long it rang', async () => {
  const webrtc = openWebrtcProcess({ host: '127.0.0.1', port: await freePort('127.0.0.1') });
  const legs: OpenedLeg[] = [];
  try {
    const leg = await beginLeg(webrtc, legs, new BrowserStandIn(), { isEarly: true });
    await new Promise((resolve) => setTimeout(resolve, LONG_RING_MS));
    expect(leg.lost).toEqual([]);
    leg.transport.connect(leg.ice);
    leg.browser.answered(webrtc.identity, leg.own);
    await connected(leg);
    expect(leg.lost).toEqual([]);
  } finally {
    for (const { browser, stream, transport } of legs) {
      transport.close();
      browser.close();
      stream.close();
    }
    await webrtc.close();
  }
}, 90_000);
