import fc from 'fast-check';
import { test } from 'vitest';
import { callsEnd, menusAgree } from './testing/properties.ts';

test('any call of any flow ends or waits on a named timer, and nothing follows its end', () => {
  fc.assert(callsEnd, { numRuns: 3_000 });
});

test('a single menu does what the table walk over the specification says', () => {
  fc.assert(menusAgree, { numRuns: 3_000 });
});
