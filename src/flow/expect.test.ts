import { expect, test } from 'vitest';
import { readTestCase, runTestCase, type TestCase } from './expect.ts';
import { aFlow, aMenu } from './testing/samples.ts';

const flow = aFlow([aMenu('main')]);

function read(value: unknown): TestCase {
  const reading = readTestCase(value);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.test;
}

test('stored test passes when the call does what it says', () => {
  const result = runTestCase(
    flow,
    'ivr||main',
    read({
      name: 'a slip, then sales',
      script: '9,1',
      expect: {
        outcome: 'connected',
        destination: 'extension||sales',
        heard: ['welcome', 'recording||invalid', 'welcome'],
        visited: ['ivr||main', 'extension||sales'],
        sms: [],
        within_ms: 60_000,
      },
    }),
  );
  expect(result).toMatchObject({ passed: true, differences: [] });
});

test('stored test that fails lists every difference, with the trace', () => {
  const result = runTestCase(
    flow,
    'ivr||main',
    read({
      name: 'wrong',
      script: '1',
      expect: {
        outcome: 'voicemail',
        destination: 'voicemail||x',
        reason: 'voicemail-left',
        cause: 17,
        heard: ['notice'],
        sms: ['t1'],
        within_ms: 1,
      },
    }),
  );
  expect(result.differences).toEqual([
    'outcome: expected voicemail, was connected.',
    'destination: expected voicemail||x, was extension||sales.',
    'reason: expected voicemail-left, was connected.',
    'cause: expected 17, was 16.',
    'heard: expected notice in this order, was welcome.',
    'sms: expected t1, was nothing.',
    'duration: expected at most 1 ms, was 3500 ms.',
  ]);
  expect(result.trace.outcome.kind).toBe('connected');
});

test('stored test that cannot be read names all its faults at once', () => {
  const reading = readTestCase({
    script: '1,wiat',
    expect: { outcome: 'fine', heard: 'welcome', cause: 'busy' },
  });
  expect(reading.ok ? [] : reading.faults.map(({ pointer }) => pointer)).toEqual([
    '/script',
    '/name',
    '/expect/outcome',
    '/expect/cause',
    '/expect/heard',
  ]);
});

test('stored test that expects nothing is refused, for it would always pass', () => {
  expect(readTestCase({ name: 'empty', script: '1', expect: {} })).toMatchObject({
    ok: false,
    faults: [{ pointer: '/expect' }],
  });
});

test('stored test has a name of 1 to 200 characters', () => {
  const named = (name: unknown) => readTestCase({ name, expect: { cause: 16 } });
  expect(named('x').ok).toBe(true);
  expect(named('x'.repeat(200)).ok).toBe(true);
  for (const name of ['', '  ', 'x'.repeat(201), 5, undefined])
    expect(named(name)).toMatchObject({ ok: false, faults: [{ pointer: '/name' }] });
});

test('stored test lists up to a thousand things', () => {
  const heard = (count: number) =>
    readTestCase({ name: 'x', expect: { heard: Array.from({ length: count }, () => 'welcome') } }).ok;
  expect([1_000, 1_001].map(heard)).toEqual([true, false]);
});

test('stored test that is no object has faults and no exception', () => {
  for (const value of [null, 5, 'x']) expect(readTestCase(value).ok).toBe(false);
  expect(readTestCase({ name: 'x', expect: 'connected' })).toMatchObject({
    faults: [{ pointer: '/expect' }],
  });
});

test('stored test compares what is heard and visited in its order, each time that it is listed', () => {
  const differences = (expected: object, script = '1') =>
    runTestCase(flow, 'ivr||main', read({ name: 'x', script, expect: expected })).differences;
  expect(differences({ visited: ['extension||sales', 'ivr||main'] })).toEqual([
    'visited: expected ivr||main in this order, was ivr||main, extension||sales.',
  ]);
  expect(differences({ heard: ['welcome', 'welcome'] })).toHaveLength(1);
  expect(differences({ heard: ['welcome', 'welcome'] }, '9,1')).toEqual([]);
  // Tones and prompts are no recordings.
  const toneFlow = aFlow([aMenu('main', { recording: 'gone' })]);
  const heard = runTestCase(
    toneFlow,
    'ivr||main',
    read({ name: 'x', script: '1', expect: { heard: ['a'] } }),
  );
  expect(heard.differences).toEqual(['heard: expected a in this order, was nothing.']);
});

test('stored test passes at its longest duration', () => {
  const within = (withinMs: number) =>
    runTestCase(flow, 'ivr||main', read({ name: 'x', script: '1', expect: { within_ms: withinMs } })).passed;
  expect([3_500, 3_499].map(within)).toEqual([true, false]);
});

test.each(['connected', 'voicemail', 'hung-up', 'caller-hung-up', 'unfinished'])(
  'stored test may expect the outcome %s',
  (outcome) => {
    expect(readTestCase({ name: 'x', expect: { outcome } }).ok).toBe(true);
  },
);

test('stored test that fails lists fifty things, and says how many more there are', () => {
  const said = (count: number) => {
    const sms = Array.from({ length: count }, () => 't');
    return runTestCase(flow, 'ivr||main', read({ name: 'x', script: '1', expect: { sms } })).differences;
  };
  const fifty = Array.from({ length: 50 }, () => 't').join(', ');
  expect(said(50)).toEqual([`sms: expected ${fifty}, was nothing.`]);
  expect(said(53)).toEqual([`sms: expected ${fifty} and 3 more, was nothing.`]);
});
