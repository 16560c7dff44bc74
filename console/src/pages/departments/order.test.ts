import { expect, test } from 'vitest';
import { movedTo } from './order.ts';

test('An item moves up and down, and stays within the list.', () => {
  expect(movedTo(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(movedTo(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(movedTo(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  expect(movedTo(['a', 'b', 'c'], 2, 3)).toEqual(['a', 'b', 'c']);
  expect(movedTo([], 0, 0)).toEqual([]);
});
