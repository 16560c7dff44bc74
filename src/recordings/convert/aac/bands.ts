// What ISO/IEC 14496-3 fixes by sampling rate: where the scale factor bands begin (§4.5.4), and up to which of them TNS acts (§4.6.9).

export const FRAME_SAMPLES = 1024;
export const WINDOWS = 8;
export const SHORT_SAMPLES = FRAME_SAMPLES / WINDOWS;

/** By sampling frequency index. */
export const RATES_HZ: readonly number[] = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];

export interface Bands {
  /** Where each begins, and the end of the last. */
  readonly offsets: Uint16Array;
  readonly count: number;
  readonly tnsLimit: number;
}

export interface RateBands {
  readonly long: Bands;
  readonly short: Bands;
}

/** Widths of bands, "14x4" for fourteen of 4, and the limit of TNS. */
type BandsRow = readonly [widths: string, tnsLimit: number];

const LONG_48 = '10x4 7x8 4x12 2x16 2x20 2x24 2x28';
const LONG_96: BandsRow = ['14x4 5x8 5x12 2x16 24 28 36 44 11x64', 31];
const LONG_24: BandsRow = ['11x4 10x8 4x12 3x16 2x20 2x24 2x28 32 2x36 40 44 48 2x52 5x64', 46];
const LONG_16: BandsRow = ['11x8 9x12 4x16 3x20 2x24 2x28 32 36 2x40 44 48 52 56 60 3x64', 42];
const SHORT_96 = '6x4 3x8 16 28 36';
const SHORT_48: BandsRow = ['5x4 3x8 3x12 3x16', 14];
const SHORT_24: BandsRow = ['7x4 3x8 2x12 2x16 20', 14];
const SHORT_16: BandsRow = ['8x4 2x8 2x12 16 2x20', 14];

/** Table 4.82: rates from here on, in Hz, have these bands. */
const ROWS: readonly (readonly [fromHz: number, long: BandsRow, short: BandsRow])[] = [
  [75_132, LONG_96, [SHORT_96, 9]],
  [55_426, ['14x4 4x8 3x12 3x16 20 2x24 28 36 18x40', 34], [SHORT_96, 10]],
  [46_009, [`${LONG_48} 19x32 96`, 40], SHORT_48],
  [37_566, [`${LONG_48} 19x32 96`, 42], SHORT_48],
  [27_713, [`${LONG_48} 22x32`, 51], SHORT_48],
  [18_783, LONG_24, SHORT_24],
  [9_391, LONG_16, SHORT_16],
  [0, ['13x12 7x16 4x20 3x24 2x28 32 2x36 40 44 48 52 56 60 64 80', 39], ['7x4 4x8 12 16 2x20', 14]],
];

function bandsOf([widths, tnsLimit]: BandsRow): Bands {
  const offsets = [0];
  for (const run of widths.split(' ')) {
    const [width = 0, count = 1] = run.split('x').map(Number).reverse();
    for (let band = 0; band < count; band++) offsets.push((offsets.at(-1) ?? 0) + width);
  }
  return { offsets: Uint16Array.from(offsets), count: offsets.length - 1, tnsLimit };
}

export function bandsFor(rateHz: number): RateBands {
  const [, long, short] = ROWS.find(([fromHz]) => rateHz >= fromHz) ?? [0, LONG_16, SHORT_16];
  return { long: bandsOf(long), short: bandsOf(short) };
}
