// Any rate → 8 kHz, by a windowed sinc. What lies above half the lower rate is taken away first: it would come back as a
// false tone (an alias) below it.

export const OUT_HZ = 8_000;

/** Attenuation of what must not come back, in dB; the window is made for it. */
const STOP_DB = 70;
const KAISER_BETA = 0.1102 * (STOP_DB - 8.7);
/** The pass band ends here, as a share of half the lower rate: 3,400 Hz, as telephones have it. */
const PASS = 0.85;
/** Places between two samples that have a row of their own in the table. */
const MOST_PHASES = 2_048;

export class Resampler {
  readonly #step: number;
  readonly #phases: number;
  readonly #half: number;
  readonly #taps: number;
  /** One row of taps for each place between two samples. */
  readonly #table: Float32Array;
  readonly #rows: number;
  /** Input that is still needed, from `#start` of all input on. */
  #held: Float32Array;
  #start: number;
  #received = 0;
  #sent = 0;

  constructor(fromHz: number) {
    const shared = greatestCommonDivisor(fromHz, OUT_HZ);
    this.#step = fromHz / shared;
    this.#phases = OUT_HZ / shared;
    const nyquist = Math.min(fromHz, OUT_HZ) / 2;
    // Kaiser's formula for the length of the filter.
    const width = ((1 - PASS) * nyquist) / fromHz;
    this.#half = Math.ceil(((STOP_DB - 7.95) / (14.36 * width) + 1) / 2);
    this.#taps = 2 * this.#half;
    this.#rows = Math.min(
      this.#phases,
      Math.max(64, Math.ceil((MOST_PHASES * OUT_HZ) / Math.max(fromHz, OUT_HZ))),
    );
    this.#table = filterTable(this.#rows, this.#half, (((1 + PASS) / 2) * nyquist) / fromHz);
    // Silence before the first sample.
    this.#held = new Float32Array(this.#half);
    this.#start = -this.#half;
  }

  push(samples: Float32Array): Float32Array {
    this.#received += samples.length;
    return this.#run(samples);
  }

  /** What the filter still holds. */
  end(): Float32Array {
    const total = Math.ceil((this.#received * this.#phases) / this.#step);
    const rest = this.#run(new Float32Array(this.#taps));
    // The silence that pushed it out is not part of it.
    return rest.subarray(0, Math.max(0, rest.length - Math.max(0, this.#sent - total)));
  }

  #run(samples: Float32Array): Float32Array {
    const input = new Float32Array(this.#held.length + samples.length);
    input.set(this.#held);
    input.set(samples, this.#held.length);
    // The last output whose filter ends within the input.
    const last = Math.floor(((this.#start + input.length - this.#half - 1) * this.#phases) / this.#step);
    const out = new Float32Array(Math.max(0, last - this.#sent + 1));
    for (let index = 0; index < out.length; index++) out[index] = this.#sample(input, this.#sent + index);
    this.#sent += out.length;
    const next = Math.floor((this.#sent * this.#step) / this.#phases) - this.#half + 1;
    const keepFrom = Math.max(0, Math.min(input.length, next - this.#start));
    this.#held = input.slice(keepFrom);
    this.#start += keepFrom;
    return out;
  }

  #sample(input: Float32Array, index: number): number {
    const place = index * this.#step;
    const whole = Math.floor(place / this.#phases);
    const row = Math.round(((place - whole * this.#phases) * this.#rows) / this.#phases);
    const from = whole - this.#half + 1 - this.#start;
    const table = this.#table;
    let at = row * this.#taps;
    let sum = 0;
    for (let tap = 0; tap < this.#taps; tap++) sum += (input[from + tap] ?? 0) * (table[at++] ?? 0);
    return sum;
  }
}

/** Row r is the filter for a place r / rows after a sample; one row more, for the place just before the next sample. */
function filterTable(rows: number, half: number, cutoff: number): Float32Array {
  const taps = 2 * half;
  const table = new Float32Array((rows + 1) * taps);
  for (let row = 0; row <= rows; row++) {
    const weights = Array.from({ length: taps }, (_, tap) =>
      weight(tap - half + 1 - row / rows, half, cutoff),
    );
    const sum = weights.reduce((all, one) => all + one, 0);
    // Every row lets a constant through unchanged.
    for (const [tap, one] of weights.entries()) table[row * taps + tap] = one / sum;
  }
  return table;
}

function weight(distance: number, half: number, cutoff: number): number {
  const share = distance / half;
  if (Math.abs(share) >= 1) return 0;
  const angle = 2 * Math.PI * cutoff * distance;
  const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
  return sinc * bessel(KAISER_BETA * Math.sqrt(1 - share * share));
}

/** The modified Bessel function of order zero, up to a factor that the normalising takes away. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-10; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
