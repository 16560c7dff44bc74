// Calls of the media engine alone, for benchmarks: streams towards a peer (media-peer.ts), and what they cost.
import type { MediaEngine, Stream, StreamEvents } from '../src/media/media.ts';
import { parseNetwork } from '../src/safe-fetch/network.ts';

/** As the peer's. */
const WARM_UP_MS = 6_000;
const NO_EVENTS: StreamEvents = { keyPressed() {}, played() {}, silent() {}, oneWay() {} };
const loopback = parseNetwork('127.0.0.0/8');
export const LOOPBACK = loopback ? [loopback] : [];

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The CPU use of this process, in percent of a core, after the warm-up. */
export async function cpuPercent(seconds: number): Promise<number> {
  await sleep(WARM_UP_MS);
  const before = process.cpuUsage();
  await sleep(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10_000 / seconds;
}

export async function openStreams(engine: MediaEngine, calls: number, port: number): Promise<Stream[]> {
  const streams: Stream[] = [];
  while (streams.length < calls) {
    const stream = engine.open(NO_EVENTS);
    if (!stream) {
      await sleep(2);
      continue;
    }
    stream.configure({
      remoteAddress: '127.0.0.1',
      remotePort: port,
      remoteRtcpPort: 9,
      codec: 'pcmu',
      payloadType: 0,
      eventPayloadType: 101,
      ptimeMs: 20,
      direction: 'sendrecv',
    });
    streams.push(stream);
  }
  return streams;
}

export const shown = (delays: { readonly p50: number; readonly p99: number; readonly max: number }): string =>
  `p50 ${delays.p50.toFixed(1)}, p99 ${delays.p99.toFixed(1)}, max ${delays.max.toFixed(1)} ms`;
