import { expect, it } from 'vitest';
import { NOTHING_LIVE } from '../../calls/live/live-view.ts';
import { rowsOf } from './live-rows.ts';

const call = (id: string, node: string, waiting_since: string | null) => ({
  id,
  state: 'queue' as const,
  node,
  agent: null,
  waiting_since,
});

it('a queue has the callers who wait in it; a parked call waits in none', () => {
  const { queues, calls } = rowsOf({
    ...NOTHING_LIVE,
    calls: [
      call('a', 'department||sales', '2026-11-05T10:00:05.000Z'),
      call('b', 'department||sales', '2026-11-05T10:00:00.000Z'),
      call('c', 'department||sales', null),
      call('parked', 'department||parking 701', '2026-11-05T09:00:00.000Z'),
    ],
  });
  expect([...queues.values()].map((text) => JSON.parse(text))).toEqual([
    { department: 'sales', waiting: 2, longest_since: '2026-11-05T10:00:00.000Z' },
  ]);
  expect(calls.size).toBe(4);
});
