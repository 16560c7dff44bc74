import { expect, it } from 'vitest';
import { rangeOf } from '../../kit/table-selection.tsx';
import { runBulk } from './run-bulk.ts';

const items = Array.from({ length: 11 }, (_, index) => ({ id: `r${index}`, name: `Record ${index}` }));

it('reports the result of each record in order, and goes on after a failure', async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  const results = await runBulk(
    items,
    async (id) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (id === 'r3') throw new Error('in use');
    },
    (done) => seen.push(done),
  );
  expect(results.map(({ item }) => item.id)).toEqual(items.map(({ id }) => id));
  expect(results.filter(({ error }) => error !== null)).toEqual([
    { item: items[3], error: new Error('in use') },
  ]);
  expect(most).toBe(4);
  expect(seen).toEqual(items.map((_, index) => index + 1));
});

it('does nothing without records', async () => {
  expect(
    await runBulk(
      [],
      async () => undefined,
      () => undefined,
    ),
  ).toEqual([]);
});

it('selects a range in both directions, and one row without a beginning', () => {
  const keys = ['a', 'b', 'c', 'd'];
  expect(rangeOf(keys, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(rangeOf(keys, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(rangeOf(keys, null, 'c')).toEqual(['c']);
  expect(rangeOf(keys, 'gone', 'c')).toEqual(['c']);
});
