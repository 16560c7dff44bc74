import { expect, test } from 'vitest';
import { EventHeap } from './event-heap.ts';

test('events come by their time, and at the same time in the order in which they were planned', () => {
  const heap = new EventHeap<number>();
  const planned = Array.from({ length: 60 }, (_, index) => ({ atMs: (index * 7) % 5, item: index }));
  for (const { atMs, item } of planned) heap.push(atMs, item);
  const come: (typeof planned)[number][] = [];
  for (let next = heap.pop(); next; next = heap.pop()) come.push({ atMs: next.atMs, item: next.item });
  expect(come).toEqual(planned.sort((one, other) => one.atMs - other.atMs || one.item - other.item));
});

test('an event is due at its moment and not a millisecond before', () => {
  const heap = new EventHeap<string>();
  heap.push(10, 'due');
  expect(heap.pop(9)).toBeUndefined();
  expect(heap.pop(10)?.item).toBe('due');
  expect(heap.pop()).toBeUndefined();
});
