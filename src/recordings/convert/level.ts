// How loud a recording is, where it begins and ends to sound, and the gain that makes it fit beside the others.

import { SAMPLE_RATE_HZ } from '../../media/audio/frame.ts';
import { encodeUlaw } from '../../media/audio/g711.ts';

/** Peaks between these are left as they are: the file was levelled on purpose. Others are moved to the target. */
const QUIETEST_LEFT = decibels(-9);
/** A little over full scale, for the overshoot of the filter. */
const LOUDEST_LEFT = decibels(0.5);
const TARGET = decibels(-3);
/** More gain would make noise of what was silence. */
const MOST_GAIN = decibels(24);
/** Below this there is nothing to raise. */
const SILENT = decibels(-60);
/** A block sounds when it is not so far below the peak. */
const BELOW_PEAK = decibels(-40);
const BLOCK = SAMPLE_RATE_HZ / 100;
const LOWEST_DB = -96;

export interface Level {
  /** The peak of what was sent, in dB below full scale. */
  readonly peakDb: number;
  readonly gainDb: number;
  readonly leadingSilenceMs: number;
  readonly trailingSilenceMs: number;
}

function decibels(db: number): number {
  return 10 ** (db / 20);
}

const inDb = (amplitude: number): number =>
  amplitude <= 0 ? LOWEST_DB : Math.max(LOWEST_DB, Math.round(200 * Math.log10(amplitude)) / 10);

/** The samples at 8 kHz, in pieces; they are changed in place (what is constant in them is taken away). */
export function measure(pieces: readonly Float32Array[]): Level {
  removeConstant(pieces);
  let peak = 0;
  for (const piece of pieces) for (const sample of piece) peak = Math.max(peak, Math.abs(sample));
  const { firstMs, lastMs, totalMs } = sounding(pieces, Math.max(SILENT, peak * BELOW_PEAK));
  return {
    peakDb: inDb(peak),
    gainDb: inDb(gainFor(peak)),
    leadingSilenceMs: firstMs,
    trailingSilenceMs: totalMs - lastMs,
  };
}

function gainFor(peak: number): number {
  if (peak < SILENT || (peak >= QUIETEST_LEFT && peak <= LOUDEST_LEFT)) return 1;
  return Math.min(MOST_GAIN, TARGET / peak);
}

/** As µ-law, with the gain. */
export function encode(pieces: readonly Float32Array[], { gainDb }: Level): Buffer {
  const ulaw = Buffer.alloc(pieces.reduce((sum, { length }) => sum + length, 0));
  const scale = decibels(gainDb) * 32_768;
  let at = 0;
  for (const piece of pieces) {
    for (const sample of piece)
      ulaw[at++] = encodeUlaw(Math.max(-32_768, Math.min(32_767, Math.round(sample * scale))));
  }
  return ulaw;
}

/** A constant cannot be heard, and takes room from what can. */
function removeConstant(pieces: readonly Float32Array[]): void {
  let sum = 0;
  let count = 0;
  for (const piece of pieces) {
    for (const sample of piece) sum += sample;
    count += piece.length;
  }
  const mean = sum / Math.max(1, count);
  // Less than half a step of the coding is nothing; a short tone has a little by itself.
  if (Math.abs(mean) < 1 / 8_192) return;
  for (const piece of pieces) for (let at = 0; at < piece.length; at++) piece[at] = (piece[at] ?? 0) - mean;
}

/** From where to where it sounds, in blocks of 10 ms; nowhere: all of it is silence at either end. */
function sounding(
  pieces: readonly Float32Array[],
  threshold: number,
): { firstMs: number; lastMs: number; totalMs: number } {
  let first = -1;
  let last = -1;
  let index = 0;
  for (const piece of pieces) {
    for (const sample of piece) {
      if (Math.abs(sample) >= threshold) {
        if (first < 0) first = index;
        last = index;
      }
      index += 1;
    }
  }
  const ms = (samples: number): number => Math.round((samples * 1000) / SAMPLE_RATE_HZ);
  const totalMs = ms(index);
  if (first < 0) return { firstMs: totalMs, lastMs: 0, totalMs };
  return {
    firstMs: ms(first - (first % BLOCK)),
    lastMs: Math.min(totalMs, ms(last - (last % BLOCK) + BLOCK)),
    totalMs,
  };
}
