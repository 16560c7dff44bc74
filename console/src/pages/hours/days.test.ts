import { expect, it } from 'vitest';
import { dayOf, fieldOf, turned } from './days.ts';
import { holidaysOf, loadCalendar, withHolidays } from './national-holidays.ts';

it('shows a day of every year in this year, and reads it back', () => {
  expect(fieldOf('12-24', 2026)).toBe('2026-12-24');
  expect(fieldOf('02-29', 2026)).toBe('2028-02-29');
  expect(fieldOf('2027-01-02', 2026)).toBe('2027-01-02');
  expect(dayOf('2026-12-24', true)).toBe('12-24');
  expect(dayOf('2026-12-24', false)).toBe('2026-12-24');
  expect(dayOf('', true)).toBe('');
  expect(turned('12-24', false, 2026)).toBe('2026-12-24');
  expect(turned('2026-12-24', true, 2026)).toBe('12-24');
  expect(turned('', true, 2026)).toBe('');
});

it('lists the holidays of a country and of a part of it, from a day on', async () => {
  const calendar = await loadCalendar();
  expect(calendar.countries('en')).toContainEqual({ value: 'IN', label: 'India' });
  const india = holidaysOf(calendar, { country: 'IN', state: '', from: '2026-11-17', language: 'en' });
  expect(india).toContainEqual({ name: 'Republic Day', from: '2027-01-26', to: '', isPublic: true });
  expect(india.every(({ from }) => from >= '2026-11-17')).toBe(true);
  expect(calendar.states('DE', 'en').map(({ value }) => value)).toContain('BY');
  const named = (state: string) =>
    holidaysOf(calendar, { country: 'DE', state, from: '2027-01-01', language: 'en' }).filter(
      ({ from, isPublic }) => isPublic && from === '2027-01-06',
    );
  expect([named('BE').length, named('BY').length]).toEqual([0, 1]);
});

it('adds holidays once, and no more than a time group may have', () => {
  const christmas = { name: 'Christmas', from: '2026-12-25', to: '', times: '' };
  const added = withHolidays(
    [christmas],
    [
      { name: 'Christmas Day', from: '2026-12-25', to: '' },
      { name: 'New Year', from: '2027-01-01', to: '' },
    ],
  );
  expect(added.map(({ name }) => name)).toEqual(['Christmas', 'New Year']);
  const many = Array.from({ length: 250 }, (_, index) => ({
    name: `Day ${index}`,
    from: `d${index}`,
    to: '',
  }));
  expect(withHolidays([], many)).toHaveLength(200);
});
