import fc from 'fast-check';
import { test } from 'vitest';
import { messagesAgree, requestsAgree, sipAddressesAgree } from '../../src/flow/testing/asking-models.ts';
import {
  callsEnd,
  collectsAgree,
  EVENLY,
  menusAgree,
  switchesAgree,
} from '../../src/flow/testing/properties.ts';
import { streamsAgree } from '../../src/flow/testing/stream-model.ts';

const RUNS = 100_000;
const HALF_AN_HOUR = 1_800_000;

test('any call of any flow ends or waits on a named timer, 100,000 times', { timeout: HALF_AN_HOUR }, () => {
  fc.assert(callsEnd(), { numRuns: RUNS, ...EVENLY });
});

test('a single menu does what the table walk says, 100,000 times', { timeout: HALF_AN_HOUR }, () => {
  fc.assert(menusAgree, { numRuns: RUNS, ...EVENLY });
});

test('nodes that ask, decide, send and talk do what the walks over their fields say', {
  timeout: HALF_AN_HOUR,
}, () => {
  fc.assert(collectsAgree, { numRuns: RUNS, ...EVENLY });
  fc.assert(switchesAgree, { numRuns: RUNS, ...EVENLY });
  fc.assert(streamsAgree, { numRuns: RUNS, ...EVENLY });
  fc.assert(requestsAgree, { numRuns: RUNS, ...EVENLY });
  fc.assert(messagesAgree, { numRuns: RUNS, ...EVENLY });
  fc.assert(sipAddressesAgree, { numRuns: RUNS, ...EVENLY });
});
