// What a browser leg costs beside a plain one: streams of the media engine play a prompt, and 50 packets a second arrive for each, by
// way of ICE, DTLS-SRTP and the bridge. Processor time of the engine, which a plain leg has too, and of the process of browser legs,
// which comes on top. The browsers are libdatachannel in another process. `npm run build` first; Linux.
// Run by `npx tsx bench/browser-legs.ts [legs=100] [seconds=8]`.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openMedia } from '../src/media/engine/engine.ts';
import type { Stream, StreamEvents, StreamStatistics } from '../src/media/media.ts';
import { newOwnIce } from '../src/media/sdp/ice.ts';
import { freePort } from '../src/media/webrtc/local-addresses.ts';
import { openWebrtcProcess } from '../src/media/webrtc/process/webrtc-process.ts';
import type { OwnIce, PeerIce } from '../src/media/webrtc/webrtc.ts';
import type { BrowsersResult, FromBrowsers, ToBrowsers } from './browser-legs-peer.ts';

const WARM_UP_MS = 4_000;
const FIRST_PORT = 10_000;
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const HOST = '127.0.0.1';

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const legs = Number(options.get('legs') ?? 100);
const seconds = Number(options.get('seconds') ?? 8);

const NO_EVENTS: StreamEvents = { keyPressed() {}, played() {}, silent() {}, oneWay() {} };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** User and system time of a process, in seconds. */
function cpuSeconds(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentMb(pid: number | undefined): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1_024;
}

class Browsers {
  readonly #child: ChildProcess;
  readonly #waiting: ((message: FromBrowsers) => void)[] = [];

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./browser-legs-peer.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
    });
    this.#child.on('message', (message: FromBrowsers) => this.#waiting.shift()?.(message));
  }

  ask(message: ToBrowsers): Promise<FromBrowsers> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.send(message);
    });
  }

  close(): void {
    this.#child.disconnect();
  }
}

const ports = { from: FIRST_PORT, to: FIRST_PORT + legs * 2 + 1_000 };
const engine = await openMedia({ host: HOST, ports, workers: 1, adapter: 'auto', rtpTimeoutMs: 60_000 });
engine.loadSound('prompt', Buffer.alloc(80_000, 0x55));
const webrtc = openWebrtcProcess({ host: HOST, port: await freePort(HOST), connectMs: 60_000 });
const browsers = new Browsers();
const streams: Stream[] = [];
const setUpMs: number[] = [];

/** One after the other, as calls come. */
for (let index = 0; index < legs; index++) {
  let stream = engine.open(NO_EVENTS);
  while (!stream) {
    await sleep(20);
    stream = engine.open(NO_EVENTS);
  }
  await connect(stream, index);
  streams.push(stream);
}

async function connect(stream: Stream, index: number): Promise<void> {
  const { ice } = (await browsers.ask(['open', index])) as { ice: PeerIce };
  const own: OwnIce = newOwnIce(webrtc.identity, null);
  const startedMs = performance.now();
  const connected = new Promise<{ address: string; port: number }>((resolve, reject) => {
    const transport = webrtc.open(stream.port, {
      connected: (address, port) => resolve({ address, port }),
      lost: (reason) => reject(new Error(reason)),
    });
    transport.connect({
      own,
      peer: ice,
      formats: [
        [0, 'PCMU/8000'],
        [101, 'telephone-event/8000'],
      ],
    });
  });
  await browsers.ask(['answered', index, webrtc.identity, own]);
  const { address, port } = await connected;
  setUpMs.push(performance.now() - startedMs);
  stream.configure({
    remoteAddress: address,
    remotePort: port,
    remoteRtcpPort: port,
    signallingAddress: address,
    codec: 'pcmu',
    payloadType: 0,
    eventPayloadType: 101,
    ptimeMs: 20,
    direction: 'sendrecv',
  });
  stream.play(1, { kind: 'sound', id: 'prompt' }, true);
}

await sleep(WARM_UP_MS);
await browsers.ask(['measure']);
const own = process.cpuUsage();
const before = cpuSeconds(webrtc.processId);
await sleep(seconds * 1_000);
const { user, system } = process.cpuUsage(own);
const bridge = ((cpuSeconds(webrtc.processId) - before) / seconds) * 100;
const plain = (user + system) / 10_000 / seconds;
const result = (await browsers.ask(['measured'])) as BrowsersResult;
const statistics: StreamStatistics[] = await Promise.all(streams.map((stream) => stream.close()));
const sum = (pick: (each: StreamStatistics) => number): number =>
  statistics.reduce((total, each) => total + pick(each), 0);
setUpMs.sort((one, other) => one - other);
const at = (share: number): string =>
  (setUpMs[Math.min(setUpMs.length - 1, Math.floor(share * setUpMs.length))] ?? 0).toFixed(0);

console.log(
  [
    `${legs} browser legs for ${seconds} s, prompt out and 50 packets a second in, adapter ${engine.adapter}`,
    `media engine, as of plain legs: ${plain.toFixed(1)} % of a core, ${(plain / legs).toFixed(3)} % per leg`,
    `process of browser legs, on top: ${bridge.toFixed(1)} % of a core, ${(bridge / legs).toFixed(3)} % per leg, ${residentMb(webrtc.processId).toFixed(0)} MB`,
    `connected after p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    `browsers received ${result.received} of ${Math.round(legs * seconds * 50)} packets; gap p50 ${result.gapP50Ms.toFixed(1)}, p99 ${result.gapP99Ms.toFixed(1)} ms`,
    `the engine received ${sum((each) => each.packetsReceived)} packets, ${sum((each) => each.packetsLost)} lost`,
  ].join('\n'),
);
browsers.close();
await webrtc.close();
await engine.close();
