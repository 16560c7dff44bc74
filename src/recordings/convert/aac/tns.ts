// Temporal noise shaping (ISO/IEC 14496-3 §4.6.9): a filter over the spectrum, which shapes the noise of coding in time.
import { type Bands, SHORT_SAMPLES, WINDOWS } from './bands.ts';
import { type BitReader, BrokenFrame } from './bits.ts';

const MAX_LONG_ORDER = 12;
const MAX_SHORT_ORDER = 7;

export interface TnsFilter {
  readonly window: number;
  /** In bands, from the top, or from where the filter before ends. */
  readonly length: number;
  readonly isDownward: boolean;
  /** Of the prediction, from the first neighbour on. */
  readonly coefficients: Float64Array;
}

/** tns_data(). */
export function readTns(bits: BitReader, isShort: boolean): readonly TnsFilter[] {
  const filters: TnsFilter[] = [];
  for (let window = 0; window < (isShort ? WINDOWS : 1); window++) {
    const count = bits.read(isShort ? 1 : 2);
    const resolution = count > 0 ? bits.read(1) + 3 : 0;
    for (let filter = 0; filter < count; filter++) {
      const length = bits.read(isShort ? 4 : 6);
      const order = bits.read(isShort ? 3 : 5);
      if (order > (isShort ? MAX_SHORT_ORDER : MAX_LONG_ORDER))
        throw new BrokenFrame('a filter of TNS is too long');
      const isDownward = order > 0 && bits.readFlag();
      const coefficients = order > 0 ? readCoefficients(bits, order, resolution) : new Float64Array(0);
      filters.push({ window, length, isDownward, coefficients });
    }
  }
  return filters;
}

/** Arcsines of reflection coefficients, which become those of a direct filter (Levinson's step-up). */
function readCoefficients(bits: BitReader, order: number, resolution: number): Float64Array {
  const width = resolution - bits.read(1);
  const steps = 2 ** (resolution - 1);
  const filter = new Float64Array(order);
  const before = new Float64Array(order);
  for (let at = 0; at < order; at++) {
    const raw = bits.read(width);
    const value = raw >= 2 ** (width - 1) ? raw - 2 ** width : raw;
    const reflection = Math.sin((value * Math.PI) / 2 / (value >= 0 ? steps - 0.5 : steps + 0.5));
    before.set(filter);
    for (let tap = 0; tap < at; tap++)
      filter[tap] = (before[tap] ?? 0) + reflection * (before[at - 1 - tap] ?? 0);
    filter[at] = reflection;
  }
  return filter;
}

export function applyTns(
  spectrum: Float64Array,
  filters: readonly TnsFilter[],
  { offsets, count, tnsLimit }: Bands,
  bandsSent: number,
): void {
  let window = -1;
  let bottom = 0;
  for (const filter of filters) {
    if (filter.window !== window) bottom = count;
    window = filter.window;
    const top = bottom;
    bottom = Math.max(top - filter.length, 0);
    const limit = Math.min(tnsLimit, bandsSent);
    const start = window * SHORT_SAMPLES + (offsets[Math.min(bottom, limit)] ?? 0);
    const end = window * SHORT_SAMPLES + (offsets[Math.min(top, limit)] ?? 0);
    predict(spectrum, start, end, filter);
  }
}

function predict(
  spectrum: Float64Array,
  start: number,
  end: number,
  { coefficients, isDownward }: TnsFilter,
): void {
  const step = isDownward ? -1 : 1;
  let at = isDownward ? end - 1 : start;
  for (let done = 0; done < end - start; done++) {
    let value = spectrum[at] ?? 0;
    const taps = Math.min(coefficients.length, done);
    for (let tap = 0; tap < taps; tap++)
      value -= (coefficients[tap] ?? 0) * (spectrum[at - step * (tap + 1)] ?? 0);
    spectrum[at] = value;
    at += step;
  }
}
