import { expect, test } from 'vitest';
import { afterOption, afterPlace, NO_WAY } from './own-path.ts';

test('the way has each place once, and the last one is where the call is', () => {
  const way = ['ivr||a', null, 'ivr||b', 'ivr||a'].reduce(afterPlace, NO_WAY);
  expect(way).toEqual({ visited: ['ivr||a', 'ivr||b'], current: 'ivr||a', edges: [] });
  expect(afterPlace(way, 'ivr||a')).toBe(way);
});

test('an option lights its line, also when the call has moved on before it is reported', () => {
  const moved = ['ivr||a', 'ivr||b'].reduce(afterPlace, NO_WAY);
  const event = { node: 'ivr||a', keys: '1', destination: 'ivr||b' };
  const lit = afterOption(moved, event);
  expect(lit.edges).toEqual([{ from: 'ivr||a', label: '1', to: 'ivr||b' }]);
  expect(lit.current).toBe('ivr||b');
  expect(afterOption(lit, event)).toBe(lit);
});

test('an option without place or keys changes nothing', () => {
  expect(afterOption(NO_WAY, { keys: '1' })).toBe(NO_WAY);
  expect(afterOption(NO_WAY, { node: 'ivr||a' })).toBe(NO_WAY);
});
