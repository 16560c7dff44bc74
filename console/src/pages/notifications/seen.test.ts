import { expect, it } from 'vitest';
import type { Notification } from '../../../../client/operations.ts';
import { firstSeen, MOST_SHOWN, shownOf, unseenOf, withChange } from './seen.ts';

const notification = (id: string, closed_at: string | null = null): Notification =>
  ({ id, type: 'trunk_down', closed_at }) as Notification;
const ids = (all: readonly Notification[]): string => all.map(({ id }) => id).join('');

it('what came after the last one that was seen is new; at first what goes on, and what came after it', () => {
  const all = [notification('c', 'then'), notification('b'), notification('a', 'then')];
  expect(ids(unseenOf(all, null))).toBe('');
  expect(ids(unseenOf(all, 'a'))).toBe('cb');
  expect(ids(unseenOf(all, 'c'))).toBe('');
  expect(ids(unseenOf(all, firstSeen(all)))).toBe('cb');
  const over = all.filter(({ id }) => id !== 'b');
  expect(ids(unseenOf(over, firstSeen(over)))).toBe('');
  expect(ids(unseenOf([notification('d', 'then')], firstSeen([])))).toBe('d');
});

it('one that closes replaces itself, a new one comes first, and the oldest leaves a full list', () => {
  const all = [notification('c'), notification('a')];
  expect(ids(withChange(all, notification('b')))).toBe('cba');
  expect(withChange(all, notification('a', 'now'))[1]?.closed_at).toBe('now');
  const full = Array.from({ length: MOST_SHOWN }, (_, index) =>
    notification(String(index + 100), 'then'),
  ).reverse();
  expect(withChange(full, notification('999')).map(({ id }) => id)).not.toContain('100');
});

it('what goes on stays however many came after it, until it is over', () => {
  const latest = Array.from({ length: MOST_SHOWN }, (_, index) => notification(String(index + 100), 'then'));
  const shown = shownOf(latest, [notification('050'), notification('100', 'then')]);
  expect([shown.length, shown.at(-1)?.id]).toEqual([MOST_SHOWN + 1, '050']);
  const after = withChange(shown, notification('999', 'then'));
  expect([after.length, after.at(-1)?.id, after.at(-2)?.id]).toEqual([MOST_SHOWN + 1, '050', '101']);
  expect(withChange(after, notification('050', 'now')).map(({ id }) => id)).not.toContain('050');
});
