// What SRTP costs in a media worker: CPU of all threads but the main one, which has the peers, for each relayed packet of conversations
// whose sides are plain, one encrypted, or both. Same process, same peers, one after the other, three times.
//   node --import tsx bench/srtp.ts [conversations] [seconds]
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openMedia } from '../src/media/engine/engine.ts';
import type { MediaEngine, Stream } from '../src/media/media.ts';
import { HEADER_BYTES, writeRtp } from '../src/media/rtp/rtp.ts';
import { SrtpSender } from '../src/media/srtp/srtp.ts';
import { masterBytes, type SrtpKeys, type SuiteName, suiteNamed } from '../src/media/srtp/suites.ts';
import { freePorts } from '../src/media/testing/free-ports.ts';
import { AUDIO, Peer } from '../src/media/testing/peer.ts';

const conversations = Number(process.argv[2] ?? 50);
const seconds = Number(process.argv[3] ?? 10);
const EVENTS = { keyPressed() {}, played() {}, silent() {}, oneWay() {} };
const SUITES: readonly SuiteName[] = [
  'AES_CM_128_HMAC_SHA1_80',
  'AES_CM_128_HMAC_SHA1_32',
  'AES_256_CM_HMAC_SHA1_80',
];

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

class Side {
  readonly peer: Peer;
  readonly stream: Stream;
  readonly #sender: SrtpSender | null;
  readonly #packet = Buffer.alloc(HEADER_BYTES + AUDIO.length + 20);
  #sequence = 0;

  static async open(engine: MediaEngine, suite: SuiteName | null, near?: Side): Promise<Side> {
    return new Side(engine, await Peer.open(), suite, near);
  }

  private constructor(engine: MediaEngine, peer: Peer, suite: SuiteName | null, near?: Side) {
    const stream = engine.open(EVENTS, near?.stream);
    if (!stream) throw new Error('no port is free');
    this.peer = peer;
    this.stream = stream;
    const keys = suite && keysOf(suite);
    this.#sender = keys && new SrtpSender(suiteNamed(keys.suite), keys.remote);
    stream.configure(peer.settings(keys ? { srtp: keys } : {}));
  }

  send(): void {
    const sequence = this.#sequence++;
    writeRtp(this.#packet, 0, false, 0, sequence & 0xffff, sequence * 160, 1);
    this.#packet.set(AUDIO, HEADER_BYTES);
    const plain = HEADER_BYTES + AUDIO.length;
    const length = this.#sender?.protect(this.#packet, 0, plain) ?? plain;
    this.peer.sendRaw(this.stream.port, Buffer.from(this.#packet.subarray(0, length)));
  }
}

function keysOf(suite: SuiteName): SrtpKeys {
  const bytes = masterBytes(suiteNamed(suite));
  return { suite, local: randomBytes(bytes), remote: randomBytes(bytes) };
}

async function run(engine: MediaEngine, one: SuiteName | null, other: SuiteName | null): Promise<void> {
  const talks = await Promise.all(
    Array.from({ length: conversations }, async () => {
      const a = await Side.open(engine, one);
      const b = await Side.open(engine, other, a);
      a.stream.bridge(b.stream);
      return [a, b] as const;
    }),
  );
  const sides = talks.flat();
  await wait(500);
  for (const { peer } of sides) peer.got.length = 0;
  const beforeUs = workersUs();
  const startMs = performance.now();
  for (let packet = 0; packet < seconds * 50; packet++) {
    await wait(Math.max(0, startMs + packet * 20 - performance.now()));
    for (const side of sides) side.send();
  }
  await wait(200);
  const spentUs = workersUs() - beforeUs;
  const got = sides.reduce((sum, { peer }) => sum + peer.got.length, 0);
  const perPacket = (spentUs / got).toFixed(1);
  const perLeg = ((spentUs / 2 / conversations / (seconds * 1e6)) * 100).toFixed(3);
  process.stdout.write(
    `${one ?? 'plain'} – ${other ?? 'plain'}: ${perPacket} µs for each relayed packet, ${perLeg} % of a core for each leg, ` +
      `${sides.length * seconds * 50 - got} lost\n`,
  );
  await Promise.all(sides.map(({ stream }) => stream.close()));
  for (const { peer } of sides) peer.close();
  await wait(300);
}

const engine = await openMedia({
  host: '127.0.0.1',
  ports: await freePorts(conversations * 12),
  workers: 1,
  adapter: 'auto',
  rtpTimeoutMs: 60_000,
});
process.stdout.write(`${conversations} conversations, ${seconds} s, adapter ${engine.adapter}\n`);
for (let round = 0; round < 3; round++) {
  await run(engine, null, null);
  for (const suite of SUITES) await run(engine, suite, null);
  await run(engine, SUITES[0] ?? null, SUITES[0] ?? null);
}
await engine.close();
