// The browsers of bench/browser-legs.ts, in a process of their own: each sends a packet every 20 ms and notes when packets arrive.
import { BrowserStandIn, rtp } from '../src/media/webrtc/testing/browser-stand-in.ts';
import type { OwnIce, PeerIce, WebrtcIdentity } from '../src/media/webrtc/webrtc.ts';

export type ToBrowsers =
  | readonly ['open', number]
  | readonly ['answered', number, WebrtcIdentity, OwnIce]
  | readonly ['measure']
  | readonly ['measured'];

export interface BrowsersResult {
  readonly received: number;
  readonly gapP50Ms: number;
  readonly gapP99Ms: number;
}

export type FromBrowsers = { readonly ice: PeerIce } | BrowsersResult | Record<string, never>;

const FRAME_MS = 20;
const browsers: BrowserStandIn[] = [];
const gaps: number[] = [];
let received = 0;
let isMeasuring = false;
let frame = 0;
const startedMs = performance.now();

process.on('message', (message: ToBrowsers) => void process.send?.(answer(message)));
process.on('disconnect', () => process.exit());

function answer(message: ToBrowsers): FromBrowsers {
  if (message[0] === 'open') return { ice: open(message[1]) };
  if (message[0] === 'answered') browsers[message[1]]?.answered(message[2], message[3]);
  isMeasuring = message[0] === 'measure';
  if (message[0] !== 'measured') return {};
  gaps.sort((one, other) => one - other);
  const at = (share: number): number => gaps[Math.floor(share * (gaps.length - 1))] ?? 0;
  return { received, gapP50Ms: at(0.5), gapP99Ms: at(0.99) };
}

function open(index: number): PeerIce {
  let lastMs = 0;
  const browser = new BrowserStandIn((packet) => {
    // RTCP does not count.
    if (!isMeasuring || (packet[1] ?? 0) >= 192) return;
    const nowMs = performance.now();
    received++;
    if (lastMs > 0) gaps.push(nowMs - lastMs);
    lastMs = nowMs;
  });
  browsers[index] = browser;
  return browser.ice;
}

/** By the clock, so that a late timer loses no packet. */
setInterval(() => {
  for (const due = Math.floor((performance.now() - startedMs) / FRAME_MS); frame < due; frame++)
    for (const [index, browser] of browsers.entries())
      if (browser.state === 'open') browser.send(rtp(0, frame & 0xffff, index + 1, 'voice'));
}, 5);
