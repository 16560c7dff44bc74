import { expect, it } from 'vitest';
import { healthMark } from './health.ts';
import { NOTHING_YET } from './live-state.ts';

it('health is asked for again when a node falls silent, and when it answers again', () => {
  const silent = healthMark({ ...NOTHING_YET, unanswered: ['b'] });
  expect(silent).not.toBe(healthMark(NOTHING_YET));
  expect(healthMark({ ...NOTHING_YET, unanswered: [] })).toBe(healthMark(NOTHING_YET));
});
