import { expect, test } from 'vitest';
import { ForeignAccount } from './foreign-account.ts';
import { StudioVariables } from './studio-variables.ts';

/** With a try for each name before it, these would be billions. */
const MANY = 50_000;

test('equal names get numbers of their own, and many of them are no slower than few', () => {
  const account = new ForeignAccount();
  expect(account.nameFor('ivr', 'Sales (2)')).toBe('Sales (2)');
  expect([1, 2, 3].map(() => account.nameFor('ivr', 'Sales'))).toEqual(['Sales', 'Sales (3)', 'Sales (4)']);
  expect(account.nameFor('announcement', 'Sales')).toBe('Sales');
  const names = Array.from({ length: MANY }, () => account.nameFor('ivr', 'Menu'));
  expect(new Set(names).size).toBe(MANY);
  expect(names.at(-1)).toBe(`Menu (${MANY})`);
});

test('long names that differ in their last letters alone are no slower, and stay within their length', () => {
  const account = new ForeignAccount();
  const long = (at: number) => `${'x'.repeat(96)}${String(at % (MANY / 5)).padStart(4, '0')}`;
  const names = Array.from({ length: MANY }, (_, at) => account.nameFor('ivr', long(at)));
  expect(new Set(names).size).toBe(MANY);
  expect(Math.max(...names.map(({ length }) => length))).toBe(100);
});

test('variables whose names are alike get numbers of their own, as fast', () => {
  const variables = new StudioVariables(new ForeignAccount());
  const names = Array.from({ length: MANY }, (_, at) =>
    variables.named(`order${'!'.repeat((at % 3) + 1)}${at}`),
  );
  expect(new Set(names).size).toBe(MANY);
  const same = Array.from({ length: MANY }, (_, at) => variables.digitsOf(`${'y'.repeat(40)}${at}`));
  expect(new Set(same).size).toBe(MANY);
});
