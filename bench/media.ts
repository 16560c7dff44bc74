// What a call's media costs: streams that play a prompt (or are bridged in pairs) while 50 packets a second arrive for each, beside a
// bare loop over the same system calls. Processor time of the engine's process only; the peer is another process.
// Run by `taskset -c 0 npx tsx bench/media.ts [calls=300] [seconds=8] [adapter=auto] [mode=play|bridge] [workers=1] [bare=no]`; Linux.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openMedia } from '../src/media/engine/engine.ts';
import type { MediaConfig, Stream, StreamEvents } from '../src/media/media.ts';
import { bareRun, message, start } from './media-limit.ts';
import type { PeerResult } from './media-peer.ts';

/** Long enough for the compiler to have finished with the hot code. */
const WARM_UP_MS = 6_000;
const FIRST_PORT = 10_000;

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const calls = Number(options.get('calls') ?? 300);
const seconds = Number(options.get('seconds') ?? 8);
const workers = Number(options.get('workers') ?? 1);
const mode = options.get('mode') ?? 'play';
const adapter = (options.get('adapter') ?? 'auto') as MediaConfig['adapter'];

const NO_EVENTS: StreamEvents = { keyPressed() {}, played() {}, silent() {}, oneWay() {} };

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Percent of one core, of this process, while the peer measures. */
async function cpuPercent(): Promise<number> {
  await sleep(WARM_UP_MS);
  const before = process.cpuUsage();
  await sleep(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10_000 / seconds;
}

async function engineRun(): Promise<{ cpu: number; peer: PeerResult; name: string }> {
  const legs = mode === 'bridge' ? calls * 2 : calls;
  const ports = { from: FIRST_PORT, to: FIRST_PORT + legs * 2 + 1_000 };
  const engine = await openMedia({ host: '127.0.0.1', ports, workers, adapter, rtpTimeoutMs: 60_000 });
  engine.loadSound('prompt', Buffer.alloc(8_000 * 10, 0x55));
  const child = start('./media-peer.ts', 1);
  const { port } = await message<{ port: number }>(child);
  const streams: Stream[] = [];
  for (let index = 0; index < legs; index++) {
    const near = mode === 'bridge' && index % 2 === 1 ? streams[index - 1] : undefined;
    let stream = engine.open(NO_EVENTS, near);
    for (let tries = 0; !stream && tries < 1_000; tries++) {
      await sleep(2);
      stream = engine.open(NO_EVENTS, near);
    }
    if (!stream) throw new Error(`only ${index} streams could be opened`);
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
    if (mode === 'play') stream.play(1, { kind: 'sound', id: 'prompt' }, true);
    if (near) near.bridge(stream);
    streams.push(stream);
  }
  child.send({ ports: streams.map((stream) => stream.port), seconds });
  const [cpu, peer] = await Promise.all([cpuPercent(), message<PeerResult>(child)]);
  await engine.close();
  return { cpu, peer, name: engine.adapter };
}

function print(name: string, cpu: number, peer: PeerResult): void {
  const per100 = ((cpu * 100) / calls).toFixed(2);
  const gap = `gap p50 ${peer.p50.toFixed(2)} p99 ${peer.p99.toFixed(2)} max ${peer.max.toFixed(1)} ms`;
  const counts = `${peer.sent} in, ${peer.received} out, ${peer.lost} lost`;
  console.log(
    `${name.padEnd(10)} ${cpu.toFixed(1)} % of a core, ${per100} % per 100 calls; ${gap}; ${counts}`,
  );
}

execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))]);
const [load = 0] = loadavg();
console.log(
  `${calls} calls, ${mode}, ${workers} worker(s), ${seconds} s, Node ${process.version}, load ${load.toFixed(2)}`,
);
const engine = await engineRun();
print(engine.name, engine.cpu, engine.peer);
if (options.get('bare') !== 'no') {
  const bare = await bareRun({ streams: mode === 'bridge' ? calls * 2 : calls, seconds });
  print('bare loop', bare.cpu, bare.peer);
}
