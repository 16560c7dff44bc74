import { describe, expect, it } from 'vitest';
import { digitsOf, type Entry, found, MOST_FOUND } from './find.ts';

const entry = (label: string, more: Partial<Entry> = {}): Entry => ({
  id: label,
  label,
  group: 'g',
  rank: 0,
  ...more,
});
const labels = (entries: readonly Entry[], text: string) => found(entries, text).map(({ label }) => label);

describe('the command palette finds', () => {
  const all = [
    entry('Sales night', { note: 'Department' }),
    entry('José Sales', { also: ['100007', '2101'] }),
    entry('Wholesale'),
    entry('Sales'),
    entry('+4930555010', { note: 'Main number' }),
  ];

  it('the exact name first, then beginnings, then parts', () => {
    expect(labels(all, 'sales')).toEqual(['Sales', 'Sales night', 'José Sales']);
    expect(labels(all, 'sale')).toEqual(['Sales night', 'Sales', 'José Sales', 'Wholesale']);
  });

  it('all words in any order, without accents and capitals', () => {
    expect(labels(all, 'SALES jose')).toEqual(['José Sales']);
    expect(labels(all, 'sales moon')).toEqual([]);
  });

  it('ids and numbers, however the number is written', () => {
    expect(labels(all, '100007')).toEqual(['José Sales']);
    expect(labels(all, '030 555-010')).toEqual(['+4930555010']);
    expect(labels(all, '+49 30 555010')).toEqual(['+4930555010']);
    expect([digitsOf('12'), digitsOf('7a'), digitsOf('(030) 55')]).toEqual([null, null, '3055']);
  });

  it('a bounded number of entries, together by group, the best group first', () => {
    const many = Array.from({ length: 500 }, (_, n) => entry(`Crew ${n}`, { group: n % 2 ? 'odd' : 'even' }));
    const shown = found([...many, entry('Crew 7 of us', { group: 'page' })], 'crew 7');
    expect(shown.length).toBeLessThanOrEqual(MOST_FOUND);
    expect(shown[0]?.label).toBe('Crew 7');
    const groups = shown.map(({ group }) => group).filter((group, at, list) => group !== list[at - 1]);
    expect(new Set(groups).size).toBe(groups.length);
  });
});
