import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFolder, corpusMissing } from '../../../test/support/corpora.ts';
import { emptyHeader, readRtp } from '../rtp/rtp.ts';
import { readPcap } from '../testing/pcap.ts';
import { KeySender } from './key-sender.ts';
import { EventReader, eventOf, readEvent, writeEvent } from './telephone-event.ts';

interface Packet {
  readonly event: number;
  readonly isEnd: boolean;
  readonly duration: number;
  readonly timestamp: number;
}

/** One press: `updates` packets and three ends. */
const press = (event: number, timestamp: number, updates = 4): Packet[] =>
  Array.from({ length: updates + 3 }, (_, step) => ({
    event,
    timestamp,
    isEnd: step >= updates,
    duration: Math.min(step + 1, updates) * 160,
  }));

/** Numbered as they were sent: `late` ones of the list have their own place in `sent`. One arrives every 20 ms. */
function keysOf(
  packets: readonly Packet[],
  reader = new EventReader(),
  ssrc = 7,
  sent: readonly Packet[] = packets,
  { sequence = 1_000, atMs = 0 } = {},
): string {
  let keys = '';
  for (const [index, packet] of packets.entries()) {
    const { event, isEnd, duration, timestamp } = packet;
    const bytes = new Uint8Array(4);
    writeEvent(bytes, 0, event, isEnd, duration);
    const number = (sequence + sent.indexOf(packet)) & 0xffff;
    keys += reader.read(bytes, 0, 4, timestamp >>> 0, ssrc, number, atMs + index * 20) ?? '';
  }
  return keys;
}

describe('telephone events', () => {
  it('go from values to bytes and back, RFC 4733 §2.3', () => {
    const bytes = new Uint8Array(6);
    writeEvent(bytes, 2, 11, true, 0x1234);
    expect(readEvent(bytes, 2, 4)).toEqual({ event: 11, isEnd: true, volume: 10, duration: 0x1234 });
    expect(readEvent(bytes, 2, 3)).toBeNull();
  });

  it('name every key and nothing else', () => {
    expect([...'0123456789*#ABCD'].map(eventOf)).toEqual([...Array(16).keys()]);
    expect(keysOf([...press(16, 1_000), ...press(255, 2_000)])).toBe('');
  });

  it('are one key per press, reported at the first packet', () => {
    const packets = press(5, 1_000);
    expect(keysOf(packets.slice(0, 1))).toBe('5');
    expect(keysOf(packets)).toBe('5');
    expect(keysOf([...press(5, 1_000), ...press(5, 3_000), ...press(5, 5_000)])).toBe('555');
  });

  it('are exact whichever packets of a press are lost or repeated, so long as one arrives in time', () => {
    const events = fc.array(fc.nat(15), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.nat(99)), fc.nat(0xffff_ffff), (pressed, chance, start) => {
        const packets = pressed.flatMap((event, index) => {
          const all = press(event, start + index * 2_000);
          const kept = all.filter(() => (chance.next().value ?? 0) >= 60);
          const some = kept.length > 0 ? kept : all.slice(-1);
          return some.flatMap((packet) => ((chance.next().value ?? 0) < 30 ? [packet, packet] : [packet]));
        });
        expect(keysOf(packets)).toBe(pressed.map((event) => '0123456789*#ABCD'.charAt(event)).join(''));
      }),
    );
  });

  it('are not reported again when a packet of the press before arrives late', () => {
    const [first = [], second = []] = [press(1, 1_000), press(2, 3_000)];
    const arrived = [...first.slice(0, 4), ...second.slice(0, 2), ...first.slice(4), ...second.slice(2)];
    expect(keysOf(arrived, new EventReader(), 7, [...first, ...second])).toBe('12');
  });

  it('are each a key where the timestamp jumps back under one SSRC and the sequence goes on', () => {
    expect(keysOf([...press(5, 90_000), ...press(5, 1_000), ...press(5, 500)])).toBe('555');
    expect(keysOf([...press(5, 0xffff_fff0), ...press(5, 10), ...press(4, 0xffff_0000)])).toBe('554');
  });

  it('are each a key where the source numbers its packets anew, too', () => {
    const reader = new EventReader();
    expect(keysOf(press(5, 90_000), reader, 7, undefined, { sequence: 9_000 })).toBe('5');
    expect(keysOf(press(5, 1_000), reader, 7, undefined, { sequence: 3, atMs: 200 })).toBe('5');
  });

  it('are each a key where a captured press is played again with the same numbers', () => {
    const reader = new EventReader();
    const again = [0, 1, 2].map((time) =>
      keysOf(press(5, 1_000), reader, 7, undefined, { atMs: time * 600 }),
    );
    expect(again).toEqual(['5', '5', '5']);
    // The ends of a press alone, late or repeated, are none.
    expect(keysOf(press(5, 1_000).slice(-3), reader, 7, undefined, { atMs: 9_000 })).toBe('');
  });

  it('stay one key when a press outlasts the duration field, RFC 4733 §2.5.1.3', () => {
    const long = [0, 1, 2].map((segment) => ({
      event: 9,
      isEnd: segment === 2,
      duration: 0xffff,
      timestamp: 1_000 + segment * 0xffff,
    }));
    expect(keysOf(long)).toBe('9');
  });

  it('begin anew with another source', () => {
    const reader = new EventReader();
    expect(keysOf(press(1, 50_000), reader, 1) + keysOf(press(1, 10), reader, 2)).toBe('11');
  });
});

describe('keys that we press', () => {
  it('are updates, three ends with the whole duration and a pause', () => {
    const sender = new KeySender();
    sender.add('5x#');
    const steps: (ReturnType<KeySender['nextEvent']> | 'pause')[] = [];
    while (sender.isActive) steps.push(sender.nextEvent() ?? 'pause');
    const first = steps.slice(0, steps.length / 2);
    expect(first.map((step) => step !== null && step !== 'pause' && step.duration)).toEqual([
      160,
      320,
      480,
      640,
      800,
      960,
      960,
      960,
      false,
      false,
      false,
    ]);
    expect(first.filter((step) => step !== null && step !== 'pause' && step.isEnd)).toHaveLength(3);
    expect(new Set(steps.map((step) => (step === null || step === 'pause' ? -1 : step.event)))).toEqual(
      new Set([5, 11, -1]),
    );
  });

  it('do not wait in an endless row', () => {
    const sender = new KeySender();
    sender.add('1'.repeat(10_000));
    let steps = 0;
    while (sender.isActive) {
      sender.nextEvent();
      steps++;
    }
    expect(steps).toBe(128 * 11);
  });
});

const NAMES = [...'0123456789']
  .map((key) => [key, key])
  .concat([
    ['star', '*'],
    ['pound', '#'],
  ]);

describe.skipIf(corpusMissing('dtmf'))('captured RFC 2833 keys', () => {
  it.each(NAMES)('%s is exact', (name, key) => {
    const datagrams = readPcap(readFileSync(join(corpusFolder('dtmf'), `dtmf_2833_${name}.pcap`)));
    const header = emptyHeader();
    const reader = new EventReader();
    let keys = '';
    for (const [index, { payload }] of datagrams.entries()) {
      if (!readRtp(payload, 0, payload.length, header) || header.payloadLength !== 4) continue;
      keys +=
        reader.read(
          payload,
          header.payloadAt,
          4,
          header.timestamp,
          header.ssrc,
          header.sequence,
          index * 20,
        ) ?? '';
    }
    expect(datagrams.length).toBeGreaterThan(5);
    expect(keys).toBe(key);
  });
});
