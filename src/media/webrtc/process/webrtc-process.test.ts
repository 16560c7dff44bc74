import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { newOwnIce } from '../../sdp/ice.ts';
import { freePort } from '../local-addresses.ts';
import { beginLeg, connected, type OpenedLeg, WITHIN, webrtcContract } from '../webrtc.contract.ts';
import type { ToProcess } from './messages.ts';
import { type BrowserProcess, openWebrtcProcess } from './webrtc-process.ts';

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

// The library does so after 30 s without a check: test/calls/long-ring.test.ts waits for it.
it('makes a connection anew that the library gives up while a call rings, and not for ever', () => {
  const sent: ToProcess[] = [];
  const child = Object.assign(new EventEmitter(), {
    send: (message: ToProcess) => sent.push(message) > 0,
  });
  const config = { host: '127.0.0.1', port: 9 };
  const webrtc = openWebrtcProcess(config, () => child as unknown as BrowserProcess);
  const lost: string[] = [];
  const transport = webrtc.open(9, { connected: () => undefined, lost: (reason) => lost.push(reason) });
  const peer = { ufrag: 'u', pwd: 'p', fingerprint: 'sha-256 00', candidates: [] };
  transport.connect({ own: newOwnIce(webrtc.identity, null), peer, formats: [] } as never, true);
  const made = (): number[] => sent.flatMap((message) => (message[0] === 'connect' ? [message[1]] : []));
  for (let round = 0; round < 50; round++) child.emit('message', ['state', made().at(-1), 'failed']);
  // Ten minutes of half minutes, and the first.
  expect(made()).toHaveLength(21);
  expect(sent.filter(([what]) => what === 'close').map(([, id]) => id)).toEqual(made().slice(0, -1));
  expect(lost).toEqual([]);
  transport.close();
});
