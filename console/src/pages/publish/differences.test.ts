import { expect, it } from 'vitest';
import { memberChanges, shownChange } from './differences.ts';

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

it('of a long list what changed is shown, whole, wherever it stands', () => {
  const rules = Array.from({ length: 50 }, (_, at) => ({ value: String(at), destination: 'department||a' }));
  const other = { value: '40', destination: 'number||premium' };
  expect(shownChange(rules, rules.with(40, other))).toEqual({
    from: [rules[40]],
    to: [other],
    head: true,
    tail: true,
  });
  expect(shownChange(rules, rules.slice(0, 49))).toEqual({
    from: [rules[49]],
    to: [],
    head: true,
    tail: false,
  });
  const body = Object.fromEntries(rules.map(({ value }) => [`member${value}`, 'x']));
  expect(shownChange(body, { ...body, member30: 'y' })).toMatchObject({
    from: { member30: 'x' },
    to: { member30: 'y' },
  });
  const text = 'x'.repeat(1000);
  expect(shownChange(text, `${text}y`)).toMatchObject({ from: text, to: `${text}y` });
  expect(shownChange(['a', 'b'], ['a', 'c'])).toMatchObject({
    from: ['a', 'b'],
    to: ['a', 'c'],
    head: false,
  });
});
