// AES in counter mode (RFC 3711 §4.1.1) by one cipher object per key: the counter blocks of a packet are encrypted in one call. A cipher
// of node:crypto in CTR mode would have to be made anew for each packet, at three times the cost.
import { type Cipher, createCipheriv } from 'node:crypto';
import { SALT_BYTES, type Suite } from './suites.ts';

const BLOCK_BYTES = 16;
/** More than any packet has. */
const MAX_BLOCKS = 256;

/** Shared by all streams of a thread. */
const blocks = Buffer.alloc(MAX_BLOCKS * BLOCK_BYTES);
const words = new Int32Array(blocks.buffer, blocks.byteOffset, (MAX_BLOCKS * BLOCK_BYTES) / 4);
const first = new Uint8Array(BLOCK_BYTES);
const firstWords = new Int32Array(first.buffer);

export class KeyStream {
  readonly #cipher: Cipher;
  readonly #salt: Uint8Array;

  constructor(cipher: Suite['cipher'], key: Uint8Array, salt: Uint8Array) {
    this.#cipher = createCipheriv(cipher, key, null).setAutoPadding(false);
    this.#salt = salt;
  }

  /** Encrypts or decrypts the bytes from `at` to `end` in place. `index`: of the packet, 48 bits. */
  apply(bytes: Uint8Array, at: number, end: number, ssrc: number, index: number): void {
    const length = end - at;
    if (length <= 0) return;
    const count = Math.ceil(length / BLOCK_BYTES);
    if (count > MAX_BLOCKS) throw new RangeError(`a packet of ${length} bytes`);
    this.#begin(ssrc, index);
    const stream = this.#encrypted(count);
    for (let offset = 0; offset < length; offset++)
      bytes[at + offset] = (bytes[at + offset] as number) ^ (stream[offset] as number);
  }

  /** (salt · 2^16) ⊕ (SSRC · 2^64) ⊕ (index · 2^16). */
  #begin(ssrc: number, index: number): void {
    const high = Math.floor(index / 0x1_0000_0000);
    const low = index >>> 0;
    for (let at = 0; at < SALT_BYTES; at++) first[at] = this.#salt[at] ?? 0;
    for (let at = 0; at < 4; at++) {
      const shift = 24 - 8 * at;
      first[4 + at] = (first[4 + at] as number) ^ (ssrc >>> shift);
      first[10 + at] = (first[10 + at] as number) ^ (low >>> shift);
    }
    first[8] = (first[8] as number) ^ (high >>> 8);
    first[9] = (first[9] as number) ^ high;
    first[14] = 0;
    first[15] = 0;
  }

  #encrypted(count: number): Uint8Array {
    for (let block = 0, word = 0; block < count; block++, word += 4) {
      words[word] = firstWords[0] as number;
      words[word + 1] = firstWords[1] as number;
      words[word + 2] = firstWords[2] as number;
      words[word + 3] = firstWords[3] as number;
      blocks[block * BLOCK_BYTES + 15] = block;
    }
    return this.#cipher.update(blocks.subarray(0, count * BLOCK_BYTES));
  }
}
