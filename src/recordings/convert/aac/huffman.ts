// Canonical Huffman codes: short codewords by one look into a table, longer ones by their length.
import type { BitReader } from './bits.ts';
import { type CodebookTable, SCALE_FACTOR_TABLE, SPECTRUM_TABLES, type SpectrumTable } from './codebooks.ts';

const LOOKUP_BITS = 10;

export class Codebook {
  readonly #longest: number;
  readonly #indices: Uint16Array;
  /** By the next 10 bits: the index, and in the low five bits the length of its codeword. 0: it is longer. */
  readonly #lookup = new Uint16Array(1 << LOOKUP_BITS);
  /** By length: one more than the last codeword of it, aligned to the longest; and what to subtract from a codeword for its rank. */
  readonly #limits: Float64Array;
  readonly #ranks: Int32Array;

  constructor({ perLength, indices }: CodebookTable) {
    this.#longest = perLength.length;
    this.#indices = Uint16Array.from(indices);
    this.#limits = new Float64Array(this.#longest + 1);
    this.#ranks = new Int32Array(this.#longest + 1);
    let code = 0;
    let rank = 0;
    for (const [at, count] of perLength.entries()) {
      const length = at + 1;
      code *= 2;
      this.#ranks[length] = code - rank;
      for (let entry = 0; entry < count && length <= LOOKUP_BITS; entry++) {
        const from = (code + entry) << (LOOKUP_BITS - length);
        const value = ((this.#indices[rank + entry] ?? 0) << 5) | length;
        this.#lookup.fill(value, from, from + (1 << (LOOKUP_BITS - length)));
      }
      code += count;
      rank += count;
      this.#limits[length] = code * 2 ** (this.#longest - length);
    }
  }

  read(bits: BitReader): number {
    const found = this.#lookup[bits.peek(LOOKUP_BITS)] ?? 0;
    if (found !== 0) {
      bits.skip(found & 31);
      return found >> 5;
    }
    const word = bits.peek(this.#longest);
    let length = LOOKUP_BITS + 1;
    // The codes are complete, so the longest fits at the latest.
    while (length < this.#longest && word >= (this.#limits[length] ?? 0)) length++;
    bits.skip(length);
    return this.#indices[(word >>> (this.#longest - length)) - (this.#ranks[length] ?? 0)] ?? 0;
  }
}

/** A codebook for coefficients: pairs or fours of them. */
export class SpectrumBook extends Codebook {
  readonly dimension: number;
  readonly isSigned: boolean;
  /** Of each index, one behind the other. */
  readonly values: Int8Array;

  constructor(table: SpectrumTable) {
    super(table);
    const { dimension, isSigned, largest } = table;
    this.dimension = dimension;
    this.isSigned = isSigned;
    const base = isSigned ? 2 * largest + 1 : largest + 1;
    this.values = Int8Array.from({ length: table.indices.length * dimension }, (_, at) => {
      const digit =
        Math.floor(Math.floor(at / dimension) / base ** (dimension - 1 - (at % dimension))) % base;
      return isSigned ? digit - largest : digit;
    });
  }
}

export const SCALE_FACTORS = new Codebook(SCALE_FACTOR_TABLE);
const BOOKS = SPECTRUM_TABLES.map((table) => new SpectrumBook(table));

/** From 1 to 11. */
export const spectrumBook = (number: number): SpectrumBook | undefined => BOOKS[number - 1];
