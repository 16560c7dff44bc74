// What the other side of a bridge gets of packets that arrive unevenly.
import { describe, expect, it } from 'vitest';
import { agreedOf } from '../commands/agreed.ts';
import { writeEvent } from '../dtmf/telephone-event.ts';
import { lossAtEar, uneven } from '../testing/uneven.ts';
import { AUDIO, SETTINGS, VirtualStreams } from '../testing/virtual-streams.ts';
import type { LiveStream } from './live-stream.ts';

const THERE = 5_000;
const FIRST_SEQUENCE = 65_400;
const FIRST_TIMESTAMP = 0xffff_0000;

interface Bridged {
  readonly virtual: VirtualStreams;
  readonly caller: LiveStream;
  readonly agent: LiveStream;
}

function bridged(): Bridged {
  const virtual = new VirtualStreams();
  const [caller, agent] = [virtual.open(), virtual.open()];
  caller.configure(agreedOf(SETTINGS), virtual.nowMs);
  agent.configure(agreedOf({ ...SETTINGS, remotePort: THERE }), virtual.nowMs);
  caller.bridge(agent);
  return { virtual, caller, agent };
}

/** Without the silence that the caller's phone gets. */
const toAgent = ({ sent }: VirtualStreams) => sent.filter(({ to }) => to.port === THERE);

const numbered = (index: number) => ({
  sequence: FIRST_SEQUENCE + index,
  timestamp: (FIRST_TIMESTAMP + index * 160) >>> 0,
});

/** Talks for so many packets; returns those that the agent's phone got, by their place. */
function talk({ virtual, caller }: Bridged, count: number, jitterMs: number, inOrder = false) {
  const packets = uneven(count, jitterMs, 7, inOrder);
  const startMs = virtual.nowMs;
  const before = toAgent(virtual).length;
  let next = 0;
  virtual.runFinely(count * 20 + 400, () => {
    for (; (packets[next]?.arrivesMs ?? Number.POSITIVE_INFINITY) <= virtual.nowMs - startMs; next++) {
      const index = packets[next]?.index ?? 0;
      virtual.arrive(caller, Uint8Array.of(index & 0xff, index >>> 8, ...AUDIO.subarray(2)), numbered(index));
    }
  });
  return toAgent(virtual)
    .slice(before)
    .map(({ payload, atMs, header }) => ({
      index: (payload[0] ?? 0) | ((payload[1] ?? 0) << 8),
      atMs: atMs - startMs,
      header,
    }));
}

describe('a bridge with jitter', () => {
  it.each([
    [40, false],
    [40, true],
    [80, false],
    [80, true],
  ])('of %i ms is even at the other ear after a second (in order: %s)', (jitterMs, inOrder) => {
    const heard = talk(bridged(), 1_500, jitterMs, inOrder).filter(({ index }) => index >= 250);
    // Without a buffer a phone that waits for 20 ms loses half of them at 40 ms, three quarters at 80 ms.
    expect(lossAtEar(heard, 1_250, 20)).toBeLessThan(0.03);
    const indexes = heard.map(({ index }) => index);
    expect(indexes).toEqual([...indexes].sort((one, other) => one - other));
    const [first] = heard;
    for (const { index, header } of heard) {
      const after = index - (first?.index ?? 0);
      expect(header.sequence).toBe(((first?.header.sequence ?? 0) + after) & 0xffff);
      expect(header.timestamp).toBe(((first?.header.timestamp ?? 0) + after * 160) >>> 0);
    }
  });

  it('has the delay in its statistics, and what came too late', () => {
    const call = bridged();
    const sent = 1_500 - talk(call, 1_500, 80).length;
    const { bufferMs, packetsLate } = call.caller.close(call.virtual.nowMs);
    expect(packetsLate).toBe(sent);
    expect(packetsLate).toBeLessThan(45);
    expect(bufferMs).toBeGreaterThan(30);
    expect(bufferMs).toBeLessThan(60);
    const { bufferMs: back, packetsLate: lateBack } = call.agent.close(call.virtual.nowMs);
    expect([back, lateBack]).toEqual([0, 0]);
  });

  it('that the worker makes by reading late is not buffered', () => {
    const { virtual, caller } = bridged();
    for (let index = 0; index < 500; index++) {
      virtual.nowMs += 20;
      if (index % 4 !== 3) continue;
      // Packets of 80 ms are read at once, then the wheel turns.
      for (let late = 3; late >= 0; late--) virtual.arrive(caller, AUDIO, numbered(index - late));
      virtual.lateness.note(60, virtual.nowMs);
      caller.tick(virtual.nowMs);
    }
    expect(toAgent(virtual)).toHaveLength(500);
    expect(caller.close(virtual.nowMs)).toMatchObject({ bufferMs: 0, packetsLate: 0 });
  });

  it.each([0, 10, 20])('of %i ms is passed on as it comes', (jitterMs) => {
    const call = bridged();
    const packets = uneven(500, jitterMs, 7);
    const heard = talk(call, 500, jitterMs);
    expect(heard.map(({ atMs }) => atMs)).toEqual(packets.map(({ arrivesMs }) => Math.max(1, arrivesMs)));
    expect(call.caller.close(call.virtual.nowMs)).toMatchObject({ bufferMs: 0, packetsLate: 0 });
  });

  it('that ends is passed on as it comes again, ten seconds later, and nothing is lost by that', () => {
    const call = bridged();
    talk(call, 300, 60, true);
    const { virtual, caller } = call;
    const before = toAgent(virtual).length;
    let index = 400;
    virtual.run(14_000, () => virtual.arrive(caller, AUDIO, numbered(index++)));
    expect(toAgent(virtual).length - before).toBe(700);
    expect(toAgent(virtual).at(-1)?.atMs).toBe(virtual.nowMs);
  });

  it('of one stall is not buffered', () => {
    const { virtual, caller } = bridged();
    let index = 0;
    const say = (): void => virtual.arrive(caller, AUDIO, numbered(index++));
    virtual.run(2_000, say);
    virtual.run(200);
    for (let missed = 0; missed < 10; missed++) say();
    virtual.run(3_000, say);
    expect(caller.close(virtual.nowMs).bufferMs).toBe(0);
  });

  it('carries keys in order, no later than the buffer', () => {
    const call = bridged();
    talk(call, 200, 60, true);
    const { virtual, caller } = call;
    const before = toAgent(virtual).length;
    const pressedMs = virtual.nowMs;
    const event = new Uint8Array(4);
    for (let step = 1; step <= 8; step++) {
      writeEvent(event, 0, 5, step > 5, Math.min(step, 6) * 160);
      const { sequence } = numbered(210 + step);
      virtual.arrive(caller, event, { sequence, timestamp: numbered(220).timestamp, payloadType: 101 });
    }
    virtual.runFinely(220);
    const keys = toAgent(virtual)
      .slice(before)
      .filter(({ header }) => header.payloadType === 101);
    expect(keys).toHaveLength(8);
    expect(keys.map(({ payload }) => (payload[1] ?? 0) >>> 7)).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
    for (const { atMs } of keys) expect(atMs - pressedMs).toBeLessThanOrEqual(100);
    expect(virtual.events).toContainEqual(['key', 1, '5', 'rfc4733']);
  });

  it('is over with the bridge: what waits is not heard by the next side', () => {
    const call = bridged();
    talk(call, 200, 60, true);
    const { virtual, caller, agent } = call;
    const before = toAgent(virtual).length;
    virtual.arrive(caller, AUDIO, numbered(220));
    expect(toAgent(virtual)).toHaveLength(before);
    caller.unbridge();
    caller.bridge(agent);
    virtual.runFinely(400);
    expect(toAgent(virtual)).toHaveLength(before);
  });
});
