import { expect, it } from 'vitest';
import { LegCounts } from './leg-counts.ts';

const agent = { key: 'agent acme/1', most: 2, status: 486 } as const;
const account = { key: 'account acme', most: 3, status: 503 } as const;

it('legs are counted against every quota, and refused by the first that is full', () => {
  const counts = new LegCounts();
  const ends = [counts.begin([agent, account]), counts.begin([agent, account])];
  expect(counts.full([agent, account])).toBe(agent);
  expect(counts.begin([agent, account])).toBeNull();
  const third = counts.begin([account]);
  expect(third).not.toBeNull();
  expect(counts.full([account])).toBe(account);
  for (const end of [...ends, ...ends, third]) end?.();
  expect(counts.full([agent, account])).toBeNull();
  expect(counts.keys).toBe(0);
});

it('a quota of 0 admits none, and no quota admits all', () => {
  const counts = new LegCounts();
  expect(counts.begin([{ ...agent, most: 0 }])).toBeNull();
  expect(counts.begin([])).not.toBeNull();
});
