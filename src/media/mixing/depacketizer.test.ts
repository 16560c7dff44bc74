import { describe, expect, it } from 'vitest';
import { PCMU } from '../codec.ts';
import { Depacketizer } from './depacketizer.ts';

describe('the depacketizer', () => {
  const framesOf = (sequences: readonly number[], size = 160): number[] => {
    const frames: number[] = [];
    const depacketizer = new Depacketizer((frame) => frames.push(frame[0] ?? -1));
    for (const sequence of sequences)
      depacketizer.push(new Uint8Array(size).fill(sequence & 0x7f), 0, size, sequence & 0xffff, PCMU);
    return frames;
  };

  it('sorts packets that are slightly out of order and drops duplicates', () => {
    expect(framesOf([1, 3, 2, 2, 4, 5])).toEqual([1, 2, 3, 4, 5]);
  });

  it('replaces lost packets by silence', () => {
    expect(framesOf([1, 3, 4, 5, 6])).toEqual([1, 0xff, 3, 4, 5, 6]);
  });

  it('makes frames of 20 ms of packets of any length', () => {
    expect(framesOf([1, 2, 3, 4], 80)).toEqual([1, 3]);
    expect(framesOf([1, 2], 320)).toEqual([1, 1, 2, 2]);
  });

  it('goes on after a long pause', () => {
    expect(framesOf([1, 2, 500, 501])).toEqual([1, 2, 500 & 0x7f, 501 & 0x7f]);
  });
});
