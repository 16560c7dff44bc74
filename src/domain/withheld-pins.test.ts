import { expect, it } from 'vitest';
import { workOf } from '../../test/support/work.ts';
import { isWithheld, pinsIn, typesPin, WITHHELD, withoutPins } from './withheld-pins.ts';

const pins = pinsIn(['471982', '8355', '']);
const scriptOf = (script: unknown) => withoutPins({ name: 'enters', script, expect: {} }, pins)['script'];

it('keys that a PIN is typed by are left out, whichever steps press them', () => {
  expect(scriptOf('1,471982#')).toBe(`1,${WITHHELD}`);
  expect(scriptOf('1,471982#@2s,answer')).toBe(`1,${WITHHELD}@2000ms,answer`);
  expect(scriptOf('1471982#')).toBe(WITHHELD);
  expect(scriptOf('1,47,wait 1s,1982,5')).toBe(`1,${WITHHELD},wait 1000ms,${WITHHELD},5`);
  expect(scriptOf('1,47*471982')).toBe(`1,${WITHHELD}`);
  expect(scriptOf('2,8355,1,471982')).toBe(`2,${WITHHELD},1,${WITHHELD}`);
});

it('a script of steps stays one', () => {
  const steps = [
    { do: 'press', keys: '1' },
    { do: 'press', keys: '471982#', afterMs: 100 },
    { do: 'answer' },
  ];
  expect(scriptOf(steps)).toEqual([
    { do: 'press', keys: '1' },
    { do: 'press', keys: WITHHELD, afterMs: 100 },
    { do: 'answer' },
  ]);
});

it('a test that types no PIN is shown as it is', () => {
  for (const script of ['1,2,3', '4719', '47#1982', 'wait,9', '', undefined, 7]) {
    const test = { name: 'x', script };
    expect(withoutPins(test, pins)).toBe(test);
    expect(typesPin(test, pins)).toBe(false);
  }
});

it('many rooms cost no more than few', async () => {
  const rooms = (count: number) =>
    pinsIn(Array.from({ length: count }, (_, index) => String(1_000_000 + index)));
  const script = '1,2,3,4567,8900,'.repeat(10).slice(0, -1);
  const [few, many] = [rooms(20), rooms(200_000)];
  const [least, most] = await workOf<typeof import('./withheld-pins.ts')>(
    new URL('./withheld-pins.ts', import.meta.url),
    [few, many].map((each) => (module) => {
      expect(module.typesPin({ name: 'x', script }, each)).toBe(false);
    }),
  );
  expect(least).toBeGreaterThan(300);
  expect(most).toBe(least);
});

it('what was left out can be told from what was typed', () => {
  const test = { name: 'enters', script: '1,471982#' };
  expect([isWithheld(test), isWithheld(withoutPins(test, pins))]).toEqual([false, true]);
  expect(isWithheld({ name: 'x' })).toBe(false);
});
