import { describe, expect, it } from 'vitest';
import { readEvent, writeEvent } from '../dtmf/telephone-event.ts';
import type { StreamSettings } from '../media.ts';
import { agreedOf } from '../orders/agreed.ts';
import type { WorkerEvent } from '../orders/orders.ts';
import { readReport } from '../rtp/rtcp.ts';
import { emptyHeader, type RtpHeader, readRtp, writeRtp } from '../rtp/rtp.ts';
import type { Endpoint } from '../sockets/endpoint.ts';
import { parseEndpoint } from '../sockets/endpoint.ts';
import { INCOMING, MEMORY_BYTES, type Sockets } from '../sockets/sockets.ts';
import { LiveStream } from './live-stream.ts';

const RTP = 1;
const RTCP = 2;
const TIMEOUT_MS = 30_000;

interface Sent {
  readonly header: RtpHeader;
  readonly payload: Buffer;
  readonly to: Endpoint;
}

const at = (address: string, port: number): Endpoint => {
  const endpoint = parseEndpoint(address, port);
  if (!endpoint) throw new Error(address);
  return endpoint;
};

const SETTINGS: StreamSettings = {
  remoteAddress: '192.0.2.1',
  remotePort: 4_000,
  remoteRtcpPort: 4_001,
  codec: 'pcmu',
  payloadType: 0,
  eventPayloadType: 101,
  ptimeMs: 20,
  direction: 'sendrecv',
};
const PEER = at('192.0.2.1', 4_000);

/** Streams on virtual time, over sockets that only remember. */
class Stage {
  readonly told: WorkerEvent[] = [];
  readonly sent: Sent[] = [];
  readonly reports: Buffer[] = [];
  /** Ports that sockets were connected to; null for the end of it. */
  readonly connections: (number | null)[] = [];
  readonly listened: boolean[] = [];
  reads = 0;
  /** Those of them that took everything there was. */
  wholeReads = 0;
  isBusy = false;
  nowMs = 1_000;
  readonly #memory = new Uint8Array(MEMORY_BYTES);
  readonly #streams: LiveStream[] = [];
  #sequence = 0;

  open(): LiveStream {
    const stage = this;
    const sockets: Sockets = {
      adapter: 'dgram',
      memory: this.#memory,
      bind() {},
      drain() {},
      connect: (_socket, peer) => {
        this.connections.push(peer?.port ?? null);
      },
      get isBusy() {
        return stage.isBusy;
      },
      listen: (_socket, on) => {
        this.listened.push(on);
      },
      read: (_socket, _nowMs, isAll) => {
        this.reads++;
        if (isAll) this.wholeReads++;
      },
      close() {},
      run() {},
      wake() {},
      pause() {},
      stop() {},
      send: (socket, offset, length, to) => {
        const bytes = Buffer.from(this.#memory.subarray(offset, offset + length));
        const header = emptyHeader();
        if (socket === RTCP) this.reports.push(bytes);
        else if (readRtp(bytes, 0, length, header))
          this.sent.push({ header, payload: bytes.subarray(header.payloadAt), to: { ...to } });
      },
    };
    const tell = (event: WorkerEvent): void => {
      this.told.push(event);
    };
    const studio = { sockets, cname: 'test', rtpTimeoutMs: TIMEOUT_MS, tell };
    const pair = { index: 0, port: 10_000, rtp: RTP, rtcp: RTCP };
    const stream = new LiveStream(this.#streams.length + 1, pair, 0, studio, this.nowMs);
    this.#streams.push(stream);
    return stream;
  }

  run(ms: number, each: () => void = () => {}): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.nowMs += 20;
      each();
      for (const stream of this.#streams) stream.tick(this.nowMs);
    }
  }

  arrive(stream: LiveStream, payload: Uint8Array, over: Partial<RtpHeader> = {}, from = PEER): void {
    const { payloadType = 0, sequence = this.#sequence++, timestamp = this.nowMs * 8, ssrc = 9 } = over;
    writeRtp(this.#memory, INCOMING, false, payloadType, sequence & 0xffff, timestamp, ssrc);
    this.#memory.set(payload, INCOMING + 12);
    stream.receive(INCOMING, 12 + payload.length, from, this.nowMs);
  }

  arriveRaw(stream: LiveStream, bytes: Uint8Array, from = PEER): void {
    this.#memory.set(bytes, INCOMING);
    stream.receive(INCOMING, bytes.length, from, this.nowMs);
    stream.receiveReport(INCOMING, bytes.length, from, this.nowMs);
  }
}

const AUDIO = new Uint8Array(160).fill(0x2a);
const SOUND = { ulaw: new Uint8Array(8_000).fill(1), alaw: new Uint8Array(8_000).fill(2) };

describe('a live stream', () => {
  it('sends and accepts nothing before it is configured', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.play(1, SOUND, false);
    stream.sendKeys('5');
    stage.run(200, () => stage.arrive(stream, AUDIO));
    expect(stage.sent).toEqual([]);
    expect(stream.close(stage.nowMs).packetsReceived).toBe(0);
    expect(stage.reports).toEqual([]);
  });

  it('is connected to a peer that sends from where it said, until another place is signalled', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.run(3_000);
    expect(stage.connections).toEqual([]);
    stage.run(1_000, () => stage.arrive(stream, AUDIO));
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    expect(stage.connections).toEqual([4_000]);
    stream.configure(agreedOf({ ...SETTINGS, remotePort: 5_000 }), stage.nowMs);
    expect(stage.connections).toEqual([4_000, null]);
    stage.run(2_000, () => stage.arrive(stream, AUDIO, {}, at('192.0.2.1', 5_000)));
    stream.close(stage.nowMs);
    expect(stage.connections).toEqual([4_000, null, 5_000, null]);
  });

  it('is never connected to a peer behind NAT, which may move', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.run(3_000, () => stage.arrive(stream, AUDIO, {}, at('192.0.2.1', 6_000)));
    expect(stream.received).toBeGreaterThan(100);
    expect(stage.connections).toEqual([]);
  });

  it('reads its packets at its visits when there are many, but not while it is bridged', () => {
    const stage = new Stage();
    const [one, two] = [stage.open(), stage.open()];
    for (const stream of [one, two]) stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.run(1_000);
    expect([stage.reads, stage.listened]).toEqual([0, []]);
    stage.isBusy = true;
    stage.run(1_000);
    expect(stage.listened).toEqual([false, false]);
    expect(stage.reads).toBeGreaterThan(50);
    one.bridge(two);
    const { reads } = stage;
    stage.run(1_000);
    expect([stage.reads, stage.listened]).toEqual([reads, [false, false, true, true]]);
    one.unbridge();
    stage.run(1_000);
    one.close(stage.nowMs);
    expect(stage.listened).toEqual([false, false, true, true, false, false, true]);
  });

  it('leaves no packet behind at its visits while somebody records or hears it', () => {
    const stage = new Stage();
    stage.isBusy = true;
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.run(2_000);
    expect(stage.wholeReads).toBeLessThan(stage.reads / 4);
    stream.tap(true);
    const [reads, wholeReads] = [stage.reads, stage.wholeReads];
    stage.run(1_000);
    expect(stage.wholeReads - wholeReads).toBe(stage.reads - reads);
    expect(stage.reads - reads).toBe(50);
  });

  it('sends nothing on hold, but the sound runs on and its end is told', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf({ ...SETTINGS, direction: 'recvonly' }), stage.nowMs);
    stream.play(1, SOUND, false);
    stage.run(2_000);
    expect(stage.sent).toEqual([]);
    expect(stage.told).toContainEqual(['played', 1, 1]);
  });

  it('sends nothing to 0.0.0.0, the old hold', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf({ ...SETTINGS, remoteAddress: '0.0.0.0' }), stage.nowMs);
    stream.play(1, SOUND, true);
    stage.run(2_000);
    expect(stage.sent).toEqual([]);
  });

  it('sends packets of 40 ms where the peer asks for them', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf({ ...SETTINGS, ptimeMs: 40 }), stage.nowMs);
    stream.play(1, SOUND, false);
    stage.run(1_000);
    expect(stage.sent).toHaveLength(25);
    expect(new Set(stage.sent.map(({ payload }) => payload.length))).toEqual(new Set([320]));
  });

  it('tells silence once, after the time-out, and never while the peer speaks', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.run(TIMEOUT_MS * 2, () => stage.arrive(stream, AUDIO));
    expect(stage.told).toEqual([]);
    stage.run(TIMEOUT_MS - 1_000);
    expect(stage.told).toEqual([]);
    stage.run(TIMEOUT_MS);
    expect(stage.told).toEqual([['silent', 1]]);
  });

  it('expects nothing from a peer that it holds', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf({ ...SETTINGS, direction: 'sendonly' }), stage.nowMs);
    stream.play(1, SOUND, true);
    stage.run(TIMEOUT_MS * 2);
    expect(stage.told).toEqual([]);
  });

  it('does not give up a peer that holds us and plays no music, and counts from its return', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stream.configure(agreedOf({ ...SETTINGS, direction: 'recvonly' }), stage.nowMs);
    stage.run(TIMEOUT_MS * 2);
    expect(stage.told).toEqual([]);
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.run(TIMEOUT_MS - 1_000);
    expect(stage.told).toEqual([]);
    stage.run(2_000);
    expect(stage.told).toEqual([['silent', 1]]);
  });

  it('flags audio that flows one way, within ten seconds', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stream.play(1, SOUND, true);
    stage.run(8_000);
    expect(stage.told).toEqual([]);
    stage.run(2_000);
    expect(stage.told).toEqual([['one-way', 1]]);
    expect(stream.close(stage.nowMs).oneWay).toBe(true);
  });

  it('reports every few seconds, and says goodbye at the end', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stream.play(1, SOUND, true);
    stage.run(60_000, () => stage.arrive(stream, AUDIO));
    expect(stage.reports.length).toBeGreaterThanOrEqual(8);
    expect(stage.reports.length).toBeLessThanOrEqual(24);
    const [first] = stage.reports;
    const report = first && readReport(first, 0, first.length);
    expect(report?.ssrc).toBe(stage.sent[0]?.header.ssrc);
    expect(report?.blocks[0]).toMatchObject({ ssrc: 9, lost: 0 });
    expect(report?.sender?.packets).toBeGreaterThan(100);
    stream.close(stage.nowMs);
    const last = stage.reports.at(-1);
    expect(last && readReport(last, 0, last.length)?.isGoodbye).toBe(true);
  });

  it('presses keys as events while the audio pauses, RFC 4733 §2.5.1', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stream.play(1, SOUND, true);
    stage.run(200);
    stream.sendKeys('7');
    stage.run(400);
    const events = stage.sent.filter(({ header }) => header.payloadType === 101);
    expect(events.map(({ payload }) => readEvent(payload, 0, 4)?.event)).toEqual(new Array(8).fill(7));
    expect(events.map(({ header }) => header.marker)).toEqual([true, ...new Array(7).fill(false)]);
    expect(new Set(events.map(({ header }) => header.timestamp)).size).toBe(1);
    const sequences = stage.sent.map(({ header }) => header.sequence);
    for (const [index, sequence] of sequences.entries())
      expect(sequence).toBe(((sequences[0] ?? 0) + index) & 0xffff);
    const after = stage.sent[10 + 8];
    expect(after?.header).toMatchObject({ payloadType: 0, marker: true });
    expect(((after?.header.timestamp ?? 0) - (events[0]?.header.timestamp ?? 0)) >>> 0).toBe(11 * 160);
  });

  it('presses keys as tones where the peer knows no events, and hears such keys', () => {
    const stage = new Stage();
    const [caller, listener] = [stage.open(), stage.open()];
    const settings = { ...SETTINGS, eventPayloadType: null };
    caller.configure(agreedOf(settings), stage.nowMs);
    listener.configure(agreedOf({ ...settings, codec: 'pcma', payloadType: 8 }), stage.nowMs);
    caller.sendKeys('4#');
    stage.run(600);
    for (const { payload } of [...stage.sent]) stage.arrive(caller, payload);
    expect(stage.told).toEqual([
      ['key', 1, '4', 'in-band'],
      ['key', 1, '#', 'in-band'],
    ]);
  });

  it('turns events into tones for the other side of a bridge that knows none', () => {
    const stage = new Stage();
    const [caller, agent] = [stage.open(), stage.open()];
    caller.configure(agreedOf(SETTINGS), stage.nowMs);
    agent.configure(agreedOf({ ...SETTINGS, eventPayloadType: null }), stage.nowMs);
    caller.bridge(agent);
    const event = new Uint8Array(4);
    writeEvent(event, 0, 3, false, 160);
    stage.arrive(caller, event, { payloadType: 101 });
    stage.run(300);
    expect(stage.sent).toHaveLength(10);
    expect(new Set(stage.sent.map(({ header }) => header.payloadType))).toEqual(new Set([0]));
    const count = stage.sent.length;
    stage.arrive(caller, AUDIO);
    expect(stage.sent).toHaveLength(count + 1);
    expect(stage.sent.at(-1)?.header.marker).toBe(true);
    expect(stage.told).toEqual([['key', 1, '3', 'rfc4733']]);
  });

  it('keeps one source from prompt to bridge to prompt', () => {
    const stage = new Stage();
    const [caller, agent] = [stage.open(), stage.open()];
    caller.configure(agreedOf(SETTINGS), stage.nowMs);
    agent.configure(agreedOf({ ...SETTINGS, direction: 'recvonly' }), stage.nowMs);
    caller.play(1, SOUND, true);
    stage.run(100);
    caller.bridge(agent);
    stage.run(100, () => stage.arrive(agent, AUDIO, { ssrc: 77, sequence: stage.nowMs / 20 }));
    caller.unbridge();
    caller.play(2, SOUND, true);
    stage.run(100);
    expect(stage.sent).toHaveLength(15);
    const [first] = stage.sent;
    for (const [index, { header }] of stage.sent.entries()) {
      expect(header.ssrc).toBe(first?.header.ssrc);
      expect(header.sequence).toBe(((first?.header.sequence ?? 0) + index) & 0xffff);
      expect((header.timestamp - (first?.header.timestamp ?? 0)) >>> 0).toBe(index * 160);
    }
    expect(stage.sent.flatMap(({ header }, index) => (header.marker ? [index] : []))).toEqual([0, 5, 10]);
  });

  it('drops unknown payload types, oversized and empty audio; comfort noise is alive but not heard', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.arrive(stream, AUDIO, { payloadType: 18 });
    stage.arrive(stream, new Uint8Array(0));
    stage.arrive(stream, new Uint8Array(1_900));
    expect(stream.close(stage.nowMs).packetsReceived).toBe(0);
    stage.arrive(stream, new Uint8Array(1), { payloadType: 13 });
    expect(stream.close(stage.nowMs).packetsReceived).toBe(1);
  });

  it('counts what a given loss leaves out', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    let sequence = 65_000;
    stage.run(20_000, () => {
      sequence++;
      if (sequence % 10 !== 0) stage.arrive(stream, AUDIO, { sequence });
    });
    const { packetsReceived, packetsLost, jitterMs, strangers } = stream.close(stage.nowMs);
    expect([packetsReceived, packetsLost, strangers]).toEqual([900, 99, 0]);
    expect(jitterMs).toBe(0);
  });

  it('is neither moved nor heard through by ten thousand malformed packets', () => {
    const stage = new Stage();
    const stream = stage.open();
    stream.configure(agreedOf(SETTINGS), stage.nowMs);
    stage.arrive(stream, AUDIO);
    let seed = 42;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let count = 0; count < 10_000; count++) {
      const bytes = Uint8Array.from({ length: random(80) }, () => random(256));
      if (count % 2 === 0 && bytes.length > 1) bytes.set([0x80 | random(64), 200 + random(8)]);
      stage.arriveRaw(stream, bytes, count % 3 === 0 ? PEER : at('203.0.113.5', 99));
    }
    stream.play(1, SOUND, false);
    stage.run(1_000);
    expect(stage.sent).toHaveLength(50);
    expect(stage.sent.every(({ to }) => to.d === PEER.d && to.port === PEER.port)).toBe(true);
  });
});
