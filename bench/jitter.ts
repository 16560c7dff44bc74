// What a jitter buffer does to bridged and to mixed audio: delay from the network's sender to the other side, and what an ear loses whose
// phone waits for 20, 40 or 60 ms itself, with and without the buffer, for the same packets. In virtual time, so that the load of the
// machine does not count; then the processor time of a relayed packet, with and without, in turns.
//   npx tsx bench/jitter.ts [packets=15000] [rounds=7]
import { loadavg } from 'node:os';
import { PCMU } from '../src/media/codec.ts';
import { agreedOf } from '../src/media/commands/agreed.ts';
import { JitterBuffer } from '../src/media/mixing/jitter-buffer.ts';
import { lossAtEar, uneven } from '../src/media/testing/uneven.ts';
import { AUDIO, SETTINGS, VirtualStreams } from '../src/media/testing/virtual-streams.ts';

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const count = Number(options.get('packets') ?? 15_000);
const rounds = Number(options.get('rounds') ?? 7);
const CUSHIONS_MS = [20, 40, 60];
/** The first seconds, in which the jitter becomes known. */
const FIRST = 250;
const DIGITS = [0, 1, 2, 3, 4];

interface Heard {
  readonly index: number;
  readonly atMs: number;
}

const share = (part: number): string => `${(100 * part).toFixed(1)} %`.padStart(8);

function print(name: string, heard: readonly Heard[], more = ''): void {
  const later = heard.filter(({ index }) => index >= FIRST);
  const delays = later.map(({ index, atMs }) => atMs - index * 20).sort((one, other) => one - other);
  const mean = delays.reduce((sum, each) => sum + each, 0) / delays.length;
  const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
  const losses = CUSHIONS_MS.map((cushionMs) => share(lossAtEar(later, count - FIRST, cushionMs))).join(' ');
  console.log(
    `${name.padEnd(30)} ${mean.toFixed(1).padStart(6)} ms ${p99.toFixed(0).padStart(4)} ms ${losses}   ${more}`,
  );
}

function bridged(): { virtual: VirtualStreams; caller: ReturnType<VirtualStreams['open']> } {
  const virtual = new VirtualStreams();
  const [caller, agent] = [virtual.open(), virtual.open()];
  caller.configure(agreedOf(SETTINGS), virtual.nowMs);
  agent.configure(agreedOf({ ...SETTINGS, remotePort: 5_000 }), virtual.nowMs);
  caller.bridge(agent);
  return { virtual, caller };
}

function throughBridge(packets: ReturnType<typeof uneven>): {
  heard: Heard[];
  bufferMs: number;
  late: number;
} {
  const { virtual, caller } = bridged();
  const startMs = virtual.nowMs;
  const payload = Uint8Array.from(AUDIO);
  let next = 0;
  virtual.runFinely(count * 20 + 400, () => {
    for (; (packets[next]?.arrivesMs ?? Number.POSITIVE_INFINITY) <= virtual.nowMs - startMs; next++) {
      const index = packets[next]?.index ?? 0;
      payload[0] = index & 0xff;
      payload[1] = index >>> 8;
      virtual.arrive(caller, payload, { sequence: index, timestamp: index * 160 });
    }
  });
  const heard = virtual.sent.map(({ payload: bytes, atMs }) => ({
    index: (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8),
    atMs: atMs - startMs,
  }));
  const { bufferMs, packetsLate } = caller.close(virtual.nowMs);
  return { heard, bufferMs, late: packetsLate };
}

/** What a recording, a listener or a conference takes, a frame every 20 ms. */
function throughMix(packets: ReturnType<typeof uneven>): { heard: Heard[]; late: number } {
  const buffer = new JitterBuffer();
  const heard: Heard[] = [];
  let next = 0;
  for (let nowMs = 0; nowMs < count * 20 + 400; nowMs++) {
    for (; (packets[next]?.arrivesMs ?? Number.POSITIVE_INFINITY) <= nowMs; next++) {
      const index = packets[next]?.index ?? 0;
      // Digits in samples that are hardly heard, so that a frame counts as a pause of the voice.
      const audio = Uint8Array.from({ length: 160 }, (_, at) => 0xf0 | ((index >>> (3 * (at % 5))) & 7));
      buffer.push(audio, 0, 160, index, PCMU);
    }
    const frame = nowMs % 20 === 7 ? buffer.next() : null;
    if (frame && frame[0] !== PCMU.silence)
      heard.push({
        index: DIGITS.reduce((sum, at) => sum | (((frame[at] ?? 0) & 7) << (3 * at)), 0),
        atMs: nowMs,
      });
  }
  return { heard, late: buffer.late };
}

/** Nanoseconds of processor time for one packet, sent on included; the sockets are none. */
function cost(jitterMs: number): number {
  const packets = uneven(5_000, jitterMs, 3);
  const { virtual, caller } = bridged();
  const startMs = virtual.nowMs;
  let next = 0;
  const { user, system } = process.cpuUsage();
  virtual.runFinely(5_000 * 20, () => {
    for (; (packets[next]?.arrivesMs ?? Number.POSITIVE_INFINITY) <= virtual.nowMs - startMs; next++) {
      const index = packets[next]?.index ?? 0;
      virtual.arrive(caller, AUDIO, { sequence: index, timestamp: index * 160 });
    }
  });
  const spent = process.cpuUsage();
  return ((spent.user + spent.system - user - system) * 1_000) / 5_000;
}

console.log(
  `${count} packets of 20 ms, delays spread evenly, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
);
console.log(
  `${''.padEnd(30)} ${'delay'.padStart(9)} ${'p99'.padStart(7)} ${CUSHIONS_MS.map((each) => `ear ${each}`.padStart(8)).join(' ')}`,
);
for (const inOrder of [true, false]) {
  console.log(inOrder ? 'in order' : 'overtaking each other');
  for (const jitterMs of [0, 20, 40, 80]) {
    const packets = uneven(count, jitterMs, 11, inOrder);
    print(
      `  ${jitterMs} ms, as it comes`,
      packets.map(({ index, arrivesMs }) => ({ index, atMs: arrivesMs })),
    );
    const bridge = throughBridge(packets);
    print(
      `  ${jitterMs} ms, bridged`,
      bridge.heard,
      `buffer ${bridge.bufferMs.toFixed(1)} ms, ${bridge.late} late`,
    );
    const mix = throughMix(packets);
    print(`  ${jitterMs} ms, mixed or recorded`, mix.heard, `${mix.late} late`);
  }
}
const costs = new Map<number, number>();
for (let round = 0; round < rounds; round++)
  for (const jitterMs of [0, 80])
    costs.set(jitterMs, Math.min(costs.get(jitterMs) ?? Number.POSITIVE_INFINITY, cost(jitterMs)));
console.log(
  `a packet costs ${costs.get(0)?.toFixed(0)} ns as it comes, ${costs.get(80)?.toFixed(0)} ns buffered, test sockets and virtual clock included (best of ${rounds})`,
);
