// From quantized coefficients to a spectrum (ISO/IEC 14496-3 §4.6.1, §4.6.2), with noise (§4.6.13), and both channels of a pair (§4.6.8).
import { SHORT_SAMPLES } from './bands.ts';
import {
  type ChannelStream,
  EIGHT_SHORT,
  GROUP_BANDS,
  INTENSITY,
  NOISE,
  OPPOSITE_INTENSITY,
  type WindowInfo,
} from './channel-stream.ts';

/** |x| ^ 4/3, up to the largest coefficient, with a pulse of 15 on it. */
const POWERS = Float64Array.from({ length: 8_192 + 16 }, (_, at) => at ** (4 / 3));
/** Samples are −32768 to 32767 in the standard, and −1 to 1 here. */
const FULL_SCALE = 32_768;
const SCALES = Float64Array.from({ length: 256 }, (_, factor) => 2 ** ((factor - 100) / 4) / FULL_SCALE);

/** Noise that is the same in each decoding, so that the same file becomes the same recording. */
export class NoiseSource {
  #state = 1;

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return this.#state;
  }
}

/** Calls for each band of each window: where it is in `codebooks` and `factors`, and its part of the spectrum. */
function eachBand(info: WindowInfo, work: (at: number, from: number, to: number) => void): void {
  const { bands, groups, bandsSent, sequence } = info;
  let windowAt = 0;
  for (const [group, windows] of groups.entries()) {
    for (let window = 0; window < windows; window++) {
      for (let band = 0; band < bandsSent; band++)
        work(
          group * GROUP_BANDS + band,
          windowAt + (bands.offsets[band] ?? 0),
          windowAt + (bands.offsets[band + 1] ?? 0),
        );
      windowAt += sequence === EIGHT_SHORT ? SHORT_SAMPLES : 0;
    }
  }
}

export function dequantize(stream: ChannelStream, spectrum: Float64Array, noise: NoiseSource): void {
  const { info, codebooks, factors, coefficients } = stream;
  spectrum.fill(0);
  if (!info) return;
  eachBand(info, (band, from, to) => {
    const codebook = codebooks[band] ?? 0;
    const factor = factors[band] ?? 0;
    if (codebook === NOISE) return addNoise(spectrum, from, to, 2 ** (factor / 4) / FULL_SCALE, noise);
    if (codebook === 0 || codebook > NOISE) return;
    const scale = SCALES[factor] ?? 0;
    for (let at = from; at < to; at++) {
      const value = coefficients[at] ?? 0;
      if (value !== 0) spectrum[at] = (value > 0 ? (POWERS[value] ?? 0) : -(POWERS[-value] ?? 0)) * scale;
    }
  });
}

/** Random, with the energy that was sent. */
function addNoise(spectrum: Float64Array, from: number, to: number, level: number, noise: NoiseSource): void {
  let energy = 0;
  for (let at = from; at < to; at++) {
    const value = noise.next();
    spectrum[at] = value;
    energy += value * value;
  }
  const scale = level / Math.sqrt(Math.max(energy, 1));
  for (let at = from; at < to; at++) spectrum[at] = (spectrum[at] ?? 0) * scale;
}

export interface Pair {
  readonly left: ChannelStream;
  readonly right: ChannelStream;
  readonly info: WindowInfo;
  /** By group × GROUP_BANDS + band: sent as sum and difference. */
  readonly msUsed: Uint8Array;
}

/** Both channels from what was sent once: sum and difference, intensity, and noise that is the same in both. */
export function joinPair(pair: Pair, left: Float64Array, right: Float64Array): void {
  const { msUsed } = pair;
  eachBand(pair.info, (band, from, to) => {
    const ofLeft = pair.left.codebooks[band] ?? 0;
    const ofRight = pair.right.codebooks[band] ?? 0;
    const isMs = msUsed[band] === 1;
    if (ofRight === INTENSITY || ofRight === OPPOSITE_INTENSITY) {
      // The standard turns the phase by a mask per band alone. FFmpeg's encoder, which sends intensity with a mask for all bands, means this.
      const isTurned = (ofRight === OPPOSITE_INTENSITY) !== isMs;
      copyScaled(left, right, from, to, (isTurned ? -1 : 1) * 2 ** (-(pair.right.factors[band] ?? 0) / 4));
    } else if (isMs && ofLeft === NOISE && ofRight === NOISE) {
      const ratio = 2 ** (((pair.right.factors[band] ?? 0) - (pair.left.factors[band] ?? 0)) / 4);
      copyScaled(left, right, from, to, ratio);
    } else if (isMs && ofLeft < NOISE && ofRight < NOISE) {
      for (let at = from; at < to; at++) {
        const middle = left[at] ?? 0;
        const side = right[at] ?? 0;
        left[at] = middle + side;
        right[at] = middle - side;
      }
    }
  });
}

function copyScaled(source: Float64Array, out: Float64Array, from: number, to: number, scale: number): void {
  for (let at = from; at < to; at++) out[at] = (source[at] ?? 0) * scale;
}
