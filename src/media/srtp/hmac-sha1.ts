// HMAC-SHA1 with a fixed key (RFC 2104), without an allocation per packet. node:crypto makes a new object for each: that costs more than
// twice as much for a packet of 20 ms (docs/decisions/0036-srtp.md). The test holds it against node:crypto.
import { createHash } from 'node:crypto';

export const DIGEST_BYTES = 20;
const BLOCK_BYTES = 64;
const INITIAL = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0] as const;

/** Shared by all streams of a thread: a digest is computed before the next one begins. */
const words = new Int32Array(80);
const state = new Int32Array(5);
const tail = new Uint8Array(2 * BLOCK_BYTES);

export class HmacSha1 {
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;

  constructor(key: Uint8Array) {
    const short = key.length > BLOCK_BYTES ? createHash('sha1').update(key).digest() : key;
    this.#inner = keyedState(short, 0x36);
    this.#outer = keyedState(short, 0x5c);
  }

  /** Writes the digest of the bytes from `at` to `end`, followed by `trailer` as a word unless it is null. */
  digest(bytes: Uint8Array, at: number, end: number, trailer: number | null, into: Uint8Array): void {
    state.set(this.#inner);
    let from = at;
    for (; from + BLOCK_BYTES <= end; from += BLOCK_BYTES) compress(bytes, from);
    let rest = 0;
    for (; from < end; from++) tail[rest++] = bytes[from] ?? 0;
    if (trailer !== null) {
      writeWord(tail, rest, trailer);
      rest += 4;
    }
    finish(rest, end - at + (trailer === null ? 0 : 4));
    for (let index = 0; index < 5; index++) writeWord(tail, index * 4, state[index] ?? 0);
    state.set(this.#outer);
    finish(DIGEST_BYTES, DIGEST_BYTES);
    for (let index = 0; index < 5; index++) writeWord(into, index * 4, state[index] ?? 0);
  }
}

function keyedState(key: Uint8Array, pad: number): Int32Array {
  for (let index = 0; index < BLOCK_BYTES; index++) tail[index] = (key[index] ?? 0) ^ pad;
  state.set(INITIAL);
  compress(tail, 0);
  return state.slice();
}

/** Pads what stands in `tail`; `length` of the message is counted after the block of the key. */
function finish(rest: number, length: number): void {
  const end = rest + 9 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
  tail[rest] = 0x80;
  tail.fill(0, rest + 1, end - 4);
  writeWord(tail, end - 4, (BLOCK_BYTES + length) * 8);
  compress(tail, 0);
  if (end > BLOCK_BYTES) compress(tail, BLOCK_BYTES);
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

/** FIPS 180-4 §6.1.2, one block. */
function compress(bytes: Uint8Array, offset: number): void {
  const w = words;
  for (let t = 0, at = offset; t < 16; t++, at += 4)
    w[t] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number);
  for (let t = 16; t < 80; t++) {
    const x = (w[t - 3] as number) ^ (w[t - 8] as number) ^ (w[t - 14] as number) ^ (w[t - 16] as number);
    w[t] = (x << 1) | (x >>> 31);
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  for (let t = 0; t < 80; t++) {
    const mixed =
      t < 20
        ? ((b & c) | (~b & d)) + 0x5a827999
        : t < 40
          ? (b ^ c ^ d) + 0x6ed9eba1
          : t < 60
            ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
            : (b ^ c ^ d) + 0xca62c1d6;
    const next = (((a << 5) | (a >>> 27)) + mixed + e + (w[t] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] = ((state[0] as number) + a) | 0;
  state[1] = ((state[1] as number) + b) | 0;
  state[2] = ((state[2] as number) + c) | 0;
  state[3] = ((state[3] as number) + d) | 0;
  state[4] = ((state[4] as number) + e) | 0;
}
