import { describe, expect, it } from 'vitest';
import {
  type Endpoint,
  formatAddress,
  isUnspecified,
  parseEndpoint,
  sameEndpoint,
} from '../sockets/endpoint.ts';
import { SourceLock } from './source-lock.ts';

const at = (address: string, port = 4_000): Endpoint => {
  const endpoint = parseEndpoint(address, port);
  if (!endpoint) throw new Error(address);
  return endpoint;
};
const SIGNALLED = at('192.0.2.1');
const NAT = at('198.51.100.9', 31_337);
const STRANGER = at('203.0.113.66', 666);

const lock = (): SourceLock => new SourceLock(SIGNALLED, 0);
/** Packets in sequence, 20 ms apart; how many were accepted. */
function spray(on: SourceLock, from: Endpoint, count: number, startMs: number, ssrc = 1): number {
  let accepted = 0;
  for (let index = 0; index < count; index++)
    if (on.accepts(from, ssrc, index, startMs + index * 20)) accepted++;
  return accepted;
}

/** One RTP stream, 20 ms apart, numbered on; how many packets were accepted. */
function stream(
  on: SourceLock,
  from: Endpoint,
  options: { readonly count: number; readonly startMs: number; readonly from?: number },
): number {
  let accepted = 0;
  for (let index = 0; index < options.count; index++)
    if (on.accepts(from, 7, (options.from ?? 0) + index, options.startMs + index * 20)) accepted++;
  return accepted;
}

describe('source lock', () => {
  it('accepts the signalled address at once and no other after', () => {
    const source = lock();
    expect(spray(source, SIGNALLED, 1, 0)).toBe(1);
    expect(spray(source, STRANGER, 200, 20)).toBe(0);
    expect(source.strangers).toBe(200);
    expect(source.peer).toEqual(SIGNALLED);
  });

  it('accepts another address after four packets in sequence, when the signalled one is silent', () => {
    const source = lock();
    expect(spray(source, NAT, 20, 300)).toBe(17);
    expect(source.peer).toEqual(NAT);
  });

  it('waits a little for the signalled address first', () => {
    const source = lock();
    expect(spray(source, STRANGER, 12, 0)).toBe(0);
    expect(spray(source, SIGNALLED, 1, 240)).toBe(1);
    expect(source.peer).toEqual(SIGNALLED);
  });

  it('returns to the signalled address as soon as it speaks', () => {
    const source = lock();
    spray(source, STRANGER, 20, 300);
    expect(spray(source, SIGNALLED, 3, 800)).toBe(3);
    expect(spray(source, STRANGER, 20, 900)).toBe(0);
    expect(source.peer).toEqual(SIGNALLED);
  });

  it('is not taken by packets out of sequence, nor by two sources in turn', () => {
    const source = lock();
    for (let index = 0; index < 100; index++) {
      expect(source.accepts(STRANGER, 1, (index * 7) & 0xffff, 300 + index)).toBe(false);
      expect(source.accepts(NAT, 2, index, 300 + index)).toBe(false);
    }
  });

  it('follows a peer that moved, after seconds of silence', () => {
    const source = lock();
    spray(source, NAT, 20, 300);
    const moved = at('198.51.100.9', 40_000);
    expect(spray(source, moved, 10, 1_000)).toBe(0);
    expect(spray(source, moved, 10, 9_000)).toBe(7);
  });

  it.each([
    ['the signalled address', SIGNALLED],
    ['an address behind NAT', NAT],
  ])('follows the stream that came from %s to another port, after a quarter of a second', (_from, old) => {
    const source = lock();
    source.resignal(SIGNALLED, 0, { ...old, port: 0 });
    expect(stream(source, old, { count: 30, startMs: 300 })).toBeGreaterThan(20);
    const lastMs = 300 + 29 * 20;
    const moved = { ...old, port: 40_000 };
    // Some packets were lost meanwhile.
    const accepted = stream(source, moved, { count: 50, startMs: lastMs + 20, from: 33 });
    expect(source.peer).toEqual(moved);
    expect((50 - accepted) * 20).toBeLessThanOrEqual(260);
    // Its own address is taken again at once, and by others never.
    expect(spray(source, STRANGER, 200, 60_000)).toBe(0);
    if (old === SIGNALLED) {
      expect(spray(source, SIGNALLED, 1, 90_000)).toBe(1);
      expect(source.isLocked).toBe(true);
    }
  });

  it.each([
    ['while the old source sends', { atMs: 0 }],
    ['of another stream', { ssrc: 8 }],
    ['that goes back in its numbers', { from: 5 }],
    ['that jumps far ahead', { from: 10_000 }],
    ['from another IP address', { at: STRANGER }],
    ['out of sequence', { step: 2 }],
  ])('does not follow a source %s', (_what, other) => {
    const source = lock();
    source.resignal(SIGNALLED, 0, { ...SIGNALLED, port: 0 });
    stream(source, SIGNALLED, { count: 30, startMs: 0 });
    const {
      atMs = 2_000,
      ssrc = 7,
      from = 30,
      at: place = { ...SIGNALLED, port: 40_000 },
      step = 1,
    } = other as {
      atMs?: number;
      ssrc?: number;
      from?: number;
      at?: Endpoint;
      step?: number;
    };
    let taken = 0;
    for (let index = 0; index < 100; index++) {
      const nowMs = 600 + atMs + index * 20;
      if (atMs === 0) source.accepts(SIGNALLED, 7, 30 + index, nowMs);
      if (source.accepts(place, ssrc, from + index * step, nowMs + 1)) taken++;
    }
    expect(taken).toBe(0);
    expect(source.peer).toEqual(SIGNALLED);
  });

  it('does not leave the signalled address once it spoke, however long it is silent', () => {
    const source = lock();
    spray(source, SIGNALLED, 1, 0);
    expect(spray(source, STRANGER, 200, 60_000)).toBe(0);
  });

  it('begins anew when a re-INVITE names another address, not when it names the same', () => {
    const source = lock();
    spray(source, NAT, 20, 300);
    source.resignal(at('192.0.2.1'), 1_000);
    expect(source.peer).toEqual(NAT);
    const next = at('192.0.2.2', 5_000);
    source.resignal(next, 1_000);
    expect(source.peer).toEqual(next);
    expect(spray(source, NAT, 3, 1_020)).toBe(0);
    expect(spray(source, next, 1, 1_100)).toBe(1);
  });

  it('names third hosts five times at most, whatever answers in between (T45)', () => {
    const victim = at('203.0.113.7');
    const own = at('198.51.100.9', 5_000);
    const elsewhere = at('198.51.100.10', 5_000);
    for (const between of [own, elsewhere]) {
      const source = lock();
      let packets = 0;
      for (let turn = 0; turn < 50; turn++) {
        source.resignal({ ...victim, port: 4_000 + 2 * turn }, turn * 1_000, NAT);
        packets += source.allowance;
        // The peer's NAT takes the stream over: that says nothing of the victim.
        if (turn % 2 === 0) spray(source, NAT, 20, turn * 1_000 + 300);
        source.resignal(between, turn * 1_000 + 900, NAT);
        expect(spray(source, between, 1, turn * 1_000 + 901)).toBe(1);
        expect(source.allowance).toBe(-1);
      }
      expect(packets).toBe(5 * 250);
    }
  });

  it('a host that answers does not count: a peer with a media server may move it any number of times', () => {
    const source = lock();
    for (let turn = 0; turn < 20; turn++) {
      const media = at('203.0.113.7', 4_000 + 2 * turn);
      source.resignal(media, turn * 1_000, NAT);
      expect(source.allowance).toBe(250);
      expect(spray(source, media, 1, turn * 1_000 + 20)).toBe(1);
    }
  });

  it('sends nothing to an address that is not verified, until a packet comes from there or it is (T45)', () => {
    const media = at('203.0.113.7');
    const heard = lock();
    heard.resignal(media, 0, NAT, false);
    expect(heard.allowance).toBe(0);
    expect(spray(heard, STRANGER, 20, 300)).toBe(0);
    expect(heard.allowance).toBe(0);
    expect(spray(heard, media, 1, 1_000)).toBe(1);
    expect(heard.allowance).toBe(-1);
    heard.resignal(media, 2_000, NAT);
    expect(heard.allowance).toBe(-1);
    const confirmed = lock();
    confirmed.resignal(media, 0, NAT, false);
    confirmed.resignal(media, 1_000, NAT);
    expect(confirmed.allowance).toBe(250);
    const own = lock();
    own.resignal(at('198.51.100.9', 5_000), 0, NAT, false);
    expect(own.allowance).toBe(0);
    own.resignal(at('198.51.100.9', 5_000), 1_000, NAT);
    expect(own.allowance).toBe(-1);
  });

  it('takes reports from the machine of the peer only', () => {
    const source = lock();
    expect(source.acceptsReport(at('192.0.2.1', 4_001))).toBe(true);
    expect(source.acceptsReport(STRANGER)).toBe(false);
  });
});

describe('an endpoint', () => {
  it.each(['192.0.2.1', '255.255.255.255', '0.0.0.0'])('%s goes there and back', (address) => {
    expect(formatAddress(at(address))).toBe(address);
  });

  it('understands IPv6 in its shorter forms', () => {
    expect(sameEndpoint(at('::ffff:192.0.2.1'), at('192.0.2.1'))).toBe(true);
    expect(formatAddress(at('2001:db8::1'))).toBe('2001:db8:0:0:0:0:0:1');
    expect(formatAddress(at('fe80::1%eth0'))).toBe('fe80:0:0:0:0:0:0:1');
    expect(isUnspecified(at('::'))).toBe(true);
    expect(isUnspecified(at('0.0.0.0'))).toBe(true);
    expect(isUnspecified(at('::1'))).toBe(false);
  });

  it('is not made of a name', () => {
    expect(parseEndpoint('phone.example.com', 1)).toBeNull();
    expect(parseEndpoint('1.2.3', 1)).toBeNull();
  });

  it('accepts no address that is neither signalled nor the source of the signalling', () => {
    const source = new SourceLock(SIGNALLED, 0);
    source.resignal({ ...SIGNALLED, port: 4_002 }, 0, { ...NAT, port: 0 });
    for (let index = 0; index < 100; index++)
      expect(source.accepts(STRANGER, 1, index, 300 + index)).toBe(false);
    expect(source.peer.port).toBe(4_002);
    for (let index = 0; index < 4; index++) source.accepts(NAT, 2, index, 500 + index);
    expect(source.peer).toEqual(NAT);
  });
});
