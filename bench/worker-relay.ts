// What a conversation costs whose sides are in two media workers: CPU of all threads but the main one, which has the peers, for each
// relayed packet, and the time from a peer to the other one, within one worker and across two. Same process, same peers, one after the other, three times.
//   node --import tsx bench/worker-relay.ts [conversations] [seconds]
import { readFileSync } from 'node:fs';
import { openMedia } from '../src/media/engine/engine.ts';
import type { MediaEngine, Stream } from '../src/media/media.ts';
import { freePorts } from '../src/media/testing/free-ports.ts';
import { AUDIO, Peer } from '../src/media/testing/peer.ts';

const conversations = Number(process.argv[2] ?? 20);
const seconds = Number(process.argv[3] ?? 10);
const EVENTS = { keyPressed() {}, played() {}, silent() {}, oneWay() {} };
/** Linux: ticks of 10 ms. */
function workersUs(): number {
  const { user, system } = process.cpuUsage();
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
  const [utime, stime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return user + system - ((utime ?? 0) + (stime ?? 0)) * 10_000;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function opened(stream: Stream | null): Stream {
  if (!stream) throw new Error('no port is free');
  return stream;
}

async function run(engine: MediaEngine, isAcross: boolean): Promise<void> {
  const talks = await Promise.all(
    Array.from({ length: conversations }, async () => {
      const [one, other] = [await Peer.open(), await Peer.open()];
      // The engine takes the least busy worker for each stream that is near none.
      const a = opened(engine.open(EVENTS));
      const b = opened(isAcross ? engine.open(EVENTS) : engine.open(EVENTS, a));
      a.configure(one.settings());
      b.configure(other.settings());
      a.bridge(b);
      return { one, other, a, b };
    }),
  );
  await wait(500);
  for (const { one, other } of talks) one.got.length = other.got.length = 0;
  const sentMs: number[][] = talks.map(() => []);
  const beforeUs = workersUs();
  const startMs = performance.now();
  for (let packet = 0; packet < seconds * 50; packet++) {
    await wait(Math.max(0, startMs + packet * 20 - performance.now()));
    for (const [index, { one, other, a, b }] of talks.entries()) {
      sentMs[index]?.push(performance.now());
      one.send(a.port, AUDIO);
      other.send(b.port, AUDIO);
    }
  }
  await wait(200);
  const spentUs = workersUs() - beforeUs;
  const delays = talks
    .flatMap(({ other }, index) => other.got.map(({ atMs }, at) => atMs - (sentMs[index]?.[at] ?? 0)))
    .sort((one, other) => one - other);
  const got = talks.reduce((sum, { one, other }) => sum + one.got.length + other.got.length, 0);
  const sent = 2 * seconds * 50 * conversations;
  const at = (part: number): string => (delays[Math.floor(delays.length * part)] ?? Number.NaN).toFixed(2);
  process.stdout.write(
    `${isAcross ? 'two workers' : 'one worker '}: ${(spentUs / got).toFixed(1)} µs of the workers' CPU for each packet, ` +
      `${sent - got} of ${sent} lost, from peer to peer p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
  );
  await Promise.all(talks.flatMap(({ a, b }) => [a.close(), b.close()]));
  for (const { one, other } of talks) {
    one.close();
    other.close();
  }
  await wait(300);
}

const engine = await openMedia({
  host: '127.0.0.1',
  ports: await freePorts(conversations * 12),
  workers: 2,
  adapter: 'auto',
  rtpTimeoutMs: 60_000,
});
process.stdout.write(`${conversations} conversations, ${seconds} s, adapter ${engine.adapter}\n`);
for (let round = 0; round < 3; round++) for (const isAcross of [false, true]) await run(engine, isAcross);
await engine.close();
