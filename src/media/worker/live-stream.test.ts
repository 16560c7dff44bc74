import { describe, expect, it } from 'vitest';
import { agreedOf } from '../commands/agreed.ts';
import { readReport } from '../rtp/rtcp.ts';
import { AUDIO, at, PEER, SETTINGS, SOUND, TIMEOUT_MS, VirtualStreams } from '../testing/virtual-streams.ts';
import type { LiveStream } from './live-stream.ts';

const OPUS = { ...SETTINGS, codec: 'opus', payloadType: 111 } as const;

describe('two streams with Opus', () => {
  /** 20 ms of it; the length of a packet says nothing of its time. */
  const frame = (length: number) => new Uint8Array(length).fill(0x77);

  function bridged(): { virtual: VirtualStreams; one: LiveStream; other: LiveStream } {
    const virtual = new VirtualStreams();
    const [one, other] = [virtual.open(), virtual.open()];
    one.configure(agreedOf(OPUS), virtual.nowMs);
    other.configure(agreedOf({ ...OPUS, payloadType: 109 }), virtual.nowMs);
    one.bridge(other);
    return { virtual, one, other };
  }

  it('are bridged byte for byte, by the clock of 48 kHz and the payload type of each side', () => {
    const { virtual, one } = bridged();
    let packets = 0;
    virtual.run(10_000, () => {
      const length = 40 + (packets % 50);
      virtual.arrive(one, frame(length), { payloadType: 111, timestamp: packets++ * 960 });
    });
    expect(virtual.sent).toHaveLength(packets);
    expect(virtual.sent.every(({ header }) => header.payloadType === 109)).toBe(true);
    expect(virtual.sent.map(({ payload }) => payload.length).slice(0, 3)).toEqual([40, 41, 42]);
    const times = virtual.sent.map(({ header }) => header.timestamp);
    expect(new Set(times.slice(1).map((time, at) => (time - (times[at] ?? 0)) >>> 0))).toEqual(
      new Set([960]),
    );
    expect(one.close(virtual.nowMs)).toMatchObject({ packetsLost: 0, jitterMs: 0, bufferMs: 0 });
  });

  it('send no sound of ours, and nothing of a side that has gone back already', () => {
    const { virtual, one, other } = bridged();
    one.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(1_000, () => virtual.arrive(one, AUDIO));
    other.play(1, SOUND, true);
    virtual.run(1_000);
    expect(virtual.sent.filter(({ payload }) => payload.some((byte) => byte !== 0xff))).toEqual([]);
    other.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(1_000);
    expect(virtual.sent.length).toBeGreaterThan(40);
  });

  it('are recorded as silence, until they have gone back', () => {
    const { virtual, one } = bridged();
    const heard: number[] = [];
    one.tap(true);
    virtual.run(1_000, () => virtual.arrive(one, frame(60), { payloadType: 111 }));
    for (const event of virtual.events) if (event[0] === 'heard') heard.push(event[2].length);
    expect(heard).toEqual([]);
  });
});

describe('a live stream', () => {
  it('sends and accepts nothing before it is configured', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.play(1, SOUND, false);
    stream.sendKeys('5');
    virtual.run(200, () => virtual.arrive(stream, AUDIO));
    expect(virtual.sent).toEqual([]);
    expect(stream.close(virtual.nowMs).packetsReceived).toBe(0);
    expect(virtual.reports).toEqual([]);
  });

  it('before the answer is neither silent nor one-way, and sends no packet to an address that is not verified', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, early: 'unverified' }), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(TIMEOUT_MS + 10_000);
    expect([virtual.sent.length, virtual.reports.length, virtual.events]).toEqual([0, 0, []]);
    stream.configure(agreedOf({ ...SETTINGS, early: 'verified' }), virtual.nowMs);
    virtual.run(TIMEOUT_MS + 10_000);
    expect(virtual.sent.length).toBeGreaterThan(100);
    expect(virtual.events).toEqual([]);
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(TIMEOUT_MS + 10_000);
    expect(virtual.events.map(([type]) => type).sort()).toEqual(['one-way', 'silent']);
  });

  it('is connected to a peer that sends from its signalled address, until another one is signalled', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(3_000);
    expect(virtual.connections).toEqual([]);
    virtual.run(1_000, () => virtual.arrive(stream, AUDIO));
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    expect(virtual.connections).toEqual([4_000]);
    stream.configure(agreedOf({ ...SETTINGS, remotePort: 5_000 }), virtual.nowMs);
    expect(virtual.connections).toEqual([4_000, null]);
    virtual.run(2_000, () => virtual.arrive(stream, AUDIO, {}, at('192.0.2.1', 5_000)));
    stream.close(virtual.nowMs);
    expect(virtual.connections).toEqual([4_000, null, 5_000, null]);
  });

  it('is never connected to a peer behind NAT, which may move', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(3_000, () => virtual.arrive(stream, AUDIO, {}, at('192.0.2.1', 6_000)));
    expect(stream.received).toBeGreaterThan(100);
    expect(virtual.connections).toEqual([]);
  });

  it('reads its packets at its ticks under load, but not while it is bridged', () => {
    const virtual = new VirtualStreams();
    const [one, two] = [virtual.open(), virtual.open()];
    for (const stream of [one, two]) stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(1_000);
    expect([virtual.reads, virtual.listened]).toEqual([0, []]);
    virtual.isBusy = true;
    virtual.run(1_000);
    expect(virtual.listened).toEqual([false, false]);
    expect(virtual.reads).toBeGreaterThan(50);
    one.bridge(two);
    const { reads } = virtual;
    virtual.run(1_000);
    expect([virtual.reads, virtual.listened]).toEqual([reads, [false, false, true, true]]);
    one.unbridge();
    virtual.run(1_000);
    one.close(virtual.nowMs);
    expect(virtual.listened).toEqual([false, false, true, true, false, false, true]);
  });

  it('hears ringback until the stream that it is bridged with receives audio', () => {
    const virtual = new VirtualStreams();
    const [caller, called] = [virtual.open(), virtual.open()];
    for (const stream of [caller, called]) {
      stream.configure(agreedOf({ ...SETTINGS, early: 'verified' }), virtual.nowMs);
    }
    caller.bridge(called);
    caller.play(0, SOUND, true, true);
    virtual.run(1_000);
    expect(virtual.sent).toHaveLength(50);
    virtual.run(1_000, () => virtual.arrive(called, AUDIO));
    expect(virtual.sent).toHaveLength(100);
    virtual.run(1_000);
    expect(virtual.sent).toHaveLength(100);
  });

  it('is counted while it is bridged, however the bridge ends', () => {
    const virtual = new VirtualStreams();
    const [one, two, three] = [virtual.open(), virtual.open(), virtual.open()];
    const bridges = () => virtual.context?.bridges;
    one.bridge(two);
    expect(bridges()).toBe(1);
    three.bridge(one);
    expect(bridges()).toBe(1);
    two.unbridge();
    expect(bridges()).toBe(1);
    one.unbridge();
    expect(bridges()).toBe(0);
    one.bridge(two);
    two.close(virtual.nowMs);
    one.close(virtual.nowMs);
    expect(bridges()).toBe(0);
  });

  it('reads every packet at its ticks while it is tapped', () => {
    const virtual = new VirtualStreams();
    virtual.isBusy = true;
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(2_000);
    expect(virtual.wholeReads).toBeLessThan(virtual.reads / 4);
    stream.tap(true);
    const [reads, wholeReads] = [virtual.reads, virtual.wholeReads];
    virtual.run(1_000);
    expect(virtual.wholeReads - wholeReads).toBe(virtual.reads - reads);
    expect(virtual.reads - reads).toBe(50);
  });

  it('reports silence once, after the time-out, and never while the peer sends', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(TIMEOUT_MS * 2, () => virtual.arrive(stream, AUDIO));
    expect(virtual.events).toEqual([]);
    virtual.run(TIMEOUT_MS - 1_000);
    expect(virtual.events).toEqual([]);
    virtual.run(TIMEOUT_MS);
    expect(virtual.events).toEqual([['silent', 1]]);
  });

  it('expects nothing from a peer that it holds', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, direction: 'sendonly' }), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(TIMEOUT_MS * 2);
    expect(virtual.events).toEqual([]);
  });

  it('does not time out a peer that holds us without music, and counts from its return', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    stream.configure(agreedOf({ ...SETTINGS, direction: 'recvonly' }), virtual.nowMs);
    virtual.run(TIMEOUT_MS * 2);
    expect(virtual.events).toEqual([]);
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(TIMEOUT_MS - 1_000);
    expect(virtual.events).toEqual([]);
    virtual.run(2_000);
    expect(virtual.events).toEqual([['silent', 1]]);
  });

  it('reports audio that flows one way, within ten seconds', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(8_000);
    expect(virtual.events).toEqual([]);
    virtual.run(2_000);
    expect(virtual.events).toEqual([['one-way', 1, null]]);
    expect(stream.close(virtual.nowMs).oneWay).toBe(true);
  });

  it('says where packets come from that are not accepted, when audio flows one way', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    const signallingAddress = SETTINGS.remoteAddress;
    stream.configure(agreedOf({ ...SETTINGS, signallingAddress }), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(10_000, () => virtual.arrive(stream, AUDIO, {}, at('203.0.113.66', 666)));
    expect(virtual.events).toEqual([['one-way', 1, '203.0.113.66:666']]);
  });

  it('follows a peer that moves from its signalled address, within a second, and returns to it', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, signallingAddress: SETTINGS.remoteAddress }), virtual.nowMs);
    virtual.run(3_000, () => virtual.arrive(stream, AUDIO));
    expect(virtual.connections).toEqual([4_000]);
    const { received } = stream;
    const movedMs = virtual.nowMs;
    let heardMs = 0;
    virtual.run(2_000, () => {
      // The kernel drops what is not from the connected peer.
      if (virtual.connections.at(-1) === null) virtual.arrive(stream, AUDIO, {}, at('192.0.2.1', 6_000));
      if (heardMs === 0 && stream.received > received) heardMs = virtual.nowMs - movedMs;
    });
    expect(heardMs).toBeGreaterThan(250);
    expect(heardMs).toBeLessThan(1_000);
    stream.play(1, SOUND, true);
    virtual.run(100);
    expect(virtual.sent.at(-1)?.to.port).toBe(6_000);
    virtual.run(2_000, () => virtual.arrive(stream, AUDIO));
    expect(virtual.sent.at(-1)?.to.port).toBe(4_000);
    expect(virtual.connections).toEqual([4_000, null, 4_000]);
  });

  it('sends RTCP reports every few seconds, and BYE at the end', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(60_000, () => virtual.arrive(stream, AUDIO));
    expect(virtual.reports.length).toBeGreaterThanOrEqual(8);
    expect(virtual.reports.length).toBeLessThanOrEqual(24);
    const [first] = virtual.reports;
    const report = first && readReport(first, 0, first.length);
    expect(report?.ssrc).toBe(virtual.sent[0]?.header.ssrc);
    expect(report?.blocks[0]).toMatchObject({ ssrc: 9, lost: 0 });
    expect(report?.sender?.packets).toBeGreaterThan(100);
    stream.close(virtual.nowMs);
    const last = virtual.reports.at(-1);
    expect(last && readReport(last, 0, last.length)?.isGoodbye).toBe(true);
  });

  it('drops unknown payload types, oversized and empty audio; comfort noise is alive but not heard', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.arrive(stream, AUDIO, { payloadType: 18 });
    virtual.arrive(stream, new Uint8Array(0));
    virtual.arrive(stream, new Uint8Array(1_900));
    expect(stream.close(virtual.nowMs).packetsReceived).toBe(0);
    virtual.arrive(stream, new Uint8Array(1), { payloadType: 13 });
    expect(stream.close(virtual.nowMs).packetsReceived).toBe(1);
  });

  it('counts the packets that a given loss leaves out', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    let sequence = 65_000;
    virtual.run(20_000, () => {
      sequence++;
      if (sequence % 10 !== 0) virtual.arrive(stream, AUDIO, { sequence });
    });
    const { packetsReceived, packetsLost, jitterMs, strangers } = stream.close(virtual.nowMs);
    expect([packetsReceived, packetsLost, strangers]).toEqual([900, 99, 0]);
    expect(jitterMs).toBe(0);
  });

  it('is neither redirected nor stopped by ten thousand malformed packets', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.arrive(stream, AUDIO);
    let seed = 42;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let count = 0; count < 10_000; count++) {
      const bytes = Uint8Array.from({ length: random(80) }, () => random(256));
      if (count % 2 === 0 && bytes.length > 1) bytes.set([0x80 | random(64), 200 + random(8)]);
      virtual.arriveRaw(stream, bytes, count % 3 === 0 ? PEER : at('203.0.113.5', 99));
    }
    stream.play(1, SOUND, false);
    virtual.run(1_000);
    expect(virtual.sent).toHaveLength(50);
    expect(virtual.sent.every(({ to }) => to.d === PEER.d && to.port === PEER.port)).toBe(true);
  });
});
