// The report of a day or a week: the figures of an account's statistics, beside those of a week before, as text and as HTML.
import { localTime, offsetAt, quarterOfLocal } from '../domain/calendar.ts';
import { QUARTER_MS } from '../domain/call-counts.ts';
import type { Words } from '../domain/words/words.ts';
import type { StatisticsStorage } from '../storage/ports/statistics.ts';
import { type AccountStatistics, accountStatistics, DAY_QUARTERS, type Names } from './account-statistics.ts';
import { type DeletedNamesStorage, deletedNamesFor } from './deleted-names.ts';
import { type Sheet, valueText } from './sheet.ts';
import { figuresOf, statisticsSheet } from './statistics-sheets.ts';

export const REPORT_PERIODS = ['day', 'week'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** Rows of a table in a report; the sheets on the page Statistics have all. */
const MAX_ROWS = 50;
const WEEK = 7 * DAY_QUARTERS;

export interface ReportSpan {
  readonly period: ReportPeriod;
  /** The first and the last day, `2026-11-16`. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly fromQuarter: number;
  readonly toQuarter: number;
  /** When it is sent: at an hour of the day after. */
  readonly dueAtMs: number;
}

/** The last whole day, or the last week from Monday to Sunday, before a moment. */
export function lastPeriod(period: ReportPeriod, zone: string, hour: number, nowMs: number): ReportSpan {
  const now = Math.floor(nowMs / QUARTER_MS);
  const today = Math.floor((now + offsetAt(zone, now)) / DAY_QUARTERS);
  // Day 0 was a Thursday.
  const end = period === 'day' ? today : today - ((today + 3) % 7);
  const start = end - (period === 'day' ? 1 : 7);
  const dayName = (day: number): string =>
    new Date(day * DAY_QUARTERS * QUARTER_MS).toISOString().slice(0, 10);
  return {
    period,
    firstDay: dayName(start),
    lastDay: dayName(end - 1),
    fromQuarter: quarterOfLocal(zone, start * DAY_QUARTERS),
    toQuarter: quarterOfLocal(zone, end * DAY_QUARTERS),
    dueAtMs: quarterOfLocal(zone, end * DAY_QUARTERS + hour * 4) * QUARTER_MS,
  };
}

export interface ReportSection {
  readonly title: string;
  readonly columns: readonly string[];
  /** All values as text; the first of a row names it. */
  readonly rows: readonly (readonly string[])[];
  /** How many rows are left out. */
  readonly left_off: number;
}

export interface Report {
  readonly period: ReportPeriod;
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly subject: string;
  readonly sections: readonly ReportSection[];
}

export interface ReportedAccount {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  readonly serviceLevelSeconds: number;
  readonly words: Words;
}

export async function makeReport(
  storage: StatisticsStorage & DeletedNamesStorage,
  account: ReportedAccount,
  names: Names,
  span: ReportSpan,
): Promise<Report> {
  const { zone, serviceLevelSeconds, words } = account;
  const figures = (shift: number): Promise<AccountStatistics> => {
    const { fromQuarter, toQuarter } = shifted(span, zone, shift);
    const asked = { accountId: account.id, zone, by: 'none', fromQuarter, toQuarter } as const;
    return accountStatistics(storage, asked, names, serviceLevelSeconds);
  };
  const [now, before] = await Promise.all([figures(0), figures(WEEK)]);
  const deletedName = await deletedNamesFor(storage, account.id, now);
  const time = (quarter: number): string => localTime(quarter, offsetAt(zone, quarter));
  const days = span.period === 'day' ? span.firstDay : words.report.days(span.firstDay, span.lastDay);
  return {
    period: span.period,
    from: time(span.fromQuarter),
    to: time(span.toQuarter),
    timezone: zone,
    subject: words.report.subject(account.name, days),
    sections: [
      totalsSection(now, before, words),
      sectionOf(statisticsSheet(now, 'departments', words, deletedName)),
      sectionOf(statisticsSheet(now, 'agents', words, deletedName)),
    ],
  };
}

/** The same days of the week before, by the clocks of the zone. */
function shifted(
  { fromQuarter, toQuarter }: ReportSpan,
  zone: string,
  quarters: number,
): Pick<ReportSpan, 'fromQuarter' | 'toQuarter'> {
  const moved = (quarter: number): number =>
    quarterOfLocal(zone, quarter + offsetAt(zone, quarter) - quarters);
  return quarters === 0
    ? { fromQuarter, toQuarter }
    : { fromQuarter: moved(fromQuarter), toQuarter: moved(toQuarter) };
}

const shown = (text: string): string => (text === '' ? '–' : text);

function totalsSection(
  { totals }: AccountStatistics,
  before: AccountStatistics,
  words: Words,
): ReportSection {
  const { allCalls, figure, value: heading, weekBefore } = words.report;
  return {
    title: allCalls,
    columns: [figure, heading, weekBefore],
    rows: figuresOf(totals, before.totals, words).map(({ title, kind, value, before: former }) => [
      title,
      shown(valueText(value, kind)),
      shown(valueText(former, kind)),
    ]),
    left_off: 0,
  };
}

function sectionOf({ name, columns, rows }: Sheet): ReportSection {
  return {
    title: name,
    columns: columns.map(({ title }) => title),
    rows: rows
      .slice(0, MAX_ROWS)
      .map((row) => row.map((value, index) => shown(valueText(value, columns[index]?.kind ?? 'text')))),
    left_off: Math.max(0, rows.length - MAX_ROWS),
  };
}

/** One line a value: tables of thirteen columns fit no mail of text. */
export function reportText({ subject, timezone, sections }: Report, { report }: Words): string {
  const lines = [subject, report.timezone(timezone)];
  for (const { title, columns, rows, left_off } of sections) {
    lines.push('', title.toUpperCase());
    if (rows.length === 0) lines.push(report.none);
    for (const [name = '', ...values] of rows) {
      const pairs = values.map((value, index) => `${columns[index + 1] ?? ''}: ${value}`);
      lines.push(`- ${oneLine(name)}: ${pairs.join('; ')}`);
    }
    if (left_off > 0) lines.push(report.more(left_off));
  }
  return `${lines.join('\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/\p{C}/gu, ' ');
const escaped = (text: string): string =>
  oneLine(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const CELL = 'padding:4px 10px;border-bottom:1px solid #d3d9d6;white-space:nowrap';

export function reportHtml({ subject, timezone, sections }: Report, { report }: Words): string {
  const tables = sections.map(({ title, columns, rows, left_off }) => {
    const align = (index: number): string => `text-align:${index === 0 ? 'left' : 'right'}`;
    const head = columns.map((name, index) => `<th style="${CELL};${align(index)}">${escaped(name)}</th>`);
    const body = rows.map(
      (row) =>
        `<tr>${row.map((value, index) => `<td style="${CELL};${align(index)}">${escaped(value)}</td>`).join('')}</tr>`,
    );
    const rest = left_off > 0 ? `<p>${escaped(report.more(left_off))}</p>` : '';
    const table = `<table style="border-collapse:collapse"><tr>${head.join('')}</tr>${body.join('')}</table>`;
    return `<h2>${escaped(title)}</h2>${rows.length === 0 ? `<p>${escaped(report.none)}</p>` : table}${rest}`;
  });
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font-family:sans-serif;color:#17211f"><h1 style="font-size:20px">${escaped(subject)}</h1>
<p>${escaped(report.timezone(timezone))}</p>${tables.join('\n')}</body></html>
`;
}
