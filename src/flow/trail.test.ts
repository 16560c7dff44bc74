import { expect, test } from 'vitest';
import { END_CODES, endReason, LIVE_TRAIL_CODES, TRAIL_CODES } from './trail.ts';

test('codes that programs read are words joined by hyphens, and each stands once', () => {
  for (const codes of [
    [...TRAIL_CODES, ...LIVE_TRAIL_CODES],
    END_CODES,
    END_CODES.map((code) => endReason(code).word),
  ])
    for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  const steps = [...TRAIL_CODES, ...LIVE_TRAIL_CODES];
  expect(new Set(steps).size).toBe(steps.length);
});
