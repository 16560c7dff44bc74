import { describe, expect, it } from 'vitest';
import { encodeUlaw, ULAW_SILENCE, ulawToLinear } from '../audio/g711.ts';
import type { WorkerEvent } from '../orders/orders.ts';
import { Audience, type JitterBuffer, type Voice } from './jitter-buffer.ts';
import { Mix } from './mix.ts';
import { Recording } from './recording.ts';

/** Somebody who sends a packet of one constant sample at a time. */
class Speaker implements Voice {
  readonly audience = new Audience();
  #sequence = 65_500;

  attach(buffer: JitterBuffer): void {
    this.audience.add(buffer);
  }

  detach(buffer: JitterBuffer): void {
    this.audience.remove(buffer);
  }

  say(sample: number, samples = 160): void {
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.audience.push(new Uint8Array(samples).fill(sample), 0, samples, this.#sequence, 'pcmu');
  }
}

const LOUD = encodeUlaw(8_000);

function begin(sides: readonly Voice[], limits: { maxMs?: number; silenceMs?: number | null } = {}) {
  const told: WorkerEvent[] = [];
  const recording = new Recording(
    {
      stream: 7,
      number: 3,
      sides,
      limits: { maxMs: limits.maxMs ?? 600_000, silenceMs: limits.silenceMs ?? null },
      tell: (event) => told.push(event),
    },
    0,
  );
  const audio = (): Buffer =>
    Buffer.concat(told.flatMap((event) => (event[0] === 'recorded' ? [event[3]] : [])));
  return { recording, told, audio };
}

describe('a recording', () => {
  it('leaves second by second, and holds every sample in its order', () => {
    const speaker = new Speaker();
    const { recording, told, audio } = begin([speaker]);
    for (let block = 1; block <= 150; block++) {
      speaker.say(block % 100);
      recording.turn(block * 20);
    }
    expect(told.map(([what]) => what)).toEqual(['recorded', 'recorded', 'recorded']);
    recording.end('stopped');
    expect(told.at(-1)).toEqual(['record-ended', 7, 3, 'stopped']);
    const spoken = [...audio()].filter((_, at) => at % 160 === 0);
    // Two blocks are gathered first; what is still held comes at the end.
    expect(spoken).toEqual([255, 255, ...Array.from({ length: 150 }, (_, at) => (at + 1) % 100)]);
    expect(speaker.audience.isEmpty).toBe(true);
  });

  it('lasts as long as the time it was made in, whatever is lost or not sent', () => {
    const speaker = new Speaker();
    const { recording, audio } = begin([speaker], { maxMs: 3_000 });
    for (let block = 1; block <= 50; block++) {
      speaker.say(LOUD);
      recording.turn(block * 20);
    }
    expect(recording.turn(2_000)).toBe(true);
    expect(recording.turn(3_000)).toBe(false);
    expect(audio()).toHaveLength(24_000);
    expect(
      audio()
        .subarray(16_000)
        .every((sample) => sample === ULAW_SILENCE),
    ).toBe(true);
  });

  it('ends after silence, and tells how much was said and where it ended', () => {
    const speaker = new Speaker();
    const { recording, told } = begin([speaker], { silenceMs: 500 });
    let ms = 0;
    const go = (blocks: number, sample: number): boolean => {
      let goesOn = true;
      for (let block = 0; block < blocks; block++) {
        ms += 20;
        speaker.say(sample);
        goesOn = recording.turn(ms);
      }
      return goesOn;
    };
    expect(go(20, encodeUlaw(30))).toBe(true);
    expect(go(50, LOUD)).toBe(true);
    expect(go(24, encodeUlaw(30))).toBe(true);
    expect(go(10, encodeUlaw(30))).toBe(false);
    const last = told.at(-2);
    expect(last?.slice(4)).toEqual([1_000, 1_440]);
    expect(told.at(-1)).toEqual(['record-ended', 7, 3, 'silence']);
    recording.end('stopped');
    expect(told.filter(([what]) => what === 'record-ended')).toHaveLength(1);
  });

  it('of two sides has two channels, side by side', () => {
    const [left, right] = [new Speaker(), new Speaker()];
    const { recording, audio } = begin([left, right]);
    for (let block = 1; block <= 50; block++) {
      left.say(1);
      if (block > 25) right.say(2);
      recording.turn(block * 20);
    }
    recording.end('ended');
    const at = (ms: number): number[] => [...audio().subarray(ms * 16, ms * 16 + 4)];
    expect(at(200)).toEqual([1, 255, 1, 255]);
    expect(at(800)).toEqual([1, 2, 1, 2]);
  });

  it('of a machine that slept for an hour is not an hour of silence', () => {
    const { recording, audio } = begin([new Speaker()]);
    recording.turn(1_000);
    recording.turn(3_601_000);
    recording.end('stopped');
    expect(audio()).toHaveLength(16_000);
  });
});

describe('a mix', () => {
  it('is the sum of its voices, without wrapping around, in either law', () => {
    const [one, two] = [new Speaker(), new Speaker()];
    const mix = new Mix();
    mix.add(one);
    mix.add(two);
    const hear = (a: number, b: number): number => {
      for (let block = 0; block < 4; block++) {
        one.say(encodeUlaw(a));
        two.say(encodeUlaw(b));
      }
      const out = new Uint8Array(640);
      mix.write(out, 0, 640, 'pcmu');
      return ulawToLinear[out[639] ?? 0] ?? 0;
    };
    expect(hear(4_000, 2_000)).toBeGreaterThan(5_500);
    expect(hear(4_000, -4_000)).toBe(0);
    expect(hear(30_000, 30_000)).toBeGreaterThan(30_000);
    expect(hear(-30_000, -30_000)).toBeLessThan(-30_000);
    mix.remove(two);
    expect(two.audience.isEmpty).toBe(true);
    expect(mix.holdsAtMost(one)).toBe(true);
    expect(mix.holdsAtMost(null)).toBe(false);
  });

  it('goes on with the others when one says nothing', () => {
    const mix = new Mix();
    const [one, two] = [new Speaker(), new Speaker()];
    mix.add(one);
    mix.add(two);
    const out = new Uint8Array(160);
    mix.write(out, 0, 160, 'pcmu');
    expect(out.every((sample) => sample === ULAW_SILENCE)).toBe(true);
    for (let block = 0; block < 3; block++) one.say(LOUD);
    mix.write(out, 0, 160, 'pcmu');
    expect(out[0]).toBe(LOUD);
  });
});
