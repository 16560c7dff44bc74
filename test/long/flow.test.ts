import fc from 'fast-check';
import { test } from 'vitest';
import { callsEnd, EVENLY, menusAgree } from '../../src/flow/testing/properties.ts';

const RUNS = 100_000;
const HALF_AN_HOUR = 1_800_000;

test('any call of any flow ends or waits on a named timer, 100,000 times', { timeout: HALF_AN_HOUR }, () => {
  fc.assert(callsEnd(), { numRuns: RUNS, ...EVENLY });
});

test('a single menu does what the table walk says, 100,000 times', { timeout: HALF_AN_HOUR }, () => {
  fc.assert(menusAgree, { numRuns: RUNS, ...EVENLY });
});
