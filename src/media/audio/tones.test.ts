import { describe, expect, it } from 'vitest';
import { ULAW_SILENCE, ulawToLinear } from './g711.ts';
import { KEY_COLUMNS_HZ, KEY_ROWS_HZ, KEYS, keySound, silence, toneSound } from './tones.ts';

/** The amplitude of one frequency in a piece of sound. */
function amplitudeAt(sound: Buffer, hz: number): number {
  let cosine = 0;
  let sine = 0;
  sound.forEach((byte, i) => {
    const sample = ulawToLinear[byte] ?? 0;
    cosine += sample * Math.cos((2 * Math.PI * hz * i) / 8_000);
    sine += sample * Math.sin((2 * Math.PI * hz * i) / 8_000);
  });
  return (2 * Math.hypot(cosine, sine)) / sound.length;
}

describe('tones', () => {
  it.each([
    ['ringback', [440, 480], 2_000, 4_000],
    ['busy', [480, 620], 500, 500],
    ['beep', [1_000], 500, 0],
    ['missing', [400], 500, 0],
  ] as const)('%s has its frequencies and its rhythm', (name, frequencies, onMs, offMs) => {
    const sound = toneSound(name);
    expect(sound.length).toBe((onMs + offMs) * 8);
    const on = sound.subarray(0, onMs * 8);
    for (const hz of frequencies) expect(amplitudeAt(on, hz)).toBeGreaterThan(2_400);
    for (const hz of [350, 440, 480, 550, 620, 700, 1_000, 1_400]) {
      if (!(frequencies as readonly number[]).includes(hz)) expect(amplitudeAt(on, hz)).toBeLessThan(60);
    }
    expect(sound.subarray(onMs * 8).every((byte) => byte === ULAW_SILENCE)).toBe(true);
  });

  it.each(['ringback', 'busy', 'beep', 'missing'] as const)('%s loops without a click', (name) => {
    const sound = toneSound(name);
    const jumps = Array.from({ length: sound.length }, (_, i) =>
      Math.abs((ulawToLinear[sound[(i + 1) % sound.length] ?? 0] ?? 0) - (ulawToLinear[sound[i] ?? 0] ?? 0)),
    );
    const seam = jumps.at(-1) ?? 0;
    expect(seam).toBeLessThanOrEqual(Math.max(...jumps.slice(0, -1)));
  });

  it('gives the same buffer every time, of whole 20 ms frames', () => {
    expect(toneSound('busy')).toBe(toneSound('busy'));
    expect(toneSound('ringback').length % 160).toBe(0);
    expect(silence(30).length).toBe(320);
  });

  it.each([...KEYS].map((key, at) => [key, at] as const))('key %s is its row and its column', (key, at) => {
    const sound = keySound(key, 90, 10);
    expect(sound?.length).toBe(100 * 8 + 20 * 8);
    const on = sound?.subarray(0, 800) ?? Buffer.alloc(0);
    expect(amplitudeAt(on, KEY_ROWS_HZ[at >> 2] ?? 0)).toBeGreaterThan(6_000);
    expect(amplitudeAt(on, KEY_COLUMNS_HZ[at & 3] ?? 0)).toBeGreaterThan(8_000);
  });

  it('has no sound for what is no key', () => {
    for (const wrong of ['', 'E', '12', '+', ' ']) expect(keySound(wrong)).toBeNull();
  });
});
