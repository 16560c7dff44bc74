// The sounds of waiting in a queue, as they are shipped: small, of the level of the other prompts, and without a click where the
// music begins again. bin/make-sounds.js makes them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { positionPrompt } from '../src/flow/queueing.ts';
import { ulawToLinear } from '../src/media/audio/g711.ts';
import { Hearing } from '../src/media/audio/hearing.ts';
import { readWav } from '../src/media/audio/wav.ts';

const PROMPTS = new URL('../assets/prompts/', import.meta.url);

function ulaw(prompt: string): Buffer {
  const audio = readWav(readFileSync(new URL(`${prompt}.wav`, PROMPTS)));
  if ('fault' in audio) throw new Error(audio.fault);
  return audio;
}

const samplesOf = (prompt: string): number[] => [...ulaw(prompt)].map((byte) => ulawToLinear[byte] ?? 0);
const rms = (samples: readonly number[]): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
const peak = (samples: readonly number[]): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe('the music', () => {
  const music = samplesOf('music-on-hold');

  it('fills whole packets, so that its end and its beginning meet without a gap', () => {
    expect(music.length % 160).toBe(0);
  });

  it('is softer than speech, never clipped, and never silent for half a second', () => {
    expect(rms(music)).toBeGreaterThan(1_000);
    expect(rms(music)).toBeLessThan(1_600);
    expect(peak(music)).toBeLessThan(8_000);
    const halves = Array.from({ length: Math.floor(music.length / 4_000) }, (_, index) =>
      rms(music.slice(index * 4_000, (index + 1) * 4_000)),
    );
    expect(Math.min(...halves)).toBeGreaterThan(400);
  });

  it('does not jump where it begins again more than it does elsewhere', () => {
    const jumps = music.map((sample, index) => Math.abs(sample - (music[index - 1] ?? sample)));
    expect(Math.abs((music[0] ?? 0) - (music.at(-1) ?? 0))).toBeLessThanOrEqual(Math.max(...jumps));
  });
});

describe('the places in the queue', () => {
  const prompts = Array.from({ length: 11 }, (_, index) => positionPrompt(index + 1));

  it.each(prompts)('%s is short speech', (prompt) => {
    const audio = ulaw(prompt);
    const hearing = new Hearing();
    for (let at = 0; at + 160 <= audio.length; at += 160) hearing.push(audio.subarray(at, at + 160), at / 8);
    expect(hearing.end().map(({ sound }) => sound.kind)).toContain('speech');
    expect(audio.length / 8_000).toBeLessThan(2.5);
    expect(rms(samplesOf(prompt))).toBeGreaterThan(1_500);
  });
});

it('everything that is heard in a queue is shipped in less than 220 KB', () => {
  const files = readdirSync(PROMPTS).filter((file) => /^(music|position)-/.test(file));
  const bytes = files.reduce((sum, file) => sum + statSync(new URL(file, PROMPTS)).size, 0);
  expect(files.length).toBe(12);
  expect(bytes).toBeLessThan(220_000);
});
