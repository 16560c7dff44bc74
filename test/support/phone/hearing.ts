// What a piece of received audio was: a tone of some frequency, two tones, silence, noise, or no packets at all.

/** One packet's audio, linear, and when it came. */
export interface Frame {
  readonly atMs: number;
  readonly durationMs: number;
  readonly samples: Float64Array;
}

export interface Segment {
  readonly fromMs: number;
  readonly toMs: number;
  /** Hz of a single tone. 'dual': ringback, busy or a key. 'nothing': no packets came. */
  readonly hz: number | 'silence' | 'dual' | 'noise' | 'nothing';
  /** Both frequencies of 'dual', to within 20 Hz. */
  readonly pair?: readonly [number, number];
}

type Sound = Pick<Segment, 'hz' | 'pair'>;

export const SAME_TONE_HZ = 15;
/** Root mean square below which sound counts as silence. */
const SILENT = 60;
const GAP_MS = 100;
/** How far the time of what is heard may lag behind the time of arrival before it is drawn along. */
const LAG_MS = 40;
/** Shorter pieces are the edges of their neighbours. */
const MIN_SEGMENT_MS = 40;
const LOWEST_HZ = 200;
const HIGHEST_HZ = 3_600;
/** New packets are judged so often, together: many calls listen in one process. */
const JUDGE_MS = 40;

export class Hearing {
  readonly #frames: Frame[] = [];
  readonly #sounds: Sound[] = [];
  #current: { readonly frames: number; readonly segments: Segment[] } = { frames: 0, segments: [] };
  #judgedMs = Number.NEGATIVE_INFINITY;

  add(frame: Frame): void {
    this.#frames.push(frame);
  }

  get frames(): readonly Frame[] {
    return this.#frames;
  }

  segments(): Segment[] {
    const nowMs = performance.now();
    const isSame = this.#current.frames === this.#frames.length;
    if (isSame || nowMs - this.#judgedMs < JUDGE_MS) return this.#current.segments;
    this.#judgedMs = nowMs;
    // The last two frames had no context yet: they are judged again.
    this.#sounds.length = Math.max(0, Math.min(this.#sounds.length, this.#frames.length - 3));
    for (let i = this.#sounds.length; i < this.#frames.length; i += 1) this.#sounds.push(this.#judge(i));
    const segments: Segment[] = [];
    let endMs = this.#frames[0]?.atMs ?? 0;
    this.#frames.forEach(({ atMs, durationMs }, i) => {
      if (atMs - endMs > GAP_MS) {
        segments.push({ fromMs: endMs, toMs: atMs, hz: 'nothing' });
        endMs = atMs;
      }
      // Packets jitter, and come in bursts when this process slept: each lasts its own time, from where the last one ended.
      const fromMs = endMs;
      endMs = Math.max(fromMs + durationMs, atMs + durationMs - LAG_MS);
      append(segments, { ...(this.#sounds[i] ?? { hz: 'silence' }), fromMs, toMs: endMs });
    });
    this.#current = { frames: this.#frames.length, segments: smoothed(segments) };
    return this.#current.segments;
  }

  #judge(index: number): Sound {
    const frame = this.#frames[index];
    if (frame === undefined || loudness(frame.samples) < SILENT) return { hz: 'silence' };
    if (isSteady(frame.samples)) {
      const sound = analyse(frame.samples, 25, 120);
      if (typeof sound.hz === 'number') return sound;
    }
    return analyse(this.#around(index), 20, 35);
  }

  /** Up to 100 ms of sound around a frame: two close tones are only separated by time. */
  #around(index: number): Float64Array {
    let from = index;
    let to = index;
    const sounds = (i: number): boolean =>
      loudness(this.#frames[i]?.samples ?? new Float64Array(1)) >= SILENT;
    for (let step = 0; step < 4; step += 1) {
      if (to - from < 4 && sounds(from - 1)) from -= 1;
      if (to - from < 4 && sounds(to + 1)) to += 1;
    }
    const parts = this.#frames.slice(from, to + 1).map((frame) => [...frame.samples]);
    return Float64Array.from(parts.flat());
  }
}

export function describeSegments(segments: readonly Segment[]): string {
  if (segments.length === 0) return 'nothing at all';
  return segments
    .slice(-12)
    .map(({ fromMs, toMs, hz, pair }) => {
      const what = typeof hz === 'number' ? `${Math.round(hz)} Hz` : pair === undefined ? hz : pair.join('+');
      return `${what} (${Math.round(fromMs)}–${Math.round(toMs)} ms)`;
    })
    .join(', ');
}

/** The two strongest frequencies of a piece, found on a grid of `stepHz` and at least `apartHz` apart. */
function analyse(samples: Float64Array, stepHz: number, apartHz: number): Sound {
  const windowed = samples.map(
    (sample, i) => sample * (1 - Math.cos((2 * Math.PI * (i + 0.5)) / samples.length)),
  );
  const energy = windowed.reduce((sum, sample) => sum + sample * sample, 0);
  const grid: Peak[] = [];
  for (let hz = LOWEST_HZ; hz <= HIGHEST_HZ; hz += stepHz) grid.push({ hz, power: powerAt(windowed, hz) });
  const first = strongest(windowed, grid, stepHz, () => true);
  // The window spreads a tone over its neighbours; a pure tone's peak holds 2/3 of length × energy / 2.
  const share = (power: number): number => power / ((energy * samples.length) / 3);
  if (share(first.power) > 0.85) return { hz: first.hz };
  const second = strongest(windowed, grid, stepHz, (hz) => Math.abs(hz - first.hz) > apartHz);
  if (share(first.power) + share(second.power) > 0.7 && second.power > first.power / 12) {
    const [low = 0, high = 0] = [first.hz, second.hz].sort((a, b) => a - b).map(Math.round);
    return { hz: 'dual', pair: [low, high] };
  }
  return { hz: 'noise' };
}

interface Peak {
  readonly hz: number;
  readonly power: number;
}

/** The highest point of the grid, and then of its surroundings. */
function strongest(
  samples: Float64Array,
  grid: readonly Peak[],
  stepHz: number,
  allowed: (hz: number) => boolean,
): Peak {
  let peak: Peak = { hz: 0, power: 0 };
  const look = (hz: number, power: number): void => {
    if (power > peak.power && allowed(hz)) peak = { hz, power };
  };
  for (const { hz, power } of grid) look(hz, power);
  for (const step of [stepHz / 4, stepHz / 16]) {
    const centre = peak.hz;
    for (let i = -4; i <= 4; i += 1) look(centre + i * step, powerAt(samples, centre + i * step));
  }
  return peak;
}

function powerAt(samples: Float64Array, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / 8_000);
  let one = 0;
  let two = 0;
  for (const sample of samples) {
    const next = sample + coefficient * one - two;
    two = one;
    one = next;
  }
  return one * one + two * two - coefficient * one * two;
}

function loudness(samples: Float64Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(samples.length, 1));
}

/** Equally loud in all its quarters. Two tones that lie close swell and fade instead. */
function isSteady(samples: Float64Array): boolean {
  const quarter = Math.floor(samples.length / 4);
  const parts = [0, 1, 2, 3].map((i) => loudness(samples.subarray(i * quarter, (i + 1) * quarter)) ** 2);
  return Math.min(...parts) > 0.45 * Math.max(...parts);
}

function isSame(one: Sound, other: Sound): boolean {
  if (typeof one.hz === 'number' && typeof other.hz === 'number')
    return Math.abs(one.hz - other.hz) < SAME_TONE_HZ;
  if (one.hz !== other.hz) return false;
  return one.pair === undefined || other.pair === undefined || Math.abs(one.pair[0] - other.pair[0]) < 30;
}

function append(segments: Segment[], next: Segment): void {
  const last = segments.at(-1);
  if (last !== undefined && isSame(last, next)) segments[segments.length - 1] = { ...last, toMs: next.toMs };
  else segments.push(next);
}

/** Pieces that are too short for a sound of their own belong to the one before, or to the one after at the beginning. */
function smoothed(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    const short = segment.toMs - segment.fromMs < MIN_SEGMENT_MS;
    if (short && last !== undefined) result[result.length - 1] = { ...last, toMs: segment.toMs };
    else append(result, segment);
  }
  return result;
}
