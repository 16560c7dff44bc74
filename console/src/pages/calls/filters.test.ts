import { afterEach, expect, it, vi } from 'vitest';
import { addressOf, filtersOf, isNarrowed, NO_FILTERS, questionOf } from './filters.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('goes into the address of the page and comes back', () => {
  const filters = { ...NO_FILTERS, q: 'a&b=c', outcome: 'missed', from: '2026-11-01' };
  expect(addressOf(filters)).toBe('?q=a%26b%3Dc&outcome=missed&from=2026-11-01');
  expect(filtersOf(new URLSearchParams(addressOf(filters)))).toEqual(filters);
  expect(addressOf(NO_FILTERS)).toBe('');
  expect([isNarrowed(NO_FILTERS), isNarrowed(filters)]).toEqual([false, true]);
});

it('asks for whole days where the viewer is, the last one included', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  expect(questionOf({ ...NO_FILTERS, from: '2026-11-01', to: '2026-11-01' })).toEqual({
    from: '2026-10-31T18:30:00.000Z',
    to: '2026-11-01T18:30:00.000Z',
  });
  // The day on which clocks go back has 25 hours.
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(questionOf({ ...NO_FILTERS, from: '2026-10-25', to: '2026-10-25' })).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  });
});

it('asks for the hour that statistics name, and for what became of calls in queues', () => {
  const from = '2026-11-10T09:00:00+01:00';
  expect(
    questionOf({ ...NO_FILTERS, from, to: '2026-11-10T10:00:00+01:00', queue: 'in_time', offered: '7' }),
  ).toEqual({
    from: '2026-11-10T08:00:00.000Z',
    to: '2026-11-10T09:00:00.000Z',
    queue: 'in_time',
    offered: '7',
  });
  expect(questionOf({ ...NO_FILTERS, from: '2026-11-10T99:00', queue: 'lost' })).toEqual({});
});

it('asks for nothing that the API does not know, whatever the address says', () => {
  expect(questionOf({ ...NO_FILTERS, outcome: 'wonderful', direction: 'up', from: 'soon' })).toEqual({});
  expect(questionOf({ ...NO_FILTERS, outcome: 'unanswered', ivr: 'main', caller: '+49' })).toEqual({
    outcome: 'unanswered',
    ivr: 'main',
    caller: '+49',
  });
});
