import { expect, test } from 'vitest';
import { readBehaviour, readScenario } from './scenario.ts';

const pointersOf = (value: unknown): string[] => {
  const reading = readScenario(value);
  return reading.ok ? [] : reading.faults.map(({ pointer }) => pointer);
};

test.each(['9,wait,1', null, 5, []])('%j is no scenario: a scenario is an object', (value) => {
  expect(readScenario(value)).toEqual({
    ok: false,
    faults: [{ pointer: '', message: 'A scenario is an object.' }],
  });
});

test('an empty scenario says nothing about time, caller and seed', () => {
  const scenario = { script: [], agents: {}, idleSince: {}, lastRung: {}, waiting: {}, signedOut: {} };
  expect(readScenario({})).toStrictEqual({ ok: true, scenario });
});

test('a scenario takes place from 1970 until before 2200', () => {
  const taken = ['1970-01-01T00:00:00.000Z', '2199-12-31T23:59:59.999Z'];
  for (const at of taken)
    expect(readScenario({ at })).toMatchObject({ scenario: { epochMs: Date.parse(at) } });
  for (const at of ['1969-12-31T23:59:59.999Z', '2200-01-01T00:00:00.000Z', 'tomorrow', 5])
    expect(pointersOf({ at })).toEqual(['/at']);
});

test('a caller is a number or null', () => {
  expect(readScenario({ caller: '+4930123' })).toMatchObject({ scenario: { caller: '+4930123' } });
  expect(readScenario({ caller: null })).toMatchObject({ scenario: { caller: null } });
  expect(pointersOf({ caller: 5 })).toEqual(['/caller']);
});

test('from 0 to 1000 callers can wait before this one', () => {
  for (const count of [0, 1, 1_000])
    expect(readScenario({ waiting: { d: count } })).toMatchObject({ scenario: { waiting: { d: count } } });
  for (const count of [-1, 1_001, 1.5, '2', null])
    expect(pointersOf({ waiting: { d: count } })).toEqual(['/waiting/d']);
});

test('one fault is enough to refuse a scenario, wherever it is', () => {
  expect(pointersOf({ script: '1,wiat' })).toEqual(['/script']);
  expect(pointersOf({ seed: 1.5 })).toEqual(['/seed']);
  expect(pointersOf({ idle_since: { a: null } })).toEqual(['/idle_since/a']);
  expect(pointersOf({ last_rung: [] })).toEqual(['/last_rung']);
  expect(pointersOf({ agents: 'busy' })).toEqual(['/agents']);
});

test('an agent neither presses keys nor hangs up', () => {
  for (const word of ['hangup', 'hang-up', '1', 'wait 5s'])
    expect(readBehaviour(word)).toContain('An agent does');
});
