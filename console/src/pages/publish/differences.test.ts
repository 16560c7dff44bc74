import { expect, it } from 'vitest';
import { memberChanges } from './differences.ts';

it('a change is each member that differs, but not one that is empty in another way', () => {
  const before = { name: 'Sales', agents: ['1'], description: '', failover_destination: null, queue: false };
  const after = { name: 'Sales desk', agents: ['1', '2'], failover_destination: 'ivr||main', queue: null };
  expect(memberChanges(before, after)).toEqual([
    { member: 'name', from: 'Sales', to: 'Sales desk' },
    { member: 'agents', from: ['1'], to: ['1', '2'] },
    { member: 'failover_destination', from: null, to: 'ivr||main' },
  ]);
  expect(memberChanges(before, before)).toEqual([]);
});

it('a new record is what it has, a deleted one what it had', () => {
  expect(memberChanges(null, { name: 'Billing', agents: [] })).toEqual([
    { member: 'name', from: null, to: 'Billing' },
  ]);
  expect(memberChanges({ name: 'Billing' }, null)).toEqual([{ member: 'name', from: 'Billing', to: null }]);
});
