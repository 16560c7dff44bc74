import fc from 'fast-check';
import { test } from 'vitest';
import { callsEnd, EVENLY, menusAgree } from '../../src/flow/testing/properties.ts';

const RUNS = 100_000;
const TEN_MINUTES = 600_000;

test('any call of any flow ends or waits on a named timer, 100,000 times', { timeout: TEN_MINUTES }, () => {
  fc.assert(callsEnd(), { numRuns: RUNS, ...EVENLY });
});

test('a single menu does what the table walk says, 100,000 times', { timeout: TEN_MINUTES }, () => {
  fc.assert(menusAgree, { numRuns: RUNS, ...EVENLY });
});
