import { expect, test } from 'vitest';
import { exampleOf, linesOf } from './rules.ts';

test('A rule takes away and puts before.', () => {
  expect(exampleOf({ prefix: '+49', strip: 3, add: '0' })).toEqual({
    dialled: '+4912345678',
    sent: '012345678',
  });
  expect(exampleOf({ prefix: '0', strip: null, add: '' })).toEqual({
    dialled: '01234567890',
    sent: '01234567890',
  });
});

test('A prefix that is none has no example.', () => {
  expect(exampleOf({ prefix: '', strip: 0, add: '' })).toBeNull();
  expect(exampleOf({ prefix: 'abc', strip: 0, add: '' })).toBeNull();
});

test('Entries stand in lines of their own, or behind commas.', () => {
  expect(linesOf(' 192.0.2.1\n\n2001:db8::/32, 198.51.100.7;')).toEqual([
    '192.0.2.1',
    '2001:db8::/32',
    '198.51.100.7',
  ]);
  expect(linesOf(' ')).toEqual([]);
});
