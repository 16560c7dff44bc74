// DCT-IV of a power of two, by a complex FFT of half its size. The inverse MDCT is this with its ends turned (filter-bank.ts).

export class Dct4 {
  readonly size: number;
  readonly #half: number;
  /** Where each input of the FFT goes: its bits in reverse. */
  readonly #places: Uint16Array;
  /** Before and behind the FFT: e^(−iπ(k + ⅛)/N). */
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  /** Of the FFT: e^(−2πik/(N/2)). */
  readonly #turnCos: Float64Array;
  readonly #turnSin: Float64Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;

  constructor(size: number) {
    const half = size / 2;
    const bits = Math.log2(half);
    const angles = (count: number, angle: (at: number) => number, of: (x: number) => number): Float64Array =>
      Float64Array.from({ length: count }, (_, at) => of(angle(at)));
    const twist = (at: number): number => (-Math.PI * (at + 1 / 8)) / size;
    const turn = (at: number): number => (-2 * Math.PI * at) / half;
    this.size = size;
    this.#half = half;
    this.#places = Uint16Array.from({ length: half }, (_, at) => {
      let place = 0;
      for (let bit = 0; bit < bits; bit++) place |= ((at >> bit) & 1) << (bits - 1 - bit);
      return place;
    });
    this.#cos = angles(half, twist, Math.cos);
    this.#sin = angles(half, twist, Math.sin);
    this.#turnCos = angles(half / 2, turn, Math.cos);
    this.#turnSin = angles(half / 2, turn, Math.sin);
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
  }

  /** Σ input[from + k] · cos(π/N · (n + ½)(k + ½)) for each n of `out`. */
  transform(input: Float64Array, from: number, out: Float64Array): void {
    const re = this.#re;
    const im = this.#im;
    const last = this.size - 1;
    for (let at = 0; at < this.#half; at++) {
      const place = this.#places[at] ?? 0;
      const even = input[from + 2 * at] ?? 0;
      const odd = input[from + last - 2 * at] ?? 0;
      const cos = this.#cos[at] ?? 0;
      const sin = this.#sin[at] ?? 0;
      re[place] = even * cos - odd * sin;
      im[place] = even * sin + odd * cos;
    }
    this.#fft();
    for (let at = 0; at < this.#half; at++) {
      const cos = this.#cos[at] ?? 0;
      const sin = this.#sin[at] ?? 0;
      const real = re[at] ?? 0;
      const imaginary = im[at] ?? 0;
      out[2 * at] = real * cos - imaginary * sin;
      out[last - 2 * at] = -(real * sin + imaginary * cos);
    }
  }

  /** Radix 2, decimation in time, in place. */
  #fft(): void {
    const re = this.#re;
    const im = this.#im;
    for (let span = 1, stride = this.#half / 2; span < this.#half; span *= 2, stride /= 2) {
      for (let k = 0; k < span; k++) {
        const cos = this.#turnCos[k * stride] ?? 0;
        const sin = this.#turnSin[k * stride] ?? 0;
        for (let low = k; low < this.#half; low += 2 * span) {
          const high = low + span;
          const lowRe = re[low] ?? 0;
          const lowIm = im[low] ?? 0;
          const highRe = re[high] ?? 0;
          const highIm = im[high] ?? 0;
          const turnedRe = highRe * cos - highIm * sin;
          const turnedIm = highRe * sin + highIm * cos;
          re[low] = lowRe + turnedRe;
          im[low] = lowIm + turnedIm;
          re[high] = lowRe - turnedRe;
          im[high] = lowIm - turnedIm;
        }
      }
    }
  }
}
