import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ulawToAlaw } from '../audio/g711.ts';
import type { KeySource, MediaConfig, MediaEngine, Stream, StreamEvents } from '../media.ts';
import { freePorts } from '../testing/free-ports.ts';
import { AUDIO, Peer } from '../testing/peer.ts';
import { killWorker, openMedia } from './engine.ts';

interface Heard extends StreamEvents {
  readonly keys: string[];
  readonly sources: KeySource[];
  readonly played_: number[];
  silent_: number;
  oneWay_: number;
  failed_: string[];
}

function listener(): Heard {
  const heard: Heard = {
    keys: [],
    sources: [],
    played_: [],
    silent_: 0,
    oneWay_: 0,
    failed_: [],
    keyPressed: (key, source) => {
      heard.keys.push(key);
      heard.sources.push(source);
    },
    played: (playback) => heard.played_.push(playback),
    silent: () => {
      heard.silent_++;
    },
    oneWay: () => {
      heard.oneWay_++;
    },
    failed: (reason) => heard.failed_.push(reason),
  };
  return heard;
}

async function engineOf(over: Partial<MediaConfig>): Promise<MediaEngine> {
  return await openMedia({
    host: '127.0.0.1',
    ports: await freePorts(40),
    workers: 1,
    adapter: 'auto',
    rtpTimeoutMs: 30_000,
    ...over,
  });
}

const opened = (stream: Stream | null): Stream => {
  if (!stream) throw new Error('no stream');
  return stream;
};

const ADAPTERS = process.platform === 'linux' ? (['syscalls', 'dgram'] as const) : (['dgram'] as const);

describe.each(ADAPTERS)('media engine over %s', (adapter) => {
  let engine: MediaEngine;
  let peer: Peer;
  beforeEach(async () => {
    engine = await engineOf({ adapter });
    peer = await Peer.open();
  });
  afterEach(async () => {
    peer.close();
    await engine.close();
  });

  it('names its adapter', () => {
    expect(engine.adapter).toBe(adapter);
  });

  it('plays a sound with one source, in sequence, and reports the end', async () => {
    const sound = Buffer.from(Uint8Array.from({ length: 1_000 }, (_, index) => index % 256));
    engine.loadSound('welcome', sound);
    const heard = listener();
    const stream = opened(engine.open(heard));
    stream.configure(peer.settings());
    stream.play(7, { kind: 'sound', id: 'welcome' });
    await peer.until('the end of the sound', () => heard.played_.length > 0 && peer.got.length >= 7);
    expect(heard.played_).toEqual([7]);
    const audio = Buffer.concat(peer.got.map(({ payload }) => payload));
    expect(audio.subarray(0, 1_000).equals(sound)).toBe(true);
    expect(new Set(audio.subarray(1_000))).toEqual(new Set([0xff]));
    expect(peer.got.map(({ header }) => header.marker)).toEqual([true, ...new Array(6).fill(false)]);
    const [first] = peer.got;
    for (const [index, { header }] of peer.got.entries()) {
      expect(header.ssrc).toBe(first?.header.ssrc);
      expect(header.sequence).toBe(((first?.header.sequence ?? 0) + index) & 0xffff);
      expect(header.timestamp).toBe(((first?.header.timestamp ?? 0) + index * 160) >>> 0);
    }
    expect((await stream.close()).packetsSent).toBe(7);
  });

  it('keeps source and sequence from prompt to prompt while the timestamp follows the clock', async () => {
    engine.loadSound('short', Buffer.alloc(320, 1));
    const heard = listener();
    const stream = opened(engine.open(heard));
    stream.configure(peer.settings({ codec: 'pcma', payloadType: 8 }));
    stream.play(1, { kind: 'sound', id: 'short' });
    const sounding = () => peer.got.filter(({ payload }) => payload[0] === ulawToAlaw[1]);
    await peer.until('the first', () => sounding().length === 2);
    // After 200 ms.
    await peer.until('silence', () => peer.got.some(({ payload }) => payload.every((byte) => byte === 0xd5)));
    stream.play(2, { kind: 'sound', id: 'short' });
    await peer.until('the second', () => sounding().length === 4);
    const [a, b, c] = sounding().map(({ header }) => header);
    // Silence between them, by the same source and in the same sequence.
    const sequences = peer.got.map(({ header }) => header.sequence);
    expect(sequences).toEqual(sequences.map((_, index) => ((sequences[0] ?? 0) + index) & 0xffff));
    expect(c?.ssrc).toBe(a?.ssrc);
    expect(c?.marker).toBe(true);
    expect(((c?.timestamp ?? 0) - (b?.timestamp ?? 0)) >>> 0).toBeGreaterThanOrEqual(800);
    expect(peer.got[0]?.header.payloadType).toBe(8);
  });

  it('reports each key once, at its first packet', async () => {
    const heard = listener();
    const stream = opened(engine.open(heard));
    stream.configure(peer.settings({ eventPayloadType: 96 }));
    await settled(engine, stream);
    for (const event of [1, 1, 11]) peer.press(stream.port, event, 96);
    await peer.until('three keys', () => heard.keys.length === 3);
    expect(heard.keys).toEqual(['1', '1', '#']);
    expect(heard.sources).toEqual(['rfc4733', 'rfc4733', 'rfc4733']);
  });

  it('receives a key of a stream that was only configured', async () => {
    const heard = listener();
    const stream = opened(engine.open(heard));
    stream.configure(peer.settings());
    // Packets before the command has arrived are dropped, so the key is repeated. A worker that is not woken looks up after five seconds.
    const isHeard = (): boolean => {
      if (heard.keys.length === 0) peer.press(stream.port, 5);
      return heard.keys.length > 0;
    };
    await peer.until('the key', isHeard, 3_000);
    expect(new Set(heard.keys)).toEqual(new Set(['5']));
  });

  it('drops what arrived before the stream was configured', async () => {
    const other = await Peer.open();
    const called = opened(engine.open(listener()));
    // Early media, while the worker has no streams.
    for (let packet = 0; packet < 20; packet++) peer.send(called.port);
    await peer.sent();
    const caller = opened(engine.open(listener(), called));
    called.configure(peer.settings());
    caller.configure(other.settings());
    caller.bridge(called);
    const later = new Uint8Array(160).fill(0x11);
    await peer.until('a packet of after the bridge', () => {
      if (other.got.length === 0) peer.send(called.port, later);
      return other.got.length > 0;
    });
    for (const { payload } of other.got) expect(payload.equals(later)).toBe(true);
    other.close();
  });

  it('bridges two legs of different codecs both ways, with keys', async () => {
    const other = await Peer.open();
    const [heardA, heardB] = [listener(), listener()];
    const a = opened(engine.open(heardA));
    const b = opened(engine.open(heardB, a));
    a.configure(peer.settings());
    b.configure(other.settings({ codec: 'pcma', payloadType: 8, eventPayloadType: 97 }));
    a.bridge(b);
    await settled(engine, b);
    peer.send(a.port);
    peer.send(a.port);
    peer.press(a.port, 5);
    await other.until('audio and events', () => other.got.length === 8);
    expect(other.got[0]?.payload).toEqual(Buffer.from(AUDIO.map((sample) => ulawToAlaw[sample] ?? 0)));
    expect(other.got.map(({ header }) => header.payloadType)).toEqual([8, 8, 97, 97, 97, 97, 97, 97]);
    expect(new Set(other.got.slice(2).map(({ header }) => header.timestamp)).size).toBe(1);
    expect(other.got[0]?.header.ssrc).not.toBe(peer.ssrc);
    other.send(b.port, AUDIO, { payloadType: 8 });
    await peer.until('audio back', () => peer.got.length === 1);
    expect(heardA.keys).toEqual(['5']);
    other.close();
  });

  it('releases ports and refuses when all are in use', async () => {
    const streams = Array.from({ length: 20 }, () => opened(engine.open(listener())));
    expect(engine.open(listener())).toBeNull();
    expect(new Set(streams.map(({ port }) => port)).size).toBe(20);
    await Promise.all(streams.map((stream) => stream.close()));
    expect(engine.openStreams).toBe(0);
    await peer.until('ports', () => {
      const again = engine.open(listener());
      void again?.close();
      return again !== null;
    });
  });

  it('neither delivers nor follows two hundred packets of another source', async () => {
    const stranger = await Peer.open();
    const stream = opened(engine.open(listener()));
    const heard: Buffer[] = [];
    engine.loadSound('prompt', Buffer.alloc(16_000, 3));
    stream.tap((audio) => heard.push(audio));
    stream.configure(peer.settings());
    stream.play(1, { kind: 'sound', id: 'prompt' });
    await settled(engine, stream);
    peer.send(stream.port);
    const foreign = new Uint8Array(160).fill(0x11);
    for (let count = 0; count < 200; count++) {
      stranger.send(stream.port, foreign);
      if (count % 20 === 19) await settled(engine, stream);
    }
    for (let count = 0; count < 9; count++) peer.send(stream.port);
    await peer.until('the audio of the peer', () => heard.length === 10);
    for (const block of heard) expect(block.equals(AUDIO)).toBe(true);
    expect(stranger.got).toEqual([]);
    await peer.until('the strangers counted', () => peer.got.length > 5);
    const { strangers, packetsReceived } = await stream.close();
    expect(packetsReceived).toBe(10);
    expect(strangers).toBeGreaterThan(20);
    stranger.close();
  });

  it('stays up under malformed packets on both ports', async () => {
    const heard = listener();
    const stream = opened(engine.open(heard));
    stream.configure(peer.settings());
    await settled(engine, stream);
    peer.send(stream.port);
    for (let count = 0; count < 1_000; count++) {
      const bytes = Uint8Array.from({ length: count % 50 }, (_, at) => (count * 31 + at * 17) & 0xff);
      if (bytes.length > 0) bytes[0] = 0x80 | (count & 0x3f);
      peer.sendRaw(stream.port, bytes);
      peer.sendReport(stream.port + 1, bytes);
      if (count % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
    }
    // Floods wait in the kernel's small buffer or are dropped there, so the key is pressed until it is reported.
    await peer.until('a key after the flood', () => {
      if (heard.keys.length === 0) peer.press(stream.port, 8);
      return heard.keys.includes('8');
    });
    expect(heard.failed_).toEqual([]);
  });

  it('opens and closes a thousand streams in a small range without losing a port', async () => {
    for (let round = 0; round < 50; round++) {
      const streams: Stream[] = [];
      await peer.until('twenty ports', () => {
        for (let stream = engine.open(listener()); stream; stream = engine.open(listener()))
          streams.push(stream);
        return streams.length === 20;
      });
      await Promise.all(streams.map((stream) => stream.close()));
    }
    expect(engine.openStreams).toBe(0);
  });

  it('loops a tone until it is stopped, and reports no end then', async () => {
    const heard = listener();
    const stream = opened(engine.open(heard));
    stream.configure(peer.settings());
    stream.play(1, { kind: 'tone', tone: 'beep' }, true);
    await peer.until('more than one round', () => peer.got.length > 30);
    stream.stop();
    await settled(engine, stream);
    const count = peer.got.length;
    stream.play(2, { kind: 'sound', id: 'not there' });
    await peer.until('the tone for a missing sound', () => heard.played_.length > 0);
    expect(heard.played_).toEqual([2]);
    expect(peer.got.length).toBeGreaterThan(count);
  });

  it('carries out commands in sequence, however many are given at once and whichever way they take', async () => {
    const heard = listener();
    const stream = opened(engine.open(heard));
    stream.configure(peer.settings());
    for (let playback = 1; playback <= 3_000; playback++)
      stream.play(playback, { kind: 'tone', tone: 'beep' }, true);
    stream.sendKeys('1');
    stream.play(3_001, { kind: 'tone', tone: 'beep' });
    await new Promise((resolve) => setImmediate(resolve));
    stream.stop();
    stream.play(3_002, { kind: 'tone', tone: 'beep' });
    await peer.until('the end of the last', () => heard.played_.length > 0);
    expect(heard.played_).toEqual([3_002]);
  });

  it('sends BYE to the peer and returns the same statistics from every close', async () => {
    const stream = opened(engine.open(listener()));
    stream.configure(peer.settings());
    stream.play(1, { kind: 'tone', tone: 'beep' });
    await peer.until('audio', () => peer.got.length > 0);
    const [one, two] = await Promise.all([stream.close(), stream.close()]);
    expect(one).toEqual(two);
    await peer.until('the goodbye', () => peer.reports.length > 0);
    stream.play(2, { kind: 'tone', tone: 'beep' });
  });
});

describe('media engine', () => {
  it('reports a dead worker, and goes on with another one on the same ports', async () => {
    const reasons: string[] = [];
    const engine = await engineOf({ onFailure: (reason) => reasons.push(reason) });
    const peer = await Peer.open();
    engine.loadSound('welcome', Buffer.alloc(320, 9));
    const heard = listener();
    const stream = opened(engine.open(heard));
    killWorker(engine);
    await peer.until('the news', () => heard.failed_.length > 0);
    expect(reasons).toEqual(['A media worker ended and is restarted: ordered to fail by a test']);
    expect((await stream.close()).packetsSent).toBe(0);
    expect(engine.openStreams).toBe(0);
    const streams: Stream[] = [];
    await peer.until('all ports again', () => {
      for (let next = engine.open(heard); next; next = engine.open(heard)) streams.push(next);
      return streams.length === 20;
    });
    streams[0]?.configure(peer.settings());
    streams[0]?.play(1, { kind: 'sound', id: 'welcome' });
    await peer.until('the sound', () => peer.got.length === 2);
    peer.close();
    await engine.close();
  });

  it('spreads streams over its workers and keeps near ones together', async () => {
    const engine = await engineOf({ workers: 2 });
    const [a, b] = [opened(engine.open(listener())), opened(engine.open(listener()))];
    const c = opened(engine.open(listener(), a));
    a.bridge(c);
    expect(engine.openStreams).toBe(3);
    const sink = { wrote() {}, ended() {} };
    expect(() => a.record({ maxMs: 1_000, silenceMs: null }, sink, b)).toThrow(/near/);
    await engine.close();
  });

  it('refuses to start where it cannot listen', async () => {
    await expect(engineOf({ host: 'no address' })).rejects.toThrow(/no address/);
  });
});

/** Commands are carried out in sequence: when a later stream is closed, everything before it is done. */
async function settled(engine: MediaEngine, stream: Stream): Promise<void> {
  const later = opened(engine.open(listener(), stream));
  // The worker opens a stream with its first command.
  later.tap(() => undefined);
  await later.close();
}

/** How many threads of this process the system runs in real time (proc(5): field 41 is the policy, 2 is SCHED_RR). */
function realTimeThreads(): number {
  const stats = readdirSync('/proc/self/task').map((id) =>
    readFileSync(`/proc/self/task/${id}/stat`, 'utf8'),
  );
  return stats.filter((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38] === '2').length;
}

it.runIf(process.platform === 'linux')(
  'runs its workers in real time when asked to, or says why it may not',
  async () => {
    const before = realTimeThreads();
    const warnings: string[] = [];
    const onWarning = (reason: string): void => void warnings.push(reason);
    const engine = await engineOf({ realTime: true, workers: 2, onWarning });
    try {
      await vi.waitFor(() => expect(realTimeThreads() - before + warnings.length).toBe(2));
      for (const reason of warnings) expect(reason).toMatch(/CAP_SYS_NICE|koffi/);
    } finally {
      await engine.close();
    }
  },
);
