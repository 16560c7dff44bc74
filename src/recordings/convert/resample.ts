// Any rate → 8 kHz, by windowed sincs. What lies above half the lower rate is taken away first: it would come back as a false
// tone (an alias) below it. High rates come down in two steps, since a steep filter is cheap at a low rate only.
import { SAMPLE_RATE_HZ } from '../../media/audio/frame.ts';

/** Attenuation of what must not come back, in dB; the window is made for it. Below −50 dB even with the most gain (level.ts). */
const STOP_DB = 80;
const KAISER_BETA = 0.1102 * (STOP_DB - 8.7);
/** The pass band ends here, as a share of half the lower rate: 3,400 Hz, as telephones have it. */
const PASS = 0.85;
/** The first step goes down to this or a little more, and leaves the telephone band alone. */
const BETWEEN_HZ = 16_000;
/** Places between two samples that have a row of their own in the table. */
const MOST_PHASES = 2_048;

/** Samples of one stream, in pieces of any size. */
export class Resampler {
  readonly #steps: readonly Step[];

  constructor(fromHz: number) {
    let factor = Math.max(1, Math.floor(fromHz / BETWEEN_HZ));
    while (fromHz % factor !== 0) factor -= 1;
    const betweenHz = fromHz / factor;
    const nyquist = Math.min(betweenHz, SAMPLE_RATE_HZ) / 2;
    const last = new Step(betweenHz, SAMPLE_RATE_HZ, PASS * nyquist, nyquist);
    // What folds onto the band in the first step lies this far up; what folds above it is left to the second.
    const first = () => new Step(fromHz, betweenHz, SAMPLE_RATE_HZ / 2, betweenHz - SAMPLE_RATE_HZ / 2);
    this.#steps = factor === 1 ? [last] : [first(), last];
  }

  push(samples: Float32Array): Float32Array {
    return this.#steps.reduce((passed, step) => step.push(passed), samples);
  }

  /** What the filters still hold. */
  end(): Float32Array {
    return this.#steps.reduce((passed, step) => {
      const through = step.push(passed);
      const rest = step.end();
      const both = new Float32Array(through.length + rest.length);
      both.set(through);
      both.set(rest, through.length);
      return both;
    }, new Float32Array(0));
  }
}

class Step {
  /** The place of output n in the input is n × #advance / #phases. */
  readonly #advance: number;
  readonly #phases: number;
  readonly #half: number;
  /** One row of taps for each place between two samples. */
  readonly #table: Float32Array;
  readonly #rows: number;
  /** Input that is still needed, from `#start` of all input on. */
  #held: Float32Array;
  #start: number;
  #received = 0;
  #sent = 0;

  constructor(fromHz: number, toHz: number, passHz: number, stopHz: number) {
    const shared = greatestCommonDivisor(fromHz, toHz);
    this.#advance = fromHz / shared;
    this.#phases = toHz / shared;
    // Kaiser's formula for the length of the filter; an even half, since four taps are done at a time.
    const width = (stopHz - passHz) / fromHz;
    this.#half = 2 * Math.ceil(((STOP_DB - 7.95) / (14.36 * width) + 1) / 4);
    const mostRows = Math.max(
      64,
      Math.ceil((MOST_PHASES * SAMPLE_RATE_HZ) / Math.max(fromHz, SAMPLE_RATE_HZ)),
    );
    this.#rows = Math.min(this.#phases, mostRows);
    this.#table = filterTable(this.#rows, this.#half, (passHz + stopHz) / 2 / fromHz);
    // Silence before the first sample.
    this.#held = new Float32Array(this.#half);
    this.#start = -this.#half;
  }

  push(samples: Float32Array): Float32Array {
    this.#received += samples.length;
    return this.#run(samples);
  }

  end(): Float32Array {
    const total = Math.ceil((this.#received * this.#phases) / this.#advance);
    const rest = this.#run(new Float32Array(2 * this.#half));
    // The silence that pushed it out is not part of it.
    return rest.subarray(0, Math.max(0, rest.length - Math.max(0, this.#sent - total)));
  }

  #run(samples: Float32Array): Float32Array {
    const input = new Float32Array(this.#held.length + samples.length);
    input.set(this.#held);
    input.set(samples, this.#held.length);
    // The last output whose filter ends within the input.
    const last = Math.floor(((this.#start + input.length - this.#half - 1) * this.#phases) / this.#advance);
    const out = new Float32Array(Math.max(0, last - this.#sent + 1));
    for (let index = 0; index < out.length; index++) out[index] = this.#sample(input, this.#sent + index);
    this.#sent += out.length;
    const next = Math.floor((this.#sent * this.#advance) / this.#phases) - this.#half + 1;
    const keepFrom = Math.max(0, Math.min(input.length, next - this.#start));
    this.#held = input.slice(keepFrom);
    this.#start += keepFrom;
    return out;
  }

  #sample(input: Float32Array, index: number): number {
    const place = index * this.#advance;
    const whole = Math.floor(place / this.#phases);
    const row = Math.round(((place - whole * this.#phases) * this.#rows) / this.#phases);
    const taps = 2 * this.#half;
    const end = (row + 1) * taps;
    return product(input, whole - this.#half + 1 - this.#start, this.#table, row * taps, end);
  }
}

/** Four sums side by side: a processor need not wait for one before it begins the next. */
function product(input: Float32Array, from: number, table: Float32Array, start: number, end: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = start, x = from; at < end; at += 4, x += 4) {
    a += (input[x] ?? 0) * (table[at] ?? 0);
    b += (input[x + 1] ?? 0) * (table[at + 1] ?? 0);
    c += (input[x + 2] ?? 0) * (table[at + 2] ?? 0);
    d += (input[x + 3] ?? 0) * (table[at + 3] ?? 0);
  }
  return a + b + c + d;
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
