import { expect, it } from 'vitest';
import { heatOf } from './heat-model.ts';

const hour = (start: string, calls: number, came = 0, inTime = 0, abandoned = 0) => ({
  start,
  calls,
  queue: {
    calls: came,
    answered: inTime,
    answered_in_time: inTime,
    abandoned,
    left: came - inTime - abandoned,
    service_level: null,
    average_answer_ms: null,
    abandoned_rate: null,
    average_abandon_ms: null,
  },
});

it('has a row for each day, a cell for each hour with calls or between, and the most calls shaded most', () => {
  const { rows, firstHour, lastHour } = heatOf(
    [
      hour('2026-11-10T07:00:00+01:00', 0),
      hour('2026-11-10T08:00:00+01:00', 1),
      hour('2026-11-10T09:00:00+01:00', 10),
      hour('2026-11-11T11:00:00+01:00', 5),
      hour('2026-11-11T12:00:00+01:00', 0),
    ],
    'calls',
  );
  expect([firstHour, lastHour]).toEqual([8, 11]);
  expect(rows.map(({ day, cells }) => [day, cells[8]?.value, cells[9]?.value, cells[11]?.value])).toEqual([
    ['2026-11-10', 1, 10, undefined],
    ['2026-11-11', undefined, undefined, 5],
  ]);
  expect(rows[0]?.cells.map((cell) => cell?.level).slice(7, 10)).toEqual([0, 1, 5]);
  expect(rows[0]?.cells[9]).toMatchObject({
    from: '2026-11-10T09:00:00+01:00',
    to: '2026-11-10T09:00:00.000Z',
  });
});

it('puts the two hours of the night when clocks go back into one cell that leads to both', () => {
  const { rows } = heatOf(
    [hour('2026-10-25T02:00:00+02:00', 1), hour('2026-10-25T02:00:00+01:00', 2)],
    'calls',
  );
  expect(rows[0]?.cells[2]).toMatchObject({
    value: 3,
    from: '2026-10-25T02:00:00+02:00',
    to: '2026-10-25T02:00:00.000Z',
  });
});

it('shades a low service level most, and leaves hours without queue calls empty', () => {
  const { rows } = heatOf(
    [
      hour('2026-11-10T08:00:00+01:00', 5, 4, 4),
      hour('2026-11-10T09:00:00+01:00', 5, 4, 1, 3),
      hour('2026-11-10T10:00:00+01:00', 5),
    ],
    'service_level',
  );
  expect(rows[0]?.cells.slice(8, 11).map((cell) => [cell?.value, cell?.level])).toEqual([
    [1, 0],
    [0.25, 4],
    [null, 0],
  ]);
});
