import { describe, expect, it } from 'vitest';
import { Reception } from './reception.ts';

const arrive = (reception: Reception, sequences: readonly number[], ssrc = 1): void => {
  for (const sequence of sequences)
    reception.note(ssrc, sequence & 0xffff, (sequence * 160) >>> 0, sequence * 20, true);
};

describe('reception', () => {
  it('counts what is missing, over the turn of the sequence', () => {
    const reception = new Reception();
    arrive(reception, [65_534, 65_535, 65_537, 65_538]);
    expect([reception.received, reception.lost]).toEqual([4, 1]);
    expect(reception.highest).toBe(0x1_0002);
  });

  it('takes reordered packets as received', () => {
    const reception = new Reception();
    arrive(reception, [1, 3, 2, 4]);
    expect(reception.lost).toBe(0);
  });

  it('keeps the loss of the source before', () => {
    const reception = new Reception();
    arrive(reception, [1, 2, 5]);
    arrive(reception, [30_000, 30_001], 2);
    expect([reception.received, reception.lost]).toEqual([5, 2]);
  });

  it('takes a great jump as another beginning, not as loss', () => {
    const reception = new Reception();
    arrive(reception, [1, 2, 20_000, 20_001]);
    expect(reception.lost).toBe(0);
  });

  it('computes jitter as RFC 3550 A.8 does', () => {
    const reception = new Reception();
    let expected = 0;
    let last = 0;
    for (let index = 0; index < 50; index++) {
      const lateMs = index % 3;
      reception.note(1, index, index * 160, 1_000 + index * 20 + lateMs, true);
      if (index > 0) expected += (Math.abs(lateMs - last) * 8 - expected) / 16;
      last = lateMs;
    }
    expect(reception.jitterMs).toBeCloseTo(expected / 8, 5);
    expect(expected).toBeGreaterThan(5);
  });

  it('counts by the clock of the codec in use: an even stream of Opus has no jitter, also after one of G.711', () => {
    const reception = new Reception();
    for (let index = 0; index < 50; index++) reception.note(1, index, index * 160, 1_000 + index * 20, true);
    reception.clockedBy(48);
    for (let index = 50; index < 100; index++)
      reception.note(1, index, index * 960, 1_000 + index * 20, true);
    expect(reception.jitterMs).toBe(0);
    reception.note(1, 100, 100 * 960, 1_000 + 100 * 20 + 16, true);
    expect(reception.jitterMs).toBeCloseTo(1, 5);
  });
});
