// individual_channel_stream() of ISO/IEC 14496-3 §4.4.2.7: what a frame says of one channel, before anything is computed from it.
import { type Bands, FRAME_SAMPLES, type RateBands, SHORT_SAMPLES, WINDOWS } from './bands.ts';
import { type BitReader, BrokenFrame } from './bits.ts';
import { SCALE_FACTORS, type SpectrumBook, spectrumBook } from './huffman.ts';
import { readTns, type TnsFilter } from './tns.ts';

export const ONLY_LONG = 0;
export const LONG_START = 1;
export const EIGHT_SHORT = 2;
export const LONG_STOP = 3;

/** Codebooks that stand for something other than coefficients. */
const ZERO = 0;
const ESCAPE = 11;
const RESERVED = 12;
export const NOISE = 13;
export const OPPOSITE_INTENSITY = 14;
export const INTENSITY = 15;

/** Room for the bands of one group of windows. */
export const GROUP_BANDS = 64;
const MAX_SCALE_FACTOR = 255;
/** Noise and intensity, which are exponents too: beyond these they are silence, or louder than any sample. */
const MAX_LEVEL = 255;
/** 8191, the largest coefficient, has 13 bits behind its prefix. */
const MAX_ESCAPE_PREFIX = 8;

export interface WindowInfo {
  readonly sequence: number;
  /** 0: sine, 1: Kaiser-Bessel derived. */
  readonly shape: number;
  readonly bands: Bands;
  /** Of each group, how many windows it has; a long window is one group of one. */
  readonly groups: readonly number[];
  /** Bands that are sent. */
  readonly bandsSent: number;
}

/** Kept from frame to frame and overwritten, as there are some hundred frames in a second. */
export class ChannelStream {
  info: WindowInfo | null = null;
  /** By group × GROUP_BANDS + band. */
  readonly codebooks = new Uint8Array(WINDOWS * GROUP_BANDS);
  /** Scale factors, levels of noise, or positions of intensity: what the codebook calls for. */
  readonly factors = new Int16Array(WINDOWS * GROUP_BANDS);
  /** Quantized, window by window. */
  readonly coefficients = new Int16Array(FRAME_SAMPLES);
  tns: readonly TnsFilter[] = [];

  read(bits: BitReader, rateBands: RateBands, common: WindowInfo | null): WindowInfo {
    const gain = bits.read(8);
    const info = common ?? readWindowInfo(bits, rateBands);
    this.info = info;
    this.#readSections(bits, info);
    this.#readFactors(bits, info, gain);
    const pulses = bits.readFlag() ? readPulses(bits, info) : [];
    this.tns = bits.readFlag() ? readTns(bits, info.sequence === EIGHT_SHORT) : [];
    if (bits.readFlag()) throw new BrokenFrame('gain control is not of AAC-LC');
    this.#readCoefficients(bits, info);
    for (const { at, amplitude } of pulses) this.#addPulse(info, at, amplitude);
    return info;
  }

  #readSections(bits: BitReader, { sequence, groups, bandsSent }: WindowInfo): void {
    const lengthBits = sequence === EIGHT_SHORT ? 3 : 5;
    const goesOn = (1 << lengthBits) - 1;
    for (let group = 0; group < groups.length; group++) {
      const first = group * GROUP_BANDS;
      for (let band = 0; band < bandsSent; ) {
        const codebook = bits.read(4);
        if (codebook === RESERVED) throw new BrokenFrame('codebook 12 is reserved');
        let end = band;
        let part: number;
        do {
          part = bits.read(lengthBits);
          end += part;
        } while (part === goesOn);
        if (end > bandsSent) throw new BrokenFrame('a section goes beyond the bands');
        this.codebooks.fill(codebook, first + band, first + end);
        band = end;
      }
    }
  }

  /** §4.6.2.3: each kind is a difference from the one of its kind before. */
  #readFactors(bits: BitReader, { groups, bandsSent }: WindowInfo, gain: number): void {
    let factor = gain;
    let position = 0;
    let noise = gain - 90;
    let isFirstNoise = true;
    for (let group = 0; group < groups.length; group++) {
      for (let at = group * GROUP_BANDS; at < group * GROUP_BANDS + bandsSent; at++) {
        const codebook = this.codebooks[at] ?? ZERO;
        if (codebook === ZERO) this.factors[at] = 0;
        else if (codebook >= OPPOSITE_INTENSITY) {
          position += SCALE_FACTORS.read(bits) - 60;
          this.factors[at] = within(position, -MAX_LEVEL, MAX_LEVEL);
        } else if (codebook === NOISE) {
          noise += isFirstNoise ? bits.read(9) - 256 : SCALE_FACTORS.read(bits) - 60;
          isFirstNoise = false;
          this.factors[at] = within(noise, -MAX_LEVEL, MAX_LEVEL);
        } else {
          factor += SCALE_FACTORS.read(bits) - 60;
          this.factors[at] = within(factor, 0, MAX_SCALE_FACTOR);
        }
      }
    }
  }

  #readCoefficients(bits: BitReader, { sequence, bands, groups, bandsSent }: WindowInfo): void {
    const { offsets } = bands;
    this.coefficients.fill(0);
    let windowAt = 0;
    for (const [group, windows] of groups.entries()) {
      for (let band = 0; band < bandsSent; band++) {
        const number = this.codebooks[group * GROUP_BANDS + band] ?? ZERO;
        const book = spectrumBook(number);
        if (!book) continue;
        const from = offsets[band] ?? 0;
        const to = offsets[band + 1] ?? 0;
        for (let window = 0; window < windows; window++) {
          const start = windowAt + window * SHORT_SAMPLES;
          if (book.dimension === 4) readFours(bits, book, this.coefficients, start + from, start + to);
          else readPairs(bits, book, number === ESCAPE, this.coefficients, start + from, start + to);
        }
      }
      windowAt += sequence === EIGHT_SHORT ? windows * SHORT_SAMPLES : 0;
    }
  }

  /** §4.6.5: away from zero, and down from zero itself. */
  #addPulse({ bands }: WindowInfo, at: number, amplitude: number): void {
    const band = bands.offsets.findLastIndex((offset) => offset <= at);
    const codebook = this.codebooks[band] ?? ZERO;
    if (codebook === ZERO || codebook >= NOISE) return;
    const value = this.coefficients[at] ?? 0;
    this.coefficients[at] = value > 0 ? value + amplitude : value - amplitude;
  }
}

function within(value: number, least: number, most: number): number {
  if (value < least || value > most) throw new BrokenFrame('a scale factor is out of range');
  return value;
}

/** ics_info(). */
export function readWindowInfo(bits: BitReader, rateBands: RateBands): WindowInfo {
  bits.skip(1);
  const sequence = bits.read(2);
  const shape = bits.read(1);
  const isShort = sequence === EIGHT_SHORT;
  const bands = isShort ? rateBands.short : rateBands.long;
  const bandsSent = bits.read(isShort ? 4 : 6);
  if (bandsSent > bands.count) throw new BrokenFrame('it has more bands than there are');
  const groups = [1];
  if (isShort) {
    const grouping = bits.read(7);
    for (let bit = 6; bit >= 0; bit--) {
      if (((grouping >> bit) & 1) === 1) groups.push((groups.pop() ?? 0) + 1);
      else groups.push(1);
    }
  } else if (bits.readFlag()) throw new BrokenFrame('prediction is not of AAC-LC');
  return { sequence, shape, bands, groups, bandsSent };
}

interface Pulse {
  readonly at: number;
  readonly amplitude: number;
}

function readPulses(bits: BitReader, { sequence, bands }: WindowInfo): readonly Pulse[] {
  if (sequence === EIGHT_SHORT) throw new BrokenFrame('short windows have no pulses');
  const count = bits.read(2) + 1;
  let at = bands.offsets[bits.read(6)] ?? FRAME_SAMPLES;
  const pulses: Pulse[] = [];
  for (let pulse = 0; pulse < count; pulse++) {
    at += bits.read(5);
    if (at >= FRAME_SAMPLES) throw new BrokenFrame('a pulse is beyond the spectrum');
    pulses.push({ at, amplitude: bits.read(4) });
  }
  return pulses;
}

function readFours(bits: BitReader, book: SpectrumBook, out: Int16Array, from: number, to: number): void {
  const { values, isSigned } = book;
  for (let at = from; at < to; at += 4) {
    const first = book.read(bits) * 4;
    for (let value = 0; value < 4; value++) {
      const size = values[first + value] ?? 0;
      out[at + value] = isSigned || size === 0 || bits.read(1) === 0 ? size : -size;
    }
  }
}

function readPairs(
  bits: BitReader,
  book: SpectrumBook,
  mayEscape: boolean,
  out: Int16Array,
  from: number,
  to: number,
): void {
  const { values, isSigned } = book;
  for (let at = from; at < to; at += 2) {
    const index = book.read(bits) * 2;
    let first = values[index] ?? 0;
    let second = values[index + 1] ?? 0;
    if (!isSigned) {
      // Both signs come before the first escape.
      const firstSign = first !== 0 && bits.read(1) === 1 ? -1 : 1;
      const secondSign = second !== 0 && bits.read(1) === 1 ? -1 : 1;
      if (mayEscape && first === 16) first = readEscape(bits);
      if (mayEscape && second === 16) second = readEscape(bits);
      first *= firstSign;
      second *= secondSign;
    }
    out[at] = first;
    out[at + 1] = second;
  }
}

function readEscape(bits: BitReader): number {
  let prefix = 0;
  while (bits.readFlag()) prefix++;
  if (prefix > MAX_ESCAPE_PREFIX) throw new BrokenFrame('a coefficient is too large');
  return (1 << (prefix + 4)) + bits.read(prefix + 4);
}
