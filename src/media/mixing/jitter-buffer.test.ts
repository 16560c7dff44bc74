import { describe, expect, it } from 'vitest';
import { encodeUlaw, ULAW_SILENCE } from '../audio/g711.ts';
import { PCMU } from '../codec.ts';
import { diceOf, uneven } from '../testing/uneven.ts';
import { JitterBuffer, MAX_FRAMES, MAX_PACKETS } from './jitter-buffer.ts';

const VOICE = encodeUlaw(4_000);
const HISS = encodeUlaw(40);

/** A frame that carries its number, in samples that are hardly heard. */
function packet(index: number, sample = VOICE): Uint8Array {
  const audio = new Uint8Array(160).fill(sample);
  for (let digit = 0; digit < 4; digit++) audio[digit] = 0xf0 | ((index >>> (4 * digit)) & 0xf);
  return audio;
}

class Listener {
  readonly buffer = new JitterBuffer();
  readonly heard: { readonly index: number; readonly delayMs: number }[] = [];
  gaps = 0;

  push(index: number, sample = VOICE): void {
    this.buffer.push(packet(index, sample), 0, 160, (65_500 + index) & 0xffff, PCMU);
  }

  tick(nowMs: number): void {
    const frame = this.buffer.next();
    if (!frame || frame[9] === ULAW_SILENCE) {
      this.gaps++;
      return;
    }
    const index = [0, 1, 2, 3].reduce((sum, digit) => sum | (((frame[digit] ?? 0) & 0xf) << (4 * digit)), 0);
    this.heard.push({ index, delayMs: nowMs - index * 20 });
  }

  /** Packets of 20 ms as they arrive, and ticks in a phase of their own. */
  hear(arrivals: readonly { readonly index: number; readonly arrivesMs: number }[], sample = VOICE): void {
    const endMs = (arrivals.at(-1)?.arrivesMs ?? 0) + 200;
    let next = 0;
    for (let ms = 0; ms < endMs; ms++) {
      for (; (arrivals[next]?.arrivesMs ?? endMs) <= ms; next++)
        this.push(arrivals[next]?.index ?? 0, sample);
      if (ms % 20 === 7) this.tick(ms);
    }
  }
}

describe('a jitter buffer', () => {
  it.each([0, 20, 40, 80, 120])(
    'plays what arrives with %i ms of jitter without gaps, in order',
    (jitterMs) => {
      const listener = new Listener();
      listener.hear(uneven(1_000, jitterMs, 5));
      const indexes = listener.heard.map(({ index }) => index);
      expect(indexes).toEqual([...indexes].sort((one, other) => one - other));
      // It gets to know the jitter in the first seconds.
      expect(listener.heard.filter(({ index }) => index >= 100).length).toBeGreaterThanOrEqual(898);
      const { delayMs } = listener.heard.at(-1) ?? { delayMs: 0 };
      expect(delayMs).toBeLessThanOrEqual(Math.max(50, jitterMs + 40));
    },
  );

  it('has less delay again after a stall: in a pause of the voice, or later without one', () => {
    for (const [sample, withinPackets] of [
      [HISS, 1_000],
      [VOICE, 4_500],
    ] as const) {
      const listener = new Listener();
      const stalled = uneven(withinPackets, 0).map((each) =>
        each.index >= 200 && each.index < 208 ? { ...each, arrivesMs: 208 * 20 } : each,
      );
      listener.hear(stalled, sample);
      const delayOf = (at: number): number => listener.heard.find(({ index }) => index >= at)?.delayMs ?? 0;
      expect(delayOf(250)).toBeGreaterThan(140);
      expect(delayOf(withinPackets - 20)).toBeLessThanOrEqual(60);
    }
  });

  it('counts what came too late, not copies', () => {
    const listener = new Listener();
    for (const index of [0, 1, 2, 4, 5, 6]) listener.push(index);
    for (let tick = 0; tick < 5; tick++) listener.tick(tick * 20);
    for (const index of [3, 2, 1, 6]) listener.push(index);
    expect(listener.buffer.late).toBe(1);
    expect(listener.gaps).toBe(1);
  });

  it('plays a talkspurt that is shorter than its delay, and begins anew after a pause', () => {
    const listener = new Listener();
    listener.push(0);
    for (let tick = 0; tick < 40; tick++) listener.tick(tick * 20);
    expect(listener.heard.map(({ index }) => index)).toEqual([0]);
    listener.push(1);
    listener.push(2);
    for (let tick = 0; tick < 10; tick++) listener.tick(tick * 20);
    expect(listener.heard.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('cuts packets of 30 ms and of 10 ms into frames', () => {
    for (const samples of [240, 80]) {
      const buffer = new JitterBuffer();
      for (let index = 0; index < 6; index++)
        buffer.push(new Uint8Array(samples).fill(index), 0, samples, index, PCMU);
      const played: number[] = [];
      for (let frame = buffer.drain(); frame; frame = buffer.drain()) played.push(...frame);
      expect(played).toEqual(Array.from({ length: 6 * samples }, (_, at) => Math.floor(at / samples)));
    }
  });

  it('holds a bounded amount, and throws for no order of packets', () => {
    const buffer = new JitterBuffer();
    const roll = diceOf(9);
    const any = (below: number): number => Math.floor(roll() * below);
    const bytes = new Uint8Array(1_600);
    let sequence = 0;
    for (let round = 0; round < 20_000; round++) {
      sequence = any(50) === 0 ? any(0x10000) : (sequence + any(9) - 2) & 0xffff;
      if (any(4) === 0) buffer.skip(sequence);
      else buffer.push(bytes, 0, any(3) === 0 ? 1 : any(1_601), sequence, PCMU);
      const frame = any(3) === 0 ? buffer.next() : null;
      if (frame && frame.length !== 160) throw new Error(`a frame of ${frame.length}`);
    }
    let left = 0;
    while (buffer.drain()) left++;
    // Lost packets among those that wait count as silence of the length of the one before.
    expect(left).toBeLessThanOrEqual(MAX_FRAMES * MAX_PACKETS);
  });
});
