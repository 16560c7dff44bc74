import { expect, it } from 'vitest';
import { isClosedByHand, localText, untilOf } from './closing.ts';

const tuesday = new Date(2026, 10, 17, 14, 5).getTime();

it('closes for an hour, for today, until tomorrow morning, or for the rest of the week', () => {
  expect(localText(untilOf('hour', tuesday))).toBe('2026-11-17T15:05');
  expect(localText(untilOf('today', tuesday))).toBe('2026-11-18T00:00');
  expect(localText(untilOf('tomorrow', tuesday))).toBe('2026-11-18T09:00');
  expect(localText(untilOf('week', tuesday))).toBe('2026-11-23T09:00');
  const [sunday, monday] = [new Date(2026, 10, 22, 8).getTime(), new Date(2026, 10, 23, 8).getTime()];
  expect(localText(untilOf('week', sunday))).toBe('2026-11-23T09:00');
  expect(localText(untilOf('week', monday))).toBe('2026-11-30T09:00');
});

it('is in force until its end', () => {
  const closed_until = '2026-11-17T12:00:00.000Z';
  const endMs = Date.parse(closed_until);
  expect(isClosedByHand({ closed_until }, endMs - 1)).toBe(true);
  expect(isClosedByHand({ closed_until }, endMs)).toBe(false);
  expect(isClosedByHand({ closed_until: null }, 0)).toBe(false);
});
