// What renewed ICE credentials leave behind in the process of browser legs (docs/threat-model.md, T74). RENEWALS is more in the long form.
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { newOwnIce } from '../../sdp/ice.ts';
import { freePort } from '../local-addresses.ts';
import { FORMATS } from '../testing/browser-stand-in.ts';
import { beginLeg, connected, type OpenedLeg, WITHIN } from '../webrtc.contract.ts';
import type { PeerIce, WebrtcConfig } from '../webrtc.ts';
import { openWebrtcProcess, type WebrtcProcess } from './webrtc-process.ts';

const RENEWALS = Number(process.env['RENEWALS'] ?? 3_000);
/** Until allocators and caches have what they keep. */
const WARM_UP = 6_000;
/** A track that stays costs 9,400. */
const MOST_BYTES_EACH = 4_000;
const AT_ONCE = 50;
const PEER: PeerIce = {
  ufrag: 'efgh',
  pwd: 'y'.repeat(24),
  fingerprint: `sha-256 ${new Array(32).fill('AB').join(':')}`,
  setup: 'actpass',
};

let webrtc: WebrtcProcess | null = null;
afterEach(async () => {
  await webrtc?.close();
  webrtc = null;
});

async function opened(settings: Partial<WebrtcConfig> = {}): Promise<WebrtcProcess> {
  webrtc = openWebrtcProcess({ host: '127.0.0.1', port: await freePort('127.0.0.1'), ...settings });
  return webrtc;
}

/** A description that is refused is answered when all that came before it is done. */
const done = (of: WebrtcProcess): Promise<string> =>
  new Promise((lost) => {
    const transport = of.open(4, { connected: () => undefined, lost });
    transport.connect({
      own: newOwnIce(of.identity, null),
      peer: { ...PEER, fingerprint: 'none' },
      formats: FORMATS,
    });
  });

const residentBytes = (of: WebrtcProcess): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${of.processId}/status`, 'utf8'))?.[1]);

it(`${RENEWALS} renewals of one leg keep no memory`, async () => {
  const process = await opened();
  const leg = process.open(2, { connected: () => undefined, lost: () => undefined });
  let own = newOwnIce(process.identity, null);
  const renew = async (times: number): Promise<number> => {
    for (let at = 0; at < times; at++) {
      own = newOwnIce(process.identity, own);
      leg.connect({ own, peer: PEER, formats: FORMATS });
      if (at % AT_ONCE === 0) await done(process);
    }
    expect(await done(process)).toContain('refused');
    return residentBytes(process);
  };
  const before = await renew(WARM_UP);
  expect(((await renew(RENEWALS)) - before) / RENEWALS).toBeLessThan(MOST_BYTES_EACH);
  leg.close();
}, 600_000);

it('a process above its memory bound is replaced when its last leg ends, and no leg notices', async () => {
  const failures: string[] = [];
  const process = await opened({ idleMemoryBytes: 1, onFailure: (reason) => failures.push(reason) });
  const legs: OpenedLeg[] = [];
  const first = await beginLeg(process, legs);
  await connected(first);
  const { processId } = process;
  const second = await beginLeg(process, legs);
  await connected(second);
  first.transport.close();
  second.transport.close();
  // It has not ended yet: this leg waits for the next one.
  const third = await beginLeg(process, legs);
  await connected(third);
  expect(third.lost).toEqual([]);
  third.transport.close();
  await expect.poll(() => process.processId, WITHIN).toBeUndefined();
  const fourth = await beginLeg(process, legs);
  await connected(fourth);
  expect(process.processId).not.toBe(processId);
  expect([first, second, third, fourth].flatMap(({ lost }) => lost)).toEqual([]);
  expect(failures).toEqual([]);
  for (const { browser, stream, transport } of legs) {
    transport.close();
    browser.close();
    stream.close();
  }
});
