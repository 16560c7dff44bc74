// What a participant of a conference costs: rooms of a few callers, all of whom talk, or one of whom does, beside as many legs that are
// bridged in pairs, in turns in one process. Processor time of the engine's process only; the peer is another process.
// Run by `taskset -c 0 npx tsx bench/rooms.ts [rooms=50] [size=4] [seconds=6] [adapter=auto] [workers=1] [rounds=2]`; Linux.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openMedia } from '../src/media/engine/engine.ts';
import type { MediaConfig, MediaEngine, Stream, StreamEvents } from '../src/media/media.ts';
import { message, start } from './media-limit.ts';
import type { PeerResult } from './media-peer.ts';

/** As the peer's: long enough for the compiler to have finished with the hot code. */
const WARM_UP_MS = 6_000;
const FIRST_PORT = 10_000;

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const number = (name: string, otherwise: number): number => Number(options.get(name) ?? otherwise);
const rooms = number('rooms', 50);
const size = number('size', 4);
const seconds = number('seconds', 6);
const workers = number('workers', 1);
const rounds = number('rounds', 2);
const adapter = (options.get('adapter') ?? 'auto') as MediaConfig['adapter'];
const legs = rooms * size;

const NO_EVENTS: StreamEvents = { keyPressed() {}, played() {}, silent() {}, oneWay() {} };

interface Mode {
  readonly name: string;
  readonly talkEvery: number;
  join(engine: MediaEngine, streams: readonly Stream[]): void;
}

function inRooms(engine: MediaEngine, streams: readonly Stream[]): void {
  for (let first = 0; first < streams.length; first += size) {
    const members = streams.slice(first, first + size);
    const [near] = members;
    if (!near) return;
    const conference = engine.openConference(near, (reason) => console.error(reason));
    for (const member of members) conference.join(member);
  }
}

const MODES: readonly Mode[] = [
  {
    name: 'bridged in pairs',
    talkEvery: 1,
    join: (_engine, streams) => {
      for (let index = 1; index < streams.length; index += 2) {
        const [one, other] = [streams[index - 1], streams[index]];
        if (one && other) one.bridge(other);
      }
    },
  },
  { name: `rooms of ${size}, all talk`, talkEvery: 1, join: inRooms },
  { name: `rooms of ${size}, one talks`, talkEvery: size, join: inRooms },
];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function run({ talkEvery, join }: Mode): Promise<{ cpu: number; peer: PeerResult }> {
  const ports = { from: FIRST_PORT, to: FIRST_PORT + legs * 2 + 1_000 };
  const engine = await openMedia({ host: '127.0.0.1', ports, workers, adapter, rtpTimeoutMs: 60_000 });
  const child = start('./media-peer.ts', 1);
  const { port } = await message<{ port: number }>(child);
  const streams: Stream[] = [];
  while (streams.length < legs) {
    const near = streams.length % 2 === 1 ? streams.at(-1) : undefined;
    const stream = engine.open(NO_EVENTS, near);
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
  join(engine, streams);
  child.send({ ports: streams.map((stream) => stream.port), seconds, talkEvery });
  const measured = (async () => {
    await sleep(WARM_UP_MS);
    const before = process.cpuUsage();
    await sleep(seconds * 1_000);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / seconds;
  })();
  const [cpu, peer] = await Promise.all([measured, message<PeerResult>(child)]);
  await engine.close();
  return { cpu, peer };
}

execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))]);
console.log(`${rooms} rooms of ${size}, ${workers} worker(s), ${seconds} s, Node ${process.version}`);
for (let round = 0; round < rounds; round++)
  for (const mode of MODES) {
    const [load = 0] = loadavg();
    const { cpu, peer } = await run(mode);
    // Milliseconds of processor time for one participant in one second.
    const each = (cpu / legs).toFixed(3);
    const gap = `gap p50 ${peer.p50.toFixed(2)} p99 ${peer.p99.toFixed(2)} ms`;
    console.log(
      `${mode.name.padEnd(24)} ${(cpu / 10).toFixed(1)} % of a core, ${each} ms per participant-second; ${gap}; ${peer.sent} in, ${peer.received} out, ${peer.lost} lost; load ${load.toFixed(1)}`,
    );
  }
process.exit(0);
