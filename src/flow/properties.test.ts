import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messagesAgree, requestsAgree, sipAddressesAgree } from './testing/asking-models.ts';
import { callsEnd, collectsAgree, EVENLY, menusAgree, switchesAgree } from './testing/properties.ts';
import { streamsAgree } from './testing/stream-model.ts';
import { END_CODES, TRAIL_CODES } from './trail.ts';

// Seconds of work, but on a machine that may be busy with other things.
const TWO_MINUTES = { timeout: 120_000 };

test('any call of any flow ends or waits on a named timer, and nothing follows its end', TWO_MINUTES, () => {
  const seen = new Set<string>();
  const rare = ['call-limit', 'agent-outside-hours'];
  const unseen = (): string[] => [
    ...TRAIL_CODES.filter((code) => !seen.has(code)),
    ...END_CODES.filter((code) => !seen.has(`ended: ${code}`) && !rare.includes(code)),
  ];
  fc.assert(callsEnd(seen), { numRuns: 3_000, ...EVENLY });
  // A property over calls that all end at once would prove nothing: these have been everywhere. Chance may keep them from a rare end
  // once (a full line without a failover), not again and again.
  for (let more = 0; more < 5 && unseen().length > 0; more++)
    fc.assert(callsEnd(seen), { numRuns: 3_000, ...EVENLY });
  expect(unseen()).toEqual([]);
});

test('a single menu does what the table walk over the specification says', TWO_MINUTES, () => {
  fc.assert(menusAgree, { numRuns: 3_000, ...EVENLY });
});

test('a single collect does what the walk over its fields says', TWO_MINUTES, () => {
  fc.assert(collectsAgree, { numRuns: 3_000, ...EVENLY });
});

test('a switch goes where the walk over its rules says', TWO_MINUTES, () => {
  fc.assert(switchesAgree, { numRuns: 3_000, ...EVENLY });
});

test('a single stream does what the walk over its script says', TWO_MINUTES, () => {
  fc.assert(streamsAgree, { numRuns: 3_000, ...EVENLY });
});

test('a single request does what the walk over its fields and the answer says', TWO_MINUTES, () => {
  fc.assert(requestsAgree, { numRuns: 3_000, ...EVENLY });
});

test('a message sends what the walk says, and goes on at once', TWO_MINUTES, () => {
  fc.assert(messagesAgree, { numRuns: 500, ...EVENLY });
});

test('a SIP address is connected or left when the walk says so', TWO_MINUTES, () => {
  fc.assert(sipAddressesAgree, { numRuns: 3_000, ...EVENLY });
});
