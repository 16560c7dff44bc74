// The inverse MDCT with its windows, and the overlap of frames (ISO/IEC 14496-3 §4.6.11).
import { FRAME_SAMPLES, SHORT_SAMPLES, WINDOWS } from './bands.ts';
import { EIGHT_SHORT, LONG_START, LONG_STOP } from './channel-stream.ts';
import { Dct4 } from './dct4.ts';

const LONG_ALPHA = 4;
const SHORT_ALPHA = 6;
/** Where the short slope of a long window begins; and the first of eight short ones. */
const FLAT_SAMPLES = (FRAME_SAMPLES - SHORT_SAMPLES) / 2;

const sineSlope = (size: number): Float64Array =>
  Float64Array.from({ length: size }, (_, at) => Math.sin((Math.PI * (at + 0.5)) / (2 * size)));

/** Kaiser-Bessel derived. */
function kbdSlope(size: number, alpha: number): Float64Array {
  const kaiser = Float64Array.from({ length: size + 1 }, (_, at) =>
    bessel(Math.PI * alpha * Math.sqrt(1 - ((2 * at) / size - 1) ** 2)),
  );
  const total = kaiser.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  return Float64Array.from({ length: size }, (_, at) => {
    sum += kaiser[at] ?? 0;
    return Math.sqrt(sum / total);
  });
}

/** The modified Bessel function of order zero. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/** The rising half of each window, by shape; the falling half is its mirror. */
const LONG_SLOPES = [sineSlope(FRAME_SAMPLES), kbdSlope(FRAME_SAMPLES, LONG_ALPHA)] as const;
const SHORT_SLOPES = [sineSlope(SHORT_SAMPLES), kbdSlope(SHORT_SAMPLES, SHORT_ALPHA)] as const;
const slopeOf = (slopes: readonly [Float64Array, Float64Array], shape: number): Float64Array =>
  slopes[shape === 1 ? 1 : 0];

const LONG_DCT = new Dct4(FRAME_SAMPLES);
const SHORT_DCT = new Dct4(SHORT_SAMPLES);
const transformed = new Float64Array(FRAME_SAMPLES);
const added = new Float64Array(2 * FRAME_SAMPLES);

/** One channel: what is left of its frame before, and the shape of that frame's window. */
export class FilterBank {
  readonly #overlap = new Float64Array(FRAME_SAMPLES);
  #shape = 0;

  next(spectrum: Float64Array, sequence: number, shape: number): Float32Array {
    added.fill(0);
    if (sequence === EIGHT_SHORT) this.#addShort(spectrum, shape);
    else this.#addLong(spectrum, sequence, shape);
    this.#shape = shape;
    return this.#output();
  }

  /** In place of a frame that is missing: the frame before fades out. */
  fade(): Float32Array {
    added.fill(0);
    return this.#output();
  }

  #output(): Float32Array {
    const samples = new Float32Array(FRAME_SAMPLES);
    for (let at = 0; at < FRAME_SAMPLES; at++) {
      samples[at] = (added[at] ?? 0) + (this.#overlap[at] ?? 0);
      this.#overlap[at] = added[FRAME_SAMPLES + at] ?? 0;
    }
    return samples;
  }

  #addLong(spectrum: Float64Array, sequence: number, shape: number): void {
    LONG_DCT.transform(spectrum, 0, transformed);
    if (sequence === LONG_STOP) addRising(FRAME_SAMPLES, slopeOf(SHORT_SLOPES, this.#shape), FLAT_SAMPLES, 0);
    else addRising(FRAME_SAMPLES, slopeOf(LONG_SLOPES, this.#shape), 0, 0);
    if (sequence === LONG_START)
      addFalling(FRAME_SAMPLES, slopeOf(SHORT_SLOPES, shape), FLAT_SAMPLES, FRAME_SAMPLES);
    else addFalling(FRAME_SAMPLES, slopeOf(LONG_SLOPES, shape), 0, FRAME_SAMPLES);
  }

  #addShort(spectrum: Float64Array, shape: number): void {
    for (let window = 0; window < WINDOWS; window++) {
      SHORT_DCT.transform(spectrum, window * SHORT_SAMPLES, transformed);
      const at = FLAT_SAMPLES + window * SHORT_SAMPLES;
      addRising(SHORT_SAMPLES, slopeOf(SHORT_SLOPES, window === 0 ? this.#shape : shape), 0, at);
      addFalling(SHORT_SAMPLES, slopeOf(SHORT_SLOPES, shape), 0, at + SHORT_SAMPLES);
    }
  }
}

/**
 * The first half of an inverse MDCT of 2N, windowed: zeros, then the slope, then flat. From the DCT-IV y:
 * x[n] = y[n + N/2] up to N/2, and −y[3N/2 − 1 − n] up to N.
 */
function addRising(size: number, slope: Float64Array, flat: number, to: number): void {
  const half = size / 2;
  const scale = 1 / size;
  for (let at = flat; at < size; at++) {
    const value = at < half ? (transformed[at + half] ?? 0) : -(transformed[size + half - 1 - at] ?? 0);
    const weight = at - flat < slope.length ? (slope[at - flat] ?? 0) : 1;
    added[to + at] = (added[to + at] ?? 0) + value * weight * scale;
  }
}

/** The second half: flat, then the slope in reverse, then zeros. x[N + m] = −y[N/2 − 1 − m] up to N/2, and −y[m − N/2] up to N. */
function addFalling(size: number, slope: Float64Array, flat: number, to: number): void {
  const half = size / 2;
  const scale = 1 / size;
  for (let at = 0; at < size - flat; at++) {
    const value = at < half ? (transformed[half - 1 - at] ?? 0) : (transformed[at - half] ?? 0);
    const weight = at < flat ? 1 : (slope[slope.length - 1 - (at - flat)] ?? 0);
    added[to + at] = (added[to + at] ?? 0) - value * weight * scale;
  }
}
