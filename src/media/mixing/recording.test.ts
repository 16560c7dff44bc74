import { describe, expect, it } from 'vitest';
import { encodeUlaw, ULAW_SILENCE, ulawToLinear } from '../audio/g711.ts';
import { PCMU } from '../codec.ts';
import type { WorkerEvent } from '../commands/commands.ts';
import { AudioFanout, type AudioSource } from './audio-fanout.ts';
import type { JitterBuffer } from './jitter-buffer.ts';
import { Mix } from './mix.ts';
import { Recording } from './recording.ts';

/** Sends packets of one constant sample. */
class Speaker implements AudioSource {
  readonly fanout = new AudioFanout();
  #sequence = 65_500;

  attach(buffer: JitterBuffer): void {
    this.fanout.add(buffer);
  }

  detach(buffer: JitterBuffer): void {
    this.fanout.remove(buffer);
  }

  say(sample: number, samples = 160): void {
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.fanout.push(new Uint8Array(samples).fill(sample), 0, samples, this.#sequence, PCMU);
  }
}

const LOUD = encodeUlaw(8_000);

function begin(sides: readonly AudioSource[], limits: { maxMs?: number; silenceMs?: number | null } = {}) {
  const events: WorkerEvent[] = [];
  const recording = new Recording(
    {
      stream: 7,
      number: 3,
      sides,
      limits: { maxMs: limits.maxMs ?? 600_000, silenceMs: limits.silenceMs ?? null },
      emit: (event) => events.push(event),
    },
    0,
  );
  const audio = (): Buffer =>
    Buffer.concat(events.flatMap((event) => (event[0] === 'recorded' ? [event[3]] : [])));
  return { recording, events, audio };
}

describe('a recording', () => {
  it('is delivered second by second, and holds every sample in order', () => {
    const speaker = new Speaker();
    const { recording, events, audio } = begin([speaker]);
    for (let block = 1; block <= 150; block++) {
      speaker.say(block % 100);
      recording.tick(block * 20);
    }
    expect(events.map(([what]) => what)).toEqual(['recorded', 'recorded', 'recorded']);
    recording.end('stopped');
    expect(events.at(-1)).toEqual(['record-ended', 7, 3, 'stopped']);
    const spoken = [...audio()].filter((_, at) => at % 160 === 0);
    // Two frames of prefill; what is still buffered comes at the end.
    expect(spoken).toEqual([255, 255, ...Array.from({ length: 150 }, (_, at) => (at + 1) % 100)]);
    expect(speaker.fanout.isEmpty).toBe(true);
  });

  it('has a third party in the channel of the second side, from its coming to its leaving', () => {
    const [near, far, third] = [new Speaker(), new Speaker(), new Speaker()];
    const { recording, audio } = begin([near, far]);
    const quiet = encodeUlaw(1_000);
    for (let block = 1; block <= 30; block++) {
      if (block === 11) recording.add(third);
      if (block === 21) recording.remove(third);
      near.say(quiet);
      far.say(quiet);
      third.say(LOUD);
      recording.tick(block * 20);
    }
    expect(third.fanout.isEmpty).toBe(true);
    recording.add(third);
    recording.end('stopped');
    expect(third.fanout.isEmpty).toBe(true);
    recording.add(third);
    expect(third.fanout.isEmpty).toBe(true);
    const levels = (channel: 0 | 1): number[] =>
      [...audio()].filter((_, at) => at % 320 === channel).map((sample) => ulawToLinear[sample] ?? 0);
    expect(Math.max(...levels(0))).toBeLessThan(1_100);
    const [before, during, after] = [
      levels(1).slice(2, 10),
      levels(1).slice(13, 20),
      levels(1).slice(20, 30),
    ];
    expect([Math.max(...before), Math.max(...after)].every((level) => level < 1_100)).toBe(true);
    expect(Math.min(...during)).toBeGreaterThan(8_500);
  });

  it('lasts as long as the conversation, whatever is lost or not sent', () => {
    const speaker = new Speaker();
    const { recording, audio } = begin([speaker], { maxMs: 3_000 });
    for (let block = 1; block <= 50; block++) {
      speaker.say(LOUD);
      recording.tick(block * 20);
    }
    expect(recording.tick(2_000)).toBe(true);
    expect(recording.tick(3_000)).toBe(false);
    expect(audio()).toHaveLength(24_000);
    expect(
      audio()
        .subarray(16_000)
        .every((sample) => sample === ULAW_SILENCE),
    ).toBe(true);
  });

  it('ends after silence, and reports how much was sound and where it ended', () => {
    const speaker = new Speaker();
    const { recording, events } = begin([speaker], { silenceMs: 500 });
    let ms = 0;
    const go = (blocks: number, sample: number): boolean => {
      let goesOn = true;
      for (let block = 0; block < blocks; block++) {
        ms += 20;
        speaker.say(sample);
        goesOn = recording.tick(ms);
      }
      return goesOn;
    };
    expect(go(20, encodeUlaw(30))).toBe(true);
    expect(go(50, LOUD)).toBe(true);
    expect(go(24, encodeUlaw(30))).toBe(true);
    expect(go(10, encodeUlaw(30))).toBe(false);
    const last = events.at(-2);
    expect(last?.slice(4)).toEqual([1_000, 1_440]);
    expect(events.at(-1)).toEqual(['record-ended', 7, 3, 'silence']);
    recording.end('stopped');
    expect(events.filter(([what]) => what === 'record-ended')).toHaveLength(1);
  });

  it('of two sides has two channels, side by side', () => {
    const [left, right] = [new Speaker(), new Speaker()];
    const { recording, audio } = begin([left, right]);
    for (let block = 1; block <= 50; block++) {
      left.say(1);
      if (block > 25) right.say(2);
      recording.tick(block * 20);
    }
    recording.end('ended');
    const at = (ms: number): number[] => [...audio().subarray(ms * 16, ms * 16 + 4)];
    expect(at(200)).toEqual([1, 255, 1, 255]);
    expect(at(800)).toEqual([1, 2, 1, 2]);
  });

  it('does not gain an hour of silence on a machine that was suspended for an hour', () => {
    const { recording, audio } = begin([new Speaker()]);
    recording.tick(1_000);
    recording.tick(3_601_000);
    recording.end('stopped');
    expect(audio()).toHaveLength(16_000);
  });
});

describe('a mix', () => {
  it('is the sum of its sources, without overflow', () => {
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
      mix.write(out, 0, 4, PCMU);
      return ulawToLinear[out[639] ?? 0] ?? 0;
    };
    expect(hear(4_000, 2_000)).toBeGreaterThan(5_500);
    expect(hear(4_000, -4_000)).toBe(0);
    expect(hear(30_000, 30_000)).toBeGreaterThan(30_000);
    expect(hear(-30_000, -30_000)).toBeLessThan(-30_000);
    mix.remove(two);
    expect(two.fanout.isEmpty).toBe(true);
    expect(mix.holdsAtMost(one)).toBe(true);
    expect(mix.holdsAtMost(null)).toBe(false);
  });

  it('goes on with the others when one source is silent', () => {
    const mix = new Mix();
    const [one, two] = [new Speaker(), new Speaker()];
    mix.add(one);
    mix.add(two);
    const out = new Uint8Array(160);
    mix.write(out, 0, 1, PCMU);
    expect(out.every((sample) => sample === ULAW_SILENCE)).toBe(true);
    for (let block = 0; block < 3; block++) one.say(LOUD);
    mix.write(out, 0, 1, PCMU);
    expect(out[0]).toBe(LOUD);
  });
});
