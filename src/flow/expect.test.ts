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

test('stored test that fails tells every difference in words, with the trace', () => {
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
