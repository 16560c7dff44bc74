import { expect, test } from 'vitest';
import { bodyOf, draftOf, type HoursDraft, previewOf } from './hours-draft.ts';

const draft: HoursDraft = {
  name: 'Office',
  timezone: 'Europe/Berlin',
  weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
  exceptions: [{ name: 'Christmas', from: '12-24', to: '12-26', times: '' }],
  open_destination: 'department||support',
  closed_destination: '',
  closed_until: null,
};

test('What the form holds is what the API takes, and comes back the same.', () => {
  const body = bodyOf(draft);
  expect(body.exceptions).toEqual([{ name: 'Christmas', from: '12-24', to: '12-26', hours: [] }]);
  expect(body.closed_destination).toBeNull();
  const stored = {
    ...body,
    id: '1',
    weekly: body.weekly,
    exceptions: [{ name: 'Christmas', from: '12-24', to: '12-26', hours: [] }],
    open_now: true,
    exception_now: null,
    version: 1,
    created_at: '',
    updated_at: '',
  };
  expect(draftOf(stored)).toEqual(draft);
});

test('A single day has no end in the form, and its hours are a line of text.', () => {
  const stored = {
    ...bodyOf(draft),
    exceptions: [
      { name: 'Stock', from: '2026-12-30', to: '2026-12-30', hours: [{ from: '13:00', to: '15:00' }] },
    ],
    id: '1',
    open_now: true,
    exception_now: null,
    version: 1,
    created_at: '',
    updated_at: '',
  };
  expect(draftOf(stored).exceptions).toEqual([
    { name: 'Stock', from: '2026-12-30', to: '', times: '13:00-15:00' },
  ]);
});

test('Times that cannot be read are sent as they are, for the service to refuse.', () => {
  const wrong = { ...draft, exceptions: [{ name: 'x', from: '12-24', to: '', times: 'late' }] };
  expect(bodyOf(wrong).exceptions[0]?.hours).toEqual([{ from: 'late', to: 'late' }]);
});

test('The unsaved draft says whether it is open, dates and zone included.', () => {
  expect(previewOf(draft, Date.parse('2026-11-16T08:30:00Z'))).toEqual({
    open_now: true,
    exception_now: null,
    next: '2026-11-16T16:00:00.000Z',
  });
  expect(previewOf(draft, Date.parse('2026-12-24T08:30:00Z'))).toMatchObject({
    open_now: false,
    exception_now: 'Christmas',
  });
  const half = { ...draft, exceptions: [{ name: 'x', from: '2026-', to: '', times: '' }] };
  expect(previewOf(half, Date.parse('2026-11-16T08:30:00Z')).open_now).toBe(true);
});
