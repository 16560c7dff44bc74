import { describe, expect, it } from 'vitest';
import { Relay } from './relay.ts';
import { emptyHeader, type RtpHeader } from './rtp.ts';
import { Sender } from './sender.ts';

const packet = (sequence: number, over: Partial<RtpHeader> = {}): RtpHeader => ({
  ...emptyHeader(),
  sequence: sequence & 0xffff,
  timestamp: (sequence * 160) >>> 0,
  ssrc: 5,
  ...over,
});

function setUp() {
  const sender = new Sender(() => 0.999_999);
  sender.note(sender.nextSequence, sender.timestamp, 160, 160, 1_000);
  const relay = new Relay();
  const pass = (header: RtpHeader, nowMs = 1_020) => {
    if (!relay.admit(header, sender, nowMs)) return null;
    const { sequence, timestamp, marker } = relay;
    sender.note(sequence, timestamp, 160, 160, nowMs);
    return { sequence, timestamp, marker };
  };
  return { sender, relay, pass };
}

describe('relay', () => {
  it('goes on where our last packet ended, with the marker', () => {
    const { sender, pass } = setUp();
    const last = { sequence: sender.sequence, timestamp: sender.timestamp };
    expect(pass(packet(40_000), 1_100)).toEqual({
      sequence: (last.sequence + 1) & 0xffff,
      timestamp: (last.timestamp + 800) >>> 0,
      marker: true,
    });
    expect(pass(packet(40_001), 1_120)).toEqual({
      sequence: (last.sequence + 2) & 0xffff,
      timestamp: (last.timestamp + 960) >>> 0,
      marker: false,
    });
  });

  it('leaves loss and reordering as they are', () => {
    const { pass } = setUp();
    const first = pass(packet(65_534))?.sequence ?? 0;
    const order = [65_536, 65_535, 65_539, 65_537].map((sequence) => pass(packet(sequence))?.sequence ?? -1);
    expect(order.map((sequence) => (sequence - first) & 0xffff)).toEqual([2, 1, 5, 3]);
  });

  it('drops what came twice, too late, or before it began', () => {
    const { pass } = setUp();
    pass(packet(100));
    expect(pass(packet(100))).toBeNull();
    expect(pass(packet(99))).toBeNull();
    for (let sequence = 101; sequence < 200; sequence += 2) pass(packet(sequence));
    expect(pass(packet(150))).toBeNull();
    expect(pass(packet(198))).not.toBeNull();
    expect(pass(packet(198))).toBeNull();
  });

  it('leaves no hole where comfort noise was', () => {
    const { relay, pass } = setUp();
    const first = pass(packet(10))?.sequence ?? 0;
    relay.skip(packet(11));
    expect(pass(packet(12))?.sequence).toBe((first + 1) & 0xffff);
  });

  it('goes on without a jump when the source changes', () => {
    const { sender, pass } = setUp();
    pass(packet(10));
    const before = sender.sequence;
    expect(pass(packet(60_000, { ssrc: 6 }))).toMatchObject({
      sequence: (before + 1) & 0xffff,
      marker: true,
    });
  });

  it('begins anew after another voice spoke', () => {
    const { sender, relay, pass } = setUp();
    pass(packet(10));
    relay.interrupt();
    sender.note(sender.nextSequence, sender.nextTimestamp, 160, 160, 1_500);
    const before = sender.sequence;
    expect(pass(packet(40), 1_520)).toMatchObject({ sequence: (before + 1) & 0xffff, marker: true });
  });
});
