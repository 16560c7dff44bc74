// Classifies 100 ms of audio: one tone, a call progress tone, or anything else.
import { SAMPLE_RATE_HZ } from './frame.ts';

export type SoundClass =
  /** No packets at all. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'silence' }
  | { readonly kind: 'tone'; readonly hz: number }
  /** A tone of the North American tone plan, as in tones.ts. */
  | { readonly kind: 'call-tone'; readonly name: 'ringback' | 'busy' | 'dial tone' }
  | { readonly kind: 'pair'; readonly hz: readonly [number, number] }
  | { readonly kind: 'speech' };

const SAME_HZ = 15;
/** 100 ms resolve frequencies that are 20 Hz apart. */
const STEP_HZ = 20;
const APART_HZ = 35;
const LOWEST_HZ = 200;
const HIGHEST_HZ = 3_600;
const CALL_TONES = [
  { name: 'ringback', hz: [440, 480] },
  { name: 'busy', hz: [480, 620] },
  { name: 'dial tone', hz: [350, 440] },
] as const;

export function classify(samples: Float64Array): SoundClass {
  const { length } = samples;
  const windowed = samples.map((sample, at) => sample * (1 - Math.cos((2 * Math.PI * (at + 0.5)) / length)));
  const energy = windowed.reduce((sum, sample) => sum + sample * sample, 0);
  // The window spreads a tone over its neighbours; a pure tone's peak holds 2/3 of length × energy / 2.
  const share = (power: number): number => power / ((energy * length) / 3);
  const grid = gridOf(windowed);
  const first = strongest(windowed, grid, () => true);
  if (share(first.power) > 0.85) return { kind: 'tone', hz: first.hz };
  const second = strongest(windowed, grid, (hz) => Math.abs(hz - first.hz) > APART_HZ);
  if (share(first.power) + share(second.power) < 0.7 || second.power < first.power / 12)
    return { kind: 'speech' };
  const low = Math.min(first.hz, second.hz);
  const high = Math.max(first.hz, second.hz);
  const known = CALL_TONES.find(
    ({ hz: [one, other] }) => Math.abs(low - one) < SAME_HZ && Math.abs(high - other) < SAME_HZ,
  );
  return known ? { kind: 'call-tone', name: known.name } : { kind: 'pair', hz: [low, high] };
}

export function isSameClass(one: SoundClass, other: SoundClass): boolean {
  if (one.kind === 'tone' && other.kind === 'tone') return Math.abs(one.hz - other.hz) < SAME_HZ;
  if (one.kind === 'pair' && other.kind === 'pair')
    return one.hz.every((hz, at) => Math.abs(hz - (other.hz[at] ?? 0)) < 2 * SAME_HZ);
  if (one.kind === 'call-tone' && other.kind === 'call-tone') return one.name === other.name;
  return one.kind === other.kind;
}

export function loudness(samples: Float64Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(samples.length, 1));
}

export function describeSound(sound: SoundClass): string {
  switch (sound.kind) {
    case 'nothing':
      return 'nothing: no packets came';
    case 'silence':
    case 'speech':
      return sound.kind;
    case 'tone':
      return `a tone of ${Math.round(sound.hz)} Hz`;
    case 'pair':
      return `two tones, ${sound.hz.map(Math.round).join(' and ')} Hz`;
    case 'call-tone':
      return sound.name === 'busy' ? 'the busy tone' : sound.name;
  }
}

function gridOf(samples: Float64Array): Float64Array {
  return Float64Array.from({ length: (HIGHEST_HZ - LOWEST_HZ) / STEP_HZ + 1 }, (_, at) =>
    powerAt(samples, LOWEST_HZ + at * STEP_HZ),
  );
}

/** The strongest of the grid, refined to within 2 Hz. */
function strongest(
  samples: Float64Array,
  grid: Float64Array,
  allowed: (hz: number) => boolean,
): { hz: number; power: number } {
  let hz = 0;
  let power = 0;
  const compare = (at: number, found: number): void => {
    if (found <= power || !allowed(at)) return;
    power = found;
    hz = at;
  };
  for (const [at, found] of grid.entries()) compare(LOWEST_HZ + at * STEP_HZ, found);
  const centre = hz;
  for (let offset = -STEP_HZ / 2; offset <= STEP_HZ / 2; offset += 2)
    compare(centre + offset, powerAt(samples, centre + offset));
  return { hz, power };
}

/** The squared magnitude of one frequency (Goertzel). */
function powerAt(samples: Float64Array, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ);
  let one = 0;
  let two = 0;
  for (let at = 0; at < samples.length; at++) {
    const next = (samples[at] ?? 0) + coefficient * one - two;
    two = one;
    one = next;
  }
  return one * one + two * two - coefficient * one * two;
}
