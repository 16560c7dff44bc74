// Calls through a flow that has every kind of destination, event by event and action by action, compared with a file: a change of
// what callers hear, of a timer or of a written reason shows as a difference there. `npx vitest run src/flow --update` writes it anew.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action, CallEvent } from './call-state.ts';
import { type Flow, makeFlow } from './flow.ts';
import { CallHarness } from './testing/call-harness.ts';
import { callsEnd, EVENLY, menusAgree } from './testing/properties.ts';
import {
  aDepartment,
  aMenu,
  anAgent,
  anAnnouncement,
  aQueue,
  aVoicemail,
  SAMPLE_RECORDINGS,
  someHours,
} from './testing/samples.ts';

const option = (keys: string, destination: string, smsTemplate: string | null = null) => ({
  keys,
  destination,
  smsTemplate,
});

const OFFICE: Flow = makeFlow({
  nodes: [
    aMenu('a', {
      options: [
        option('1', 'department||a', 'thanks'),
        option('12', 'extension||a'),
        option('2', 'department||b'),
        option('3', 'ivr||b'),
        option('31#', 'voicemail||a'),
        option('*', 'timegroup||a'),
      ],
      invalidDestination: 'department||c',
      timeoutDestination: 'announcement||a',
    }),
    aMenu('b', {
      sensitive: true,
      recording: 'gone',
      timeoutSeconds: 0,
      timeoutTries: 2,
      incorrectCount: 2,
      recordingInvalid: 'invalid-final',
      options: [option('123', 'extension||b'), option('1', 'number||4930123'), option('#', 'ivr||a')],
    }),
    aMenu('c', {
      options: [option('1', 'ivr||c')],
      invalidDestination: 'nonsense',
      timeoutDestination: 'ivr||gone',
    }),
    anAgent('a', { failover: 'voicemail||a', followMeNumber: '4930555' }),
    anAgent('b', { intercom: '1002', hours: 'timegroup||b', failover: 'announcement||b' }),
    anAgent('c', { intercom: '', followMeNumber: '4930556', blocked: true }),
    aDepartment('a', { agents: ['extension||a', 'extension||b', 'extension||c'], strategy: 'simultaneous' }),
    aDepartment('b', {
      agents: ['extension||b', 'extension||a'],
      strategy: 'longest_idle',
      ringSeconds: null,
      failover: 'voicemail||b',
      queue: aQueue({ music: 'notice', announceSeconds: 5, maxWaitSeconds: 60, maxWaiting: 2, exitKey: '*' }),
    }),
    aDepartment('c', {
      agents: ['extension||a', 'extension||b', 'extension||a'],
      strategy: 'round_robin',
      failover: 'department||d',
      queue: aQueue({ joinWhenEmpty: true, music: 'gone', announceSeconds: 3 }),
    }),
    aDepartment('d', { agents: ['extension||a', 'extension||b'], strategy: 'random', failover: 'hangup||a' }),
    aDepartment('e', { agents: ['extension||b', 'extension||a'], failover: 'announcement||a' }),
    anAnnouncement('a', 'department||e'),
    anAnnouncement('b', 'announcement||b', { recording: 'gone' }),
    someHours('a', { openDestination: 'department||d', closedDestination: null }),
    someHours('b', { weekly: [{ days: [7], from: 60, to: 120 }] }),
    aVoicemail('a', { greeting: 'notice' }),
    aVoicemail('b'),
    { kind: 'hang-up', ref: 'hangup||a', name: 'Good-bye', recording: 'timeout-final', busy: false },
    { kind: 'hang-up', ref: 'hangup||b', name: 'Busy', recording: null, busy: true },
  ],
  recordings: SAMPLE_RECORDINGS,
  settings: { smsTemplates: true, hopLimit: 6, apologyRecording: 'invalid' },
});

const ENTRIES = [
  'ivr||a',
  'ivr||b',
  'ivr||c',
  'department||a',
  'department||b',
  'department||c',
  'department||d',
]
  .concat([
    'department||e',
    'timegroup||a',
    'voicemail||a',
    'voicemail||b',
    'extension||b',
    'number||4930123',
  ])
  .concat(['hangup||a', 'hangup||b', 'announcement||a', 'announcement||b']);
const CALLS = 51;
const EVENTS = 14;

/** JSON with fewer marks, and short enough for a line. */
const brief = ({ type, ...rest }: Action | CallEvent): string =>
  `${type} ${JSON.stringify(rest).replaceAll('"', '').slice(1, -1)}`;

function transcript(number: number): string {
  const entry = ENTRIES[number % ENTRIES.length] ?? '';
  const harness = new CallHarness(OFFICE, entry, number);
  // A linear congruential generator (Numerical Recipes): the same calls for ever, whatever fast-check's next release draws.
  let random = number;
  for (let count = 0; count < EVENTS; count++) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    harness.disturb(random >>> 4);
  }
  harness.drain();
  const lines = harness.events.flatMap((event, index) => [
    brief(event),
    ...(harness.actions[index] ?? []).map((action) => `  ${brief(action)}`),
  ]);
  return [`call ${number}`, ...lines, ''].join('\n');
}

test('recorded calls go the same way event by event', async () => {
  const text = Array.from({ length: CALLS }, (_, number) => transcript(number)).join('\n');
  await expect(text).toMatchFileSnapshot('./testing/recorded-calls.txt');
});

test('the same 150 menus do what the table walk over the specification says', () => {
  fc.assert(menusAgree, { numRuns: 150, seed: 1, endOnFailure: true, ...EVENLY });
});

test('the same 60 calls end or wait on a named timer', () => {
  fc.assert(callsEnd(), { numRuns: 60, seed: 1, endOnFailure: true, ...EVENLY });
});
