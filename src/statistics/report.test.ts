import { expect, it } from 'vitest';
import { wordsOf } from '../domain/words/words.ts';
import { lastPeriod, type Report, reportHtml, reportText } from './report.ts';

const at = (time: string): number => Date.parse(time);
const spanOf = (period: 'day' | 'week', zone: string, time: string, hour = 7) => {
  const span = lastPeriod(period, zone, hour, at(time));
  const moment = (quarter: number): string => new Date(quarter * 900_000).toISOString();
  return [
    span.firstDay,
    span.lastDay,
    moment(span.fromQuarter),
    moment(span.toQuarter),
    new Date(span.dueAtMs).toISOString(),
  ];
};

it('a day is the last whole one of the time zone, and is due at an hour of the next', () => {
  expect(spanOf('day', 'Asia/Kolkata', '2026-11-17T20:00:00Z')).toEqual([
    '2026-11-17',
    '2026-11-17',
    '2026-11-16T18:30:00.000Z',
    '2026-11-17T18:30:00.000Z',
    '2026-11-18T01:30:00.000Z',
  ]);
});

it('a week is from Monday to Sunday, and is due on Monday', () => {
  const week = ['2026-11-09', '2026-11-15', '2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'];
  expect(spanOf('week', 'UTC', '2026-11-16T00:00:00Z')).toEqual([...week, '2026-11-16T07:00:00.000Z']);
  expect(spanOf('week', 'UTC', '2026-11-22T23:59:00Z').slice(0, 4)).toEqual(week);
  expect(spanOf('week', 'UTC', '2026-11-23T00:00:00Z')[0]).toBe('2026-11-16');
});

it('days on which clocks change have 23 and 25 hours, and the hour of the mail is that of the clocks', () => {
  const [, , from, to, due] = spanOf('day', 'Europe/Berlin', '2026-10-26T12:00:00Z');
  expect([from, to]).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  expect(due).toBe('2026-10-26T06:00:00.000Z');
});

it('names of strangers are text in the mail, not markup, and stay on one line', () => {
  const report: Report = {
    period: 'day',
    from: '',
    to: '',
    timezone: 'UTC',
    subject: 'Calls of A & B',
    sections: [
      { title: 'Agents', columns: ['Agent', 'Offered'], rows: [['<b>"Eve"\r\nBcc: x', '3']], left_off: 2 },
    ],
  };
  const html = reportHtml(report, wordsOf({ language: 'en' }));
  expect(html).toContain('&#60;b&#62;&#34;Eve&#34;  Bcc: x');
  expect(html).not.toContain('<b>');
  expect(reportText(report, wordsOf({ language: 'en' })).split('\n')).toEqual([
    'Calls of A & B',
    'Time zone: UTC',
    '',
    'AGENTS',
    '- <b>"Eve"  Bcc: x: Offered: 3',
    '2 more: see Statistics in the console.',
    '',
  ]);
  const hindi = wordsOf({ language: 'hi' });
  expect(reportText(report, hindi)).toContain('समय क्षेत्र: UTC\n');
  expect(reportHtml(report, hindi)).toContain('<p>2 और: कंसोल में आँकड़े देखें।</p>');
});
