// G.711 as tables: built once, then one lookup per sample. Linear samples are 16 bit, as ITU-T G.191 scales them.

export const ulawToLinear = Int16Array.from({ length: 256 }, (_, byte) => expandUlaw(byte));
export const alawToLinear = Int16Array.from({ length: 256 }, (_, byte) => expandAlaw(byte));
/** µ-law byte → A-law byte, by the tables of G.711 and not by way of linear. */
export const ulawToAlaw = Uint8Array.from({ length: 256 }, (_, byte) => convert(byte, 0xff, 0xd5, alawStep));
export const alawToUlaw = Uint8Array.from({ length: 256 }, (_, byte) => convert(byte, 0xd5, 0xff, ulawStep));

export const ULAW_SILENCE = 0xff;
export const ALAW_SILENCE = 0xd5;

// Both laws use at most 14 of the 16 bits, so a quarter of all values is enough.
const linearToUlaw = Uint8Array.from({ length: 16_384 }, (_, index) => compressUlaw((index - 8_192) << 2));
const linearToAlaw = Uint8Array.from({ length: 16_384 }, (_, index) => compressAlaw((index - 8_192) << 2));

/** A linear sample, −32768 to 32767, as a µ-law byte. */
export function encodeUlaw(linear: number): number {
  return linearToUlaw[(linear >> 2) + 8_192] ?? ULAW_SILENCE;
}

/** A linear sample, −32768 to 32767, as an A-law byte. */
export function encodeAlaw(linear: number): number {
  return linearToAlaw[(linear >> 2) + 8_192] ?? ALAW_SILENCE;
}

// Two functions and not one with the table as a parameter: the compiler embeds a constant table, which makes the loop a fifth faster.

/** In place. */
export function convertUlawToAlaw(bytes: Uint8Array, at: number, end: number): void {
  for (let index = at; index < end; index++) bytes[index] = ulawToAlaw[bytes[index] ?? 0] ?? 0;
}

/** In place. */
export function convertAlawToUlaw(bytes: Uint8Array, at: number, end: number): void {
  for (let index = at; index < end; index++) bytes[index] = alawToUlaw[bytes[index] ?? 0] ?? 0;
}

function compressUlaw(linear: number): number {
  // Negative values are counted from −1 on (ones' complement), as G.191 does: −1 is the negative zero.
  const magnitude = Math.min((linear < 0 ? ~linear >> 2 : linear >> 2) + 33, 0x1fff);
  const segment = 27 - Math.clz32(magnitude);
  const byte = ((8 - segment) << 4) | (15 - ((magnitude >> segment) & 15));
  return linear < 0 ? byte : byte | 0x80;
}

function expandUlaw(byte: number): number {
  const segment = (~byte >> 4) & 7;
  const magnitude = (((~byte & 15) << 3) + 0x84) << segment;
  return byte < 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

function compressAlaw(linear: number): number {
  const magnitude = (linear < 0 ? ~linear : linear) >> 4;
  const segment = Math.max(0, 28 - Math.clz32(magnitude));
  const steps = segment === 0 ? magnitude : (segment << 4) | ((magnitude >> (segment - 1)) & 15);
  return (linear < 0 ? steps : steps | 0x80) ^ 0x55;
}

function expandAlaw(byte: number): number {
  const steps = (byte ^ 0x55) & 0x7f;
  const segment = steps >> 4;
  const fraction = ((steps & 15) << 4) + 8;
  const magnitude = segment === 0 ? fraction : (fraction + 0x100) << (segment - 1);
  return byte < 0x80 ? -magnitude : magnitude;
}

/** Byte of one law → step from zero → step of the other law → its byte; the sign bit stays. */
function convert(byte: number, from: number, to: number, step: (step: number) => number): number {
  return (byte & 0x80) | ((step((byte ^ from) & 0x7f) ^ to) & 0x7f);
}

/** G.711 table 3: the A-law step (counted from 0) for a µ-law step. */
function alawStep(step: number): number {
  if (step < 16) return step >> 1;
  if (step < 32) return step - 8;
  if (step < 36) return 24 + 2 * (step - 32);
  if (step < 48) return step - 4;
  if (step === 48) return 45;
  if (step < 64) return step - 2;
  if (step < 80) return step - 1;
  return step;
}

/** G.711 table 4: the µ-law step for an A-law step (counted from 0). */
function ulawStep(step: number): number {
  if (step < 8) return 2 * step + 1;
  if (step < 24) return step + 8;
  if (step < 32) return 32 + ((step - 24) >> 1);
  if (step < 44) return step + 4;
  if (step < 48) return 48 + ((step - 44) >> 1);
  if (step < 63) return step + 2;
  if (step === 63) return 64;
  if (step < 79) return step + 1;
  if (step === 79) return 79;
  return step;
}
