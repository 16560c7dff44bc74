// Conferences over two workers, with peers on loopback: each stream hears the sum of the others.
import { describe, expect, it } from 'vitest';
import { alawToLinear, encodeAlaw, encodeUlaw, ulawToLinear } from '../audio/g711.ts';
import type { MediaEngine, Stream, StreamEvents } from '../media.ts';
import { freePorts } from '../testing/free-ports.ts';
import { Peer } from '../testing/peer.ts';
import { killWorker, openMedia } from './engine.ts';

interface Heard extends StreamEvents {
  readonly failed_: string[];
}

function listener(): Heard {
  const failed_: string[] = [];
  const nothing = (): void => undefined;
  return {
    failed_,
    keyPressed: nothing,
    played: nothing,
    silent: nothing,
    oneWay: nothing,
    failed: (reason) => failed_.push(reason),
  };
}

const twoWorkers = async (): Promise<MediaEngine> =>
  openMedia({
    host: '127.0.0.1',
    ports: await freePorts(40),
    workers: 2,
    adapter: 'auto',
    rtpTimeoutMs: 30_000,
  });

const opened = (stream: Stream | null): Stream => {
  if (!stream) throw new Error('no stream');
  return stream;
};

describe('a conference', () => {
  it('mixes streams of two workers: each hears the others and not itself', async () => {
    const engine = await twoWorkers();
    const said = [4_000, 2_000, 1_000];
    const peers = await Promise.all(said.map(() => Peer.open()));
    const streams = peers.map((each, index) => {
      const stream = opened(engine.open(listener()));
      const isAlaw = index === 2;
      const law = isAlaw ? ({ codec: 'pcma', payloadType: 8, ptimeMs: 40 } as const) : {};
      stream.configure(each.settings(law));
      return stream;
    });
    const [first] = streams;
    if (!first) throw new Error('no stream');
    const conference = engine.openConference(first, () => undefined);
    for (const stream of streams) conference.join(stream);
    const talking = setInterval(() => {
      for (const [index, each] of peers.entries()) {
        const isAlaw = index === 2;
        const sample = isAlaw ? encodeAlaw(said[index] ?? 0) : encodeUlaw(said[index] ?? 0);
        const payloadType = isAlaw ? 8 : 0;
        each.send(streams[index]?.port ?? 0, new Uint8Array(160).fill(sample), { payloadType });
      }
    }, 20);
    const levels = (): number[] =>
      peers.map(({ got }, index) => {
        const sample = got.at(-1)?.payload.at(-1) ?? 0;
        return Math.round((index === 2 ? alawToLinear[sample] : (ulawToLinear[sample] ?? 0)) ?? 0) / 1_000;
      });
    const hears = (what: string, expected: readonly number[]): Promise<void> =>
      peers[0]?.until(`${what}; heard ${levels()}`, () =>
        levels().every((level, index) => Math.abs(level - (expected[index] ?? 0)) < 0.3),
      ) ?? Promise.resolve();
    try {
      await hears('the sum of the others', [3, 5, 6]);
      conference.mute(opened(streams[1] ?? null), true);
      await hears('without one who is muted', [1, 5, 4]);
      conference.mute(opened(streams[1] ?? null), false);
      // The one in the worker that mixes leaves: the others go on.
      await first.close();
      await hears('without one who left', [levels()[0] ?? 0, 1, 2]);
      expect(peers[2]?.got.at(-1)?.payload).toHaveLength(320);
      conference.close();
      const { length } = peers[1]?.got ?? [];
      await Promise.all(streams.map((stream) => stream.close()));
      expect((peers[1]?.got.length ?? 0) - length).toBeLessThan(10);
    } finally {
      clearInterval(talking);
      for (const each of peers) each.close();
      await engine.close();
    }
  });

  it('reports a conference whose worker died, also to members of other workers', async () => {
    const engine = await twoWorkers();
    const peer = await Peer.open();
    const [one, two] = [listener(), listener()];
    const [a, b] = [opened(engine.open(one)), opened(engine.open(two))];
    const failed: string[] = [];
    const conference = engine.openConference(a, (reason) => failed.push(reason));
    conference.join(a);
    conference.join(b);
    killWorker(engine);
    await peer.until('the news', () => failed.length > 0);
    expect([one.failed_.length, two.failed_.length]).toEqual([1, 0]);
    conference.close();
    peer.close();
    await engine.close();
  });
});
