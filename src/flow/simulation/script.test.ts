import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseScript, readScript, type ScriptStep, scriptText } from './script.ts';

test('script reads keys, waits, hang-ups and what becomes of ringing phones', () => {
  expect(parseScript(' 9, wait ,wait 5s,12#@1.5s,busy,answer 8s,no-answer,unreachable,hangup')).toEqual({
    ok: true,
    steps: [
      { do: 'press', keys: '9' },
      { do: 'wait' },
      { do: 'wait', ms: 5_000 },
      { do: 'press', keys: '12#', afterMs: 1_500 },
      { do: 'busy' },
      { do: 'answer', afterMs: 8_000 },
      { do: 'no-answer' },
      { do: 'unreachable' },
      { do: 'hang-up' },
    ],
  });
  expect(parseScript('')).toEqual({ ok: true, steps: [] });
});

test.each([
  ['9,wiat,1', 3, 'wiat'],
  ['9,,1', 3, 'missing'],
  ['9,', 3, 'missing'],
  ['1,  wait 5x', 5, '5x'],
  ['1,12a', 3, '12a'],
  ['busy 5s', 1, 'takes nothing'],
  ['1@', 1, 'is not a time'],
  ['wait 99999m', 1, 'longer than a day'],
])('script %j is refused at character %i', (text, position, words) => {
  const reading = parseScript(text);
  expect(reading).toMatchObject({ ok: false, fault: { position } });
  expect(reading.ok ? '' : reading.fault.message).toContain(words);
});

test.each([
  [42, 1],
  [[{ do: 'press', keys: '9' }, { do: 'jump' }], 2],
  [[{ do: 'press' }], 1],
  [[{ do: 'wait', ms: -1 }], 1],
  [['9'], 1],
])('script %j is refused as JSON at step %i', (script, position) => {
  expect(readScript(script)).toMatchObject({ ok: false, fault: { position } });
});

const ms = fc.integer({ min: 0, max: 86_400_000 });
const keys = fc
  .array(fc.constantFrom(...'0123456789*#'), { minLength: 1, maxLength: 6 })
  .map((list) => list.join(''));
const anyStep: fc.Arbitrary<ScriptStep> = fc.oneof(
  fc.record({ do: fc.constant('press' as const), keys, afterMs: ms }, { requiredKeys: ['do', 'keys'] }),
  fc.record({ do: fc.constant('wait' as const), ms }, { requiredKeys: ['do'] }),
  fc.record({ do: fc.constant('answer' as const), afterMs: ms }, { requiredKeys: ['do'] }),
  fc.constantFrom<ScriptStep>({ do: 'hang-up' }, { do: 'busy' }, { do: 'unreachable' }, { do: 'no-answer' }),
);

test('script written as text or as JSON reads back the same', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 20 }), (steps) => {
      expect(parseScript(scriptText(steps))).toEqual({ ok: true, steps });
      expect(readScript(JSON.parse(JSON.stringify(steps)))).toEqual({ ok: true, steps });
    }),
    { numRuns: 300 },
  );
});

test('no text makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseScript(text);
    }),
  );
});

test('a script has a thousand steps at most, as text and as JSON', () => {
  const steps = (count: number): ScriptStep[] => Array.from({ length: count }, () => ({ do: 'wait' }));
  expect(readScript(steps(1_000)).ok).toBe(true);
  expect(readScript(steps(1_001))).toMatchObject({ fault: { position: 1_001 } });
  expect(parseScript(scriptText(steps(1_000))).ok).toBe(true);
  expect(parseScript(scriptText(steps(1_001)))).toMatchObject({ fault: { position: 5_001 } });
});

test('a time is at most a day, in any unit, with or without a space before the unit', () => {
  const wait = (text: string) => parseScript(`wait ${text}`);
  expect(wait('2m')).toMatchObject({ steps: [{ ms: 120_000 }] });
  expect(wait('5 s')).toMatchObject({ steps: [{ ms: 5_000 }] });
  expect(wait('86400000ms')).toEqual(wait('1440m'));
  expect(wait('1440m')).toMatchObject({ steps: [{ ms: 86_400_000 }] });
  expect(wait('86400001ms').ok).toBe(false);
  for (const ms of [0, 86_400_000])
    expect(readScript([{ do: 'wait', ms }])).toMatchObject({ steps: [{ ms }] });
  for (const ms of [1.5, 86_400_001, '5']) expect(readScript([{ do: 'wait', ms }]).ok).toBe(false);
});

test('no-answer and hang-up are read without their hyphen, too', () => {
  expect(parseScript('noanswer,hang-up')).toEqual(parseScript('no-answer,hangup'));
});

test('keys have one time at most, and are text in JSON', () => {
  expect(parseScript('1@2s@3s').ok).toBe(false);
  expect(readScript([{ do: 'press', keys: 5 }]).ok).toBe(false);
});

test.each([null, 5, '9', {}])('%j is no step: a step is an object with the member "do"', (step) => {
  expect(readScript([step])).toMatchObject({
    fault: { message: 'A step is an object with the member "do".' },
  });
});
