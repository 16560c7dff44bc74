import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoDate } from './iso-date.ts';

it('writes every moment as Date does, whichever was written before', () => {
  const moment = fc.oneof(
    fc.integer({ min: 1_794_763_823_000, max: 1_794_763_825_000 }),
    fc.double({ min: -62_167_219_200_000, max: 253_402_300_799_999, noNaN: true }),
  );
  fc.assert(fc.property(moment, (epochMs) => isoDate(epochMs) === new Date(epochMs).toISOString()));
});

it('refuses what is no moment, as Date does', () => {
  expect(() => isoDate(Number.NaN)).toThrow(RangeError);
});
