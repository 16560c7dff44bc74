// Streams of two workers, connected over the loopback.
import { describe, expect, it } from 'vitest';
import { ulawToAlaw } from '../audio/g711.ts';
import type { MediaConfig, MediaEngine, Stream } from '../media.ts';
import { freePorts } from '../testing/free-ports.ts';
import { AUDIO, Peer } from '../testing/peer.ts';
import { openMedia } from './engine.ts';

const ADAPTERS = process.platform === 'linux' ? (['syscalls', 'dgram'] as const) : (['dgram'] as const);

function listener() {
  const keys: string[] = [];
  const failed_: string[] = [];
  return {
    keys,
    failed_,
    keyPressed: (key: string) => void keys.push(key),
    played: () => undefined,
    silent: () => undefined,
    oneWay: () => undefined,
    failed: (reason: string) => void failed_.push(reason),
  };
}

async function engineOf(over: Partial<MediaConfig>): Promise<MediaEngine> {
  const ports = await freePorts(40);
  return openMedia({ host: '127.0.0.1', ports, workers: 2, adapter: 'auto', rtpTimeoutMs: 30_000, ...over });
}

const opened = (stream: Stream | null): Stream => {
  if (!stream) throw new Error('no stream');
  return stream;
};

/** When a later stream is closed, all commands before it are carried out. */
async function settled(engine: MediaEngine, stream: Stream): Promise<void> {
  const later = opened(engine.open(listener(), stream));
  later.tap(() => undefined);
  await later.close();
}

describe.each(ADAPTERS)('streams of two workers over %s', (adapter) => {
  it('are bridged both ways, with keys, recorded, heard and parted again', async () => {
    const engine = await engineOf({ workers: 2, adapter });
    const [one, other, third] = [await Peer.open(), await Peer.open(), await Peer.open()];
    const [heardA, heardB] = [listener(), listener()];
    const a = opened(engine.open(heardA));
    const b = opened(engine.open(heardB));
    const ear = opened(engine.open(listener(), a));
    a.configure(one.settings());
    b.configure(other.settings({ codec: 'pcma', payloadType: 8, eventPayloadType: 97 }));
    ear.configure(third.settings());
    a.bridge(b);
    expect(engine.openStreams).toBe(5);
    await Promise.all([settled(engine, a), settled(engine, b)]);
    // The first packets may come before the other worker has carried out its commands.
    await other.until('audio', () => {
      if (other.got.length === 0) one.send(a.port);
      return other.got.length > 0;
    });
    await one.until('audio back', () => {
      if (one.got.length === 0) other.send(b.port, AUDIO, { payloadType: 8 });
      return one.got.length > 0;
    });
    expect(other.got.at(-1)?.payload).toEqual(Buffer.from(AUDIO.map((sample) => ulawToAlaw[sample] ?? 0)));
    one.press(a.port, 5);
    await other.until('a key', () => other.got.some(({ header }) => header.payloadType === 97));
    // The worker's report may come after the packet that it sent on.
    await other.until('its report', () => heardA.keys.length > 0);
    expect([heardA.keys, heardB.keys]).toEqual([['5'], []]);
    const sound: number[] = [];
    const recorded = new Promise<void>((resolve) => {
      const sink = { wrote: (audio: Buffer) => void sound.push(audio.length), ended: () => resolve() };
      a.record({ maxMs: 60, silenceMs: null }, sink, b);
    });
    ear.listenIn(b);
    await third.until('both sides', () => {
      other.send(b.port, AUDIO, { payloadType: 8 });
      return third.got.length > 3;
    });
    await recorded;
    expect(sound.reduce((sum, each) => sum + each, 0)).toBe(2 * 60 * 8);
    a.unbridge();
    expect(heardA.failed_).toEqual([]);
    await Promise.all([settled(engine, a), settled(engine, b)]);
    await one.until('both relays closed', () => engine.openStreams === 3);
    a.bridge(b);
    await Promise.all([a.close(), b.close(), ear.close()]);
    await one.until('all closed', () => engine.openStreams === 0);
    for (const peer of [one, other, third]) peer.close();
    await engine.close();
  });

  it('are buffered where packets arrive unevenly, in the worker where they arrive', async () => {
    const engine = await engineOf({ workers: 2, adapter });
    const [one, other] = [await Peer.open(), await Peer.open()];
    const [a, b] = [opened(engine.open(listener())), opened(engine.open(listener()))];
    a.configure(one.settings());
    b.configure(other.settings());
    a.bridge(b);
    await Promise.all([settled(engine, a), settled(engine, b)]);
    // Bursts out of order: relayed as they come, until the worker knows that the network is uneven. A busy machine takes longer to
    // find out, and changes nothing else.
    let sent = 0;
    const startMs = performance.now();
    const rest = Buffer.from(AUDIO.subarray(1));
    /** Without silence of our own. */
    const heard = () =>
      other.got.filter(({ payload }) => payload.subarray(1).equals(rest)).map(({ payload }) => payload[0]);
    for (let inOrder = 0; inOrder < 5; ) {
      const first = sent;
      const before = heard().length;
      const spokenMs = Math.floor((performance.now() - startMs) / 20) * 20;
      for (const place of [0, 2, 1, 4, 3]) {
        const index = first + place;
        const payload = Uint8Array.of(index & 0xff, ...AUDIO.subarray(1));
        one.send(a.port, payload, { sequence: 1_024 + index, timestamp: (spokenMs + place * 20) * 8 });
      }
      sent += 5;
      await other.until('the last packet', () => heard().includes((sent - 1) & 0xff, before));
      await new Promise((resolve) => setTimeout(resolve, 90));
      const burst = heard().slice(before).join();
      if (burst === [0, 1, 2, 3, 4].map((place) => (first + place) & 0xff).join()) inOrder++;
    }
    const [there, here] = await Promise.all([a.close(), b.close()]);
    expect(there.bufferMs).toBeGreaterThan(0);
    expect(here.bufferMs).toBe(0);
    expect(there.packetsReceived).toBe(sent);
    expect(heard().length + there.packetsLate).toBe(sent);
    for (const peer of [one, other]) peer.close();
    await engine.close();
  });

  it('pass Opus on as it is when both change to it, and G.711 when both have gone back', async () => {
    const engine = await engineOf({ workers: 2, adapter });
    const [one, other] = [await Peer.open(), await Peer.open()];
    const [a, b] = [opened(engine.open(listener())), opened(engine.open(listener()))];
    a.configure(one.settings());
    b.configure(other.settings());
    a.bridge(b);
    const carries = async (payload: Uint8Array, payloadType: number): Promise<void> => {
      await Promise.all([settled(engine, a), settled(engine, b)]);
      other.got.length = 0;
      await other.until('audio', () => {
        if (other.got.length === 0) one.send(a.port, payload, { payloadType });
        return other.got.some(({ header }) => header.payloadType === payloadType);
      });
      expect(other.got.at(-1)?.payload).toEqual(Buffer.from(payload));
    };
    await carries(AUDIO, 0);
    a.configure(one.settings({ codec: 'opus', payloadType: 111 }));
    b.configure(other.settings({ codec: 'opus', payloadType: 111 }));
    await carries(Uint8Array.of(0x78, 1, 2, 3, 4, 5, 6), 111);
    b.configure(other.settings());
    a.configure(one.settings());
    await carries(AUDIO, 0);
    await Promise.all([a.close(), b.close()]);
    for (const peer of [one, other]) peer.close();
    await engine.close();
  });

  it('hear each other where the audio has the usual payload type of events', async () => {
    const engine = await engineOf({ workers: 2, adapter });
    const [one, other] = [await Peer.open(), await Peer.open()];
    const a = opened(engine.open(listener()));
    const b = opened(engine.open(listener()));
    a.configure(one.settings());
    b.configure(other.settings({ payloadType: 101, eventPayloadType: 97 }));
    a.bridge(b);
    await Promise.all([settled(engine, a), settled(engine, b)]);
    await other.until('audio', () => {
      if (other.got.length === 0) one.send(a.port);
      return other.got.length > 0;
    });
    expect(other.got[0]?.header.payloadType).toBe(101);
    one.press(a.port, 5);
    await other.until('a key', () => other.got.some(({ header }) => header.payloadType === 97));
    for (const peer of [one, other]) peer.close();
    await engine.close();
  });

  it('fail where no port is left for them', async () => {
    const engine = await engineOf({ workers: 2, adapter, ports: await freePorts(4) });
    const heard = listener();
    const [a, b] = [opened(engine.open(heard)), opened(engine.open(listener()))];
    a.bridge(b);
    expect(heard.failed_).toEqual(['No port is free to connect streams of two media workers.']);
    await engine.close();
  });
});
