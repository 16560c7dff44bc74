import { expect, it } from 'vitest';
import {
  ACCOUNT_LIMITS,
  DEFAULT_LIMITS,
  FIRST_ACCOUNT,
  FIRST_LIMITS,
  LIMIT_NAMES,
  limitsOf,
  limitText,
  rangeOf,
  readLimit,
} from './account-limits.ts';

it('private networks are for the first account alone unless the operator allows them', () => {
  expect([DEFAULT_LIMITS.private_networks, FIRST_LIMITS.private_networks]).toEqual([false, true]);
});

it('every default is a value that the command takes', () => {
  for (const name of LIMIT_NAMES) {
    const { fallback, first } = ACCOUNT_LIMITS[name];
    for (const value of [fallback, first]) expect(readLimit(name, limitText(value))).toBe(value);
  }
});

it('what is stored is completed, and what is unknown or out of range is ignored', () => {
  expect(limitsOf({ max_calls: 7, wide_networks: true })).toEqual({
    ...DEFAULT_LIMITS,
    max_calls: 7,
    wide_networks: true,
  });
  expect(limitsOf({ max_calls: -1, private_networks: 'on', of_a_later_version: 5 })).toEqual(DEFAULT_LIMITS);
  expect(limitsOf({ ...FIRST_ACCOUNT, max_calls: 7 })).toEqual({ ...FIRST_LIMITS, max_calls: 7 });
  expect(limitsOf({ max_calls: 1.5 })).toEqual(DEFAULT_LIMITS);
});

it.each([
  ['private_networks', 'on', true],
  ['private_networks', 'off', false],
  ['private_networks', '1', undefined],
  ['max_calls', '0', 0],
  ['max_calls', '100000', 100_000],
  ['max_calls', '100001', undefined],
  ['max_calls', '-1', undefined],
  ['max_calls', '1e3', undefined],
  ['max_calls', '', undefined],
  ['max_calls', 'default', null],
] as const)('%s=%s is read as %s', (name, text, value) => {
  expect(readLimit(name, text)).toBe(value);
});

it('says which values there are', () => {
  expect([rangeOf('wide_networks'), rangeOf('max_calls')]).toEqual(['on or off', '0 to 100000']);
});
