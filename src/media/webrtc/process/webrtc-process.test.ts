import { expect, it } from 'vitest';
import { freePort } from '../local-addresses.ts';
import { beginLeg, connected, type OpenedLeg, WITHIN, webrtcContract } from '../webrtc.contract.ts';
import { openWebrtcProcess } from './webrtc-process.ts';

webrtcContract('a process of its own', openWebrtcProcess);

it('loses its legs when the process crashes, and nothing else: the next leg has a new one', async () => {
  const failures: string[] = [];
  const port = await freePort('127.0.0.1');
  const webrtc = openWebrtcProcess({ host: '127.0.0.1', port, onFailure: (reason) => failures.push(reason) });
  const legs: OpenedLeg[] = [];
  try {
    const leg = await beginLeg(webrtc, legs);
    await connected(leg);
    process.kill(webrtc.processId ?? 0, 'SIGSEGV');
    await expect.poll(() => leg.lost, WITHIN).toEqual(['The process of browser legs ended.']);
    expect(failures).toEqual(['SIGSEGV']);
    const next = await beginLeg(webrtc, legs);
    await connected(next);
    expect(next.lost).toEqual([]);
  } finally {
    for (const { browser, stream, transport } of legs) {
      transport.close();
      browser.close();
      stream.close();
    }
    await webrtc.close();
  }
});
