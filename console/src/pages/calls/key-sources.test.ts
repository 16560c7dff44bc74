import { expect, it } from 'vitest';
import { type Key, keysOfSteps, type Step } from './key-sources.ts';

const step = (at_ms: number, code: string, keys?: string): Step => ({
  at_ms,
  code,
  text: '',
  ...(keys === undefined ? {} : { keys }),
});
const key = (at_ms: number, pressed: string, source: Key['source']): Key => ({ at_ms, key: pressed, source });

it('finds the key of each step, in order, also where one key is pressed twice', () => {
  const steps = [
    step(0, 'call-started'),
    step(900, 'key-pressed', '1'),
    step(1400, 'key-pressed', '1'),
    step(1400, 'option-matched', '11'),
  ];
  const found = keysOfSteps(steps, [key(900, '1', 'info'), key(1399, '1', 'rfc4733')]);
  expect(found.map((each) => each?.source ?? null)).toEqual([null, 'info', 'rfc4733', null]);
});

it('claims nothing where it does not know', () => {
  expect(keysOfSteps([step(900, 'key-pressed', '2')], [])).toEqual([null]);
  expect(keysOfSteps([step(900, 'key-pressed', '2')], [key(9000, '2', 'in-band')])).toEqual([null]);
});
