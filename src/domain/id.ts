// Ids of our own: UUIDv7 (RFC 9562), so that they sort by the time they were made and need no database to be made.

let lastMs = 0;
let counter = 0;
const pool = new Uint8Array(1024);
let used = pool.length;

function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

/** Before every id that was made at or after this moment: the clock of ids never runs backwards. */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const digit = (value: number): number => DIGITS[value & 0xf] ?? 0;
/** The characters of the last id; the dashes and the version stay where they are. */
const characters = Array.from('00000000-0000-7000-8000-000000000000', (each) => each.charCodeAt(0));
const TIME_PLACES = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12];
const RANDOM_PLACES = [20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35];

/** Method 1 of RFC 9562 §6.2: within one millisecond the 12 bits after the version count up. */
export function newId(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = (randomBytes(1)[0] ?? 0) & 0x7f;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  // Two halves that fit into the integers of shifts.
  const high = Math.floor(lastMs / 0x1000000);
  const low = lastMs - high * 0x1000000;
  for (let at = 0; at < 6; at++) {
    characters[TIME_PLACES[at] ?? 0] = digit(high >> (20 - 4 * at));
    characters[TIME_PLACES[at + 6] ?? 0] = digit(low >> (20 - 4 * at));
  }
  characters[15] = digit(counter >> 8);
  characters[16] = digit(counter >> 4);
  characters[17] = digit(counter);
  const random = randomBytes(8);
  characters[19] = digit(0x8 | (((random[7] ?? 0) >> 4) & 0x3));
  for (let at = 0; at < RANDOM_PLACES.length; at++)
    characters[RANDOM_PLACES[at] ?? 0] = digit((random[at >> 1] ?? 0) >> (4 * (at & 1)));
  // One flat string: ids are keys of maps, which would have to put the pieces together anyway.
  return String.fromCharCode(...characters);
}
