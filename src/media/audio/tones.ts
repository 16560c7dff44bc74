// Tones as µ-law, generated once. Every buffer is a whole number of frames, and every tone has a whole number of periods: where the
// loop starts again the wave passes through zero, without a click.
import type { ToneName } from '../media.ts';
import { FRAME_MS, FRAME_SAMPLES, SAMPLE_RATE_HZ } from './frame.ts';
import { encodeUlaw, ULAW_SILENCE } from './g711.ts';

interface Tone {
  readonly frequenciesHz: readonly number[];
  readonly onMs: number;
  readonly offMs: number;
  /** The amplitude of each frequency. */
  readonly amplitude: number;
}

/** The North American tone plan. */
const TONES: Readonly<Record<ToneName, Tone>> = {
  ringback: { frequenciesHz: [440, 480], onMs: 2_000, offMs: 4_000, amplitude: 2_500 },
  busy: { frequenciesHz: [480, 620], onMs: 500, offMs: 500, amplitude: 2_500 },
  beep: { frequenciesHz: [1_000], onMs: 500, offMs: 0, amplitude: 4_000 },
  /** Recording notice: short, since it repeats and interrupts the conversation. */
  notice: { frequenciesHz: [1_400], onMs: 200, offMs: 0, amplitude: 3_000 },
  /** Somebody joins or leaves a conference: over the conversation, hence short and not loud. */
  joined: { frequenciesHz: [800], onMs: 160, offMs: 0, amplitude: 2_500 },
  left: { frequenciesHz: [500], onMs: 160, offMs: 0, amplitude: 2_500 },
  /** Soft: it is repeated for as long as the other side holds. */
  hold: { frequenciesHz: [440], onMs: 400, offMs: 3_600, amplitude: 1_200 },
  silence: { frequenciesHz: [], onMs: 0, offMs: 1_000, amplitude: 0 },
  missing: { frequenciesHz: [400], onMs: 500, offMs: 0, amplitude: 4_000 },
};

const made = new Map<ToneName, Buffer>();

/** One period of the tone, to be played once or in a loop. Shared: do not modify. */
export function toneSound(name: ToneName): Buffer {
  let sound = made.get(name);
  if (sound === undefined) {
    const { frequenciesHz, onMs, offMs, amplitude } = TONES[name];
    const on = wave(
      frequenciesHz.map((hz) => ({ hz, amplitude })),
      onMs,
    );
    sound = Buffer.concat([on, silence(offMs)]);
    made.set(name, sound);
  }
  return sound;
}

/** ITU-T Q.23: a key is one low and one high frequency. */
export const KEY_ROWS_HZ = [697, 770, 852, 941] as const;
export const KEY_COLUMNS_HZ = [1_209, 1_336, 1_477, 1_633] as const;
/** Row by row: the key of row r and column c stands at 4r + c. */
export const KEYS = '123A456B789C*0#D';

/** One key and its pause, both rounded up to whole frames; null: no such key. */
export function keySound(key: string, onMs = 100, pauseMs = 100): Buffer | null {
  const at = key.length === 1 ? KEYS.indexOf(key.toUpperCase()) : -1;
  if (at < 0) return null;
  // The high frequency is 2 dB louder, since lines attenuate it more.
  const low = { hz: KEY_ROWS_HZ[at >> 2] ?? 0, amplitude: 7_000 };
  const high = { hz: KEY_COLUMNS_HZ[at & 3] ?? 0, amplitude: 8_800 };
  return Buffer.concat([wave([low, high], onMs), silence(pauseMs)]);
}

export function silence(durationMs: number): Buffer {
  return Buffer.alloc(samplesOf(durationMs), ULAW_SILENCE);
}

interface Partial {
  readonly hz: number;
  /** Peak; 22,300 would be 0 dBm0. */
  readonly amplitude: number;
}

function wave(partials: readonly Partial[], durationMs: number): Buffer {
  const sound = Buffer.alloc(samplesOf(durationMs));
  for (let i = 0; i < sound.length; i += 1) {
    let sample = 0;
    for (const { hz, amplitude } of partials) {
      sample += amplitude * Math.sin((2 * Math.PI * hz * i) / SAMPLE_RATE_HZ);
    }
    sound[i] = encodeUlaw(Math.round(sample));
  }
  return sound;
}

/** Rounded up to whole frames. */
function samplesOf(durationMs: number): number {
  return Math.ceil(durationMs / FRAME_MS) * FRAME_SAMPLES;
}
