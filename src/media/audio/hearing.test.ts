import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeUlaw } from './g711.ts';
import { Hearing } from './hearing.ts';
import { describeSound } from './sound-class.ts';
import { silence, toneSound } from './tones.ts';
import { readWav } from './wav.ts';

function tone(hz: number, durationMs: number): Buffer {
  return Buffer.from(
    Array.from({ length: durationMs * 8 }, (_, at) =>
      encodeUlaw(Math.round(8_000 * Math.sin((2 * Math.PI * hz * at) / 8_000))),
    ),
  );
}

function recording(file: string): Buffer {
  const audio = readWav(readFileSync(new URL(`../../../${file}`, import.meta.url)));
  if ('fault' in audio) throw new Error(audio.fault);
  return audio;
}

/** Each segment as its words and its length in tenths of a second. */
function heard(...parts: readonly Buffer[]): [string, number][] {
  const audio = Buffer.concat(parts);
  const hearing = new Hearing();
  for (let at = 0; at + 160 <= audio.length; at += 160) hearing.push(audio.subarray(at, at + 160), at / 8);
  return hearing
    .end()
    .map(({ sound, fromMs, toMs }) => [describeSound(sound), Math.round((toMs - fromMs) / 100)]);
}

describe('what was heard', () => {
  it('a tone has its frequency and its length', () => {
    expect(heard(silence(500), tone(1_270, 1_000), silence(500), tone(540, 700))).toEqual([
      ['silence', 5],
      ['a tone of 1270 Hz', 10],
      ['silence', 5],
      ['a tone of 540 Hz', 7],
    ]);
  });

  it('tones that follow each other without a pause are two', () => {
    expect(heard(tone(1_000, 600), tone(1_400, 600))).toEqual([
      ['a tone of 1000 Hz', 6],
      ['a tone of 1400 Hz', 6],
    ]);
  });

  it('ringback and busy are one sound with their pauses', () => {
    const ringback = toneSound('ringback');
    const busy = toneSound('busy');
    expect(heard(ringback, ringback, ringback.subarray(0, 8_000))).toEqual([['ringback', 130]]);
    expect(heard(busy, busy, busy, busy.subarray(0, 4_000))).toEqual([['the busy tone', 35]]);
  });

  it('ringback that an answer cuts short ends with its last ring', () => {
    expect(heard(toneSound('ringback').subarray(0, 24_000), tone(2_100, 500))).toEqual([
      ['ringback', 20],
      ['silence', 10],
      ['a tone of 2100 Hz', 5],
    ]);
  });

  it.each(['examples/recordings/welcome.wav', 'assets/prompts/apology.wav'])('%s is speech', (file) => {
    const kinds = heard(recording(file)).map(([words]) => words);
    expect(kinds).toContain('speech');
    expect(kinds.filter((words) => words !== 'speech' && words !== 'silence')).toEqual([]);
  });

  it('a gap without packets is no silence', () => {
    const hearing = new Hearing();
    const audio = tone(1_000, 1_000);
    for (let at = 0; at < 50; at++)
      hearing.push(audio.subarray(at * 160, at * 160 + 160), at * 20 + (at < 25 ? 0 : 2_000));
    expect(hearing.end().map(({ sound, fromMs, toMs }) => [sound.kind, fromMs, toMs])).toEqual([
      ['tone', 0, 500],
      ['nothing', 500, 2_500],
      ['tone', 2_500, 3_000],
    ]);
  });

  it('reports a sound while it is still going on', () => {
    const began: string[] = [];
    const hearing = new Hearing(({ sound }) => began.push(describeSound(sound)));
    const audio = tone(1_000, 400);
    for (let at = 0; at < 20; at++) hearing.push(audio.subarray(at * 160, at * 160 + 160), at * 20);
    expect(began).toEqual(['a tone of 1000 Hz']);
  });
});
