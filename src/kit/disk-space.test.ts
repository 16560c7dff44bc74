import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { DiskSpace, reserveOf } from './disk-space.ts';

const MB = 1024 * 1024;

it('the reserve is 256 MB, 5 % of a small disk, or what is configured', () => {
  expect(reserveOf(null, 100_000 * MB)).toBe(256 * MB);
  expect(reserveOf(null, 1_000 * MB)).toBe(50 * MB);
  expect(reserveOf(10, 100 * MB)).toBe(10 * MB);
  expect(reserveOf(0, 100 * MB)).toBe(0);
});

it('free space below the reserve is reported once; without a reserve it never is', async () => {
  const reported: boolean[] = [];
  const changed = (isLow: boolean) => void reported.push(isLow);
  const low = await DiskSpace.watch({ folder: tmpdir(), reserveMb: 1_000_000_000, changed });
  await low.look();
  expect([low.isLow, reported]).toEqual([true, [true]]);
  expect(low.freeBytes).toBeGreaterThan(0);
  low.stop();
  const enough = await DiskSpace.watch({ folder: tmpdir(), reserveMb: 0, changed });
  expect([enough.isLow, reported]).toEqual([false, [true]]);
  enough.stop();
});

it('a disk that does not say how much is free is not low', async () => {
  const space = await DiskSpace.watch({ folder: '/nowhere', reserveMb: 1, changed: () => undefined });
  expect([space.isLow, space.freeBytes]).toEqual([false, Number.NaN]);
  space.stop();
});
