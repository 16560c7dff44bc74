// Detects keys in the audio (ITU-T Q.23, levels and times after Q.24), for peers without telephone-event. Blocks of 102 samples match
// the eight frequencies closely; a block in which one row and one column hold the energy is a hit, and two hits in sequence are a key.

import { SAMPLE_RATE_HZ } from '../audio/frame.ts';
import { KEY_COLUMNS_HZ, KEY_ROWS_HZ, KEYS } from '../audio/tones.ts';
import type { Codec } from '../codec.ts';

const BLOCK = 102;
const FREQUENCIES_HZ = [...KEY_ROWS_HZ, ...KEY_COLUMNS_HZ];
const COEFFICIENTS = Float64Array.from(FREQUENCIES_HZ, coefficient);
const HARMONIC_COEFFICIENTS = Float64Array.from(FREQUENCIES_HZ, (hz) => coefficient(2 * hz));

/** Mean square under which a block is silence: about −35 dBm0, well below the levels of Q.24. */
const MIN_MEAN_SQUARE = 80_000;
/** Share of the block's energy in row and column together. Speech spreads; a key under speech keeps this much. */
const MIN_SHARE = 0.75;
/** Q.24: the column may be 4 dB louder than the row, and 8 dB softer. Up to 3 dB more for leakage between neighbours. */
const MAX_COLUMN_OVER_ROW = 10 ** 0.7;
const MAX_ROW_OVER_COLUMN = 10 ** 1.05;
/** The strongest of its group is 7 dB above the others. */
const MIN_OVER_NEIGHBOURS = 5;
/**
 * Voices have overtones, keys have none: the column's second harmonic stays this far below it. Not required of the row, whose
 * harmonics lie among the columns.
 */
const MAX_HARMONIC = 0.1;
/** 40 ms hold at least two whole blocks, wherever they begin; so does a pause of 40 ms. */
const HITS_TO_BEGIN = 2;
/** A block counts 2 towards the pause when it is 9 dB softer than the key was, else 1: a voice may cover the key for a while. */
const MISSES_TO_END = 4;
const NONE = -1;

export class DtmfDetector {
  readonly #pressed: (key: string) => void;
  readonly #block = new Float64Array(BLOCK);
  readonly #powers = new Float64Array(8);
  #filled = 0;
  /** The key that was reported and still sounds. */
  #current = NONE;
  #candidate = NONE;
  #hits = 0;
  #misses = 0;
  /** The energy of the last block, and of the last one that held the current key. */
  #energy = 0;
  #keyEnergy = 0;

  /** `pressed` is called once per key, while it still sounds. */
  constructor(pressed: (key: string) => void) {
    this.#pressed = pressed;
  }

  push(payload: Uint8Array, codec: Codec, from = 0, to = payload.length): void {
    const { decode } = codec;
    const block = this.#block;
    let filled = this.#filled;
    for (let i = from; i < to; i += 1) {
      block[filled] = decode[payload[i] ?? 0] ?? 0;
      filled += 1;
      if (filled === BLOCK) {
        this.#judge(this.#keyOfBlock());
        filled = 0;
      }
    }
    this.#filled = filled;
  }

  /** After a change of the stream. */
  reset(): void {
    this.#filled = 0;
    this.#current = NONE;
    this.#candidate = NONE;
    this.#hits = 0;
    this.#misses = 0;
  }

  #judge(key: number): void {
    if (key === this.#current && key !== NONE) {
      this.#misses = 0;
      this.#hits = 0;
      this.#candidate = NONE;
      this.#keyEnergy = this.#energy;
      return;
    }
    this.#misses += this.#energy < this.#keyEnergy / 8 ? 2 : 1;
    if (this.#misses >= MISSES_TO_END) this.#current = NONE;
    this.#hits = key !== NONE && key === this.#candidate ? this.#hits + 1 : 1;
    this.#candidate = key;
    if (key === NONE || this.#hits < HITS_TO_BEGIN) return;
    this.#current = key;
    this.#misses = 0;
    this.#keyEnergy = this.#energy;
    this.#pressed(KEYS.charAt(key));
  }

  #keyOfBlock(): number {
    const block = this.#block;
    let energy = 0;
    for (let i = 0; i < BLOCK; i += 1) energy += (block[i] ?? 0) ** 2;
    this.#energy = energy;
    if (energy < MIN_MEAN_SQUARE * BLOCK) return NONE;

    const powers = this.#powers;
    for (let i = 0; i < 8; i += 1) powers[i] = goertzel(block, COEFFICIENTS[i] ?? 0);
    const row = strongest(powers, 0);
    const column = strongest(powers, 4);
    if (row === NONE || column === NONE) return NONE;
    const low = powers[row] ?? 0;
    const high = powers[column] ?? 0;
    if (high > low * MAX_COLUMN_OVER_ROW || low > high * MAX_ROW_OVER_COLUMN) return NONE;
    // A pure sine of the block's energy would have the power energy × BLOCK / 2.
    if (2 * (low + high) < MIN_SHARE * energy * BLOCK) return NONE;
    if (goertzel(block, HARMONIC_COEFFICIENTS[column] ?? 0) > MAX_HARMONIC * high) return NONE;
    return row * 4 + column - 4;
  }
}

/** The index of the strongest of four, if it stands out among them. */
function strongest(powers: Float64Array, first: number): number {
  let best = first;
  for (let i = first + 1; i < first + 4; i += 1) if ((powers[i] ?? 0) > (powers[best] ?? 0)) best = i;
  const limit = (powers[best] ?? 0) / MIN_OVER_NEIGHBOURS;
  for (let i = first; i < first + 4; i += 1) if (i !== best && (powers[i] ?? 0) > limit) return NONE;
  return best;
}

/** The squared magnitude of one frequency over the block. */
function goertzel(block: Float64Array, coefficient: number): number {
  let one = 0;
  let two = 0;
  for (let i = 0; i < BLOCK; i += 1) {
    const next = (block[i] ?? 0) + coefficient * one - two;
    two = one;
    one = next;
  }
  return one * one + two * two - coefficient * one * two;
}

function coefficient(hz: number): number {
  return 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ);
}
