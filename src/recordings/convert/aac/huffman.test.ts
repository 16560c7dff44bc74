import { describe, expect, it } from 'vitest';
import { BitReader, BrokenFrame } from './bits.ts';
import { type CodebookTable, SCALE_FACTOR_TABLE, SPECTRUM_TABLES } from './codebooks.ts';
import { Codebook, spectrumBook } from './huffman.ts';

const TABLES: readonly (readonly [string, CodebookTable, size: number])[] = [
  ['of scale factors', SCALE_FACTOR_TABLE, 121],
  ...SPECTRUM_TABLES.map((table, at) => {
    const base = table.isSigned ? 2 * table.largest + 1 : table.largest + 1;
    return [String(at + 1), table, base ** table.dimension] as const;
  }),
];

/** Each codeword, in order, as a string of bits. */
function codewords({ perLength }: CodebookTable): string[] {
  const words: string[] = [];
  let code = 0;
  for (const [at, count] of perLength.entries()) {
    code *= 2;
    for (let entry = 0; entry < count; entry++) words.push((code++).toString(2).padStart(at + 1, '0'));
  }
  return words;
}

function bytesOf(bits: string): Uint8Array {
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}

describe('codebooks', () => {
  it.each(TABLES)(
    'codebook %s is complete: its Kraft sum is 1, and each index has one codeword',
    (_, table, size) => {
      const sum = table.perLength.reduce((total, count, at) => total + count / 2 ** (at + 1), 0);
      expect(sum).toBe(1);
      expect(table.perLength.reduce((total, count) => total + count, 0)).toBe(size);
      expect(table.indices.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, at) => at));
    },
  );

  it.each(TABLES)('codebook %s is read back, codeword by codeword', (_, table) => {
    const book = new Codebook(table);
    const bits = new BitReader(bytesOf(codewords(table).join('')));
    expect(table.indices.map(() => book.read(bits))).toEqual(table.indices);
  });

  it('an index is several values, the first in the highest digit (§4.6.3.3)', () => {
    const valuesOf = (number: number, index: number): number[] => {
      const book = spectrumBook(number);
      return [...(book?.values.subarray(index * book.dimension, (index + 1) * book.dimension) ?? [])];
    };
    expect(valuesOf(1, 0)).toEqual([-1, -1, -1, -1]);
    expect(valuesOf(1, 41)).toEqual([0, 0, 0, 1]);
    expect(valuesOf(3, 27)).toEqual([1, 0, 0, 0]);
    expect(valuesOf(5, 9)).toEqual([-3, -4]);
    expect(valuesOf(11, 288)).toEqual([16, 16]);
  });
});

describe('bits', () => {
  it('are read across bytes, and never beyond the end', () => {
    const bits = new BitReader(Uint8Array.of(0b10110011, 0b01010101, 0xff));
    expect([bits.read(3), bits.read(7), bits.read(1)]).toEqual([0b101, 0b1001101, 0]);
    bits.align();
    expect(bits.peek(12)).toBe(0xff0);
    expect(bits.read(8)).toBe(0xff);
    expect(() => bits.read(1)).toThrow(BrokenFrame);
  });
});
