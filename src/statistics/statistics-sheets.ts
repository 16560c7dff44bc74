// The tables of an account's statistics: THE TABLE of their columns, for CSV, workbook and report alike.

import type { Words } from '../domain/words/words.ts';
import { referenceText } from '../kinds/reference.ts';
import type { AccountStatistics } from './account-statistics.ts';
import type { DeletedName } from './deleted-names.ts';
import type { ColumnKind, Sheet, SheetValue } from './sheet.ts';

type ColumnName = keyof Words['columns'];
type Column<Row> = readonly [
  name: ColumnName,
  kind: ColumnKind,
  value: (row: Row, nameOf: NameOf) => SheetValue,
];
/** The name to show; the name of what was deleted is found by its reference. */
type NameOf = (name: string | null, kind: 'extension' | 'department', id: string) => string;

export const STATISTICS_TABLES = ['totals', 'days', 'departments', 'agents'] as const;
export type StatisticsTable = (typeof STATISTICS_TABLES)[number];

type Totals = AccountStatistics['totals'];
type Department = AccountStatistics['departments'][number];
type Agent = AccountStatistics['agents'][number];

const NAME_WIDTH = 28;
/** What was deleted is named as long as its name is known. */
const naming =
  (words: Words, deletedName: DeletedName): NameOf =>
  (name, kind, id) =>
    name ?? words.deleted(deletedName(referenceText(kind, id)) ?? id);
/** For tables that name nothing. */
const NO_NAMES: NameOf = (name, _, id) => name ?? id;

const TOTALS: readonly Column<Totals>[] = [
  ['calls', 'count', ({ calls }) => calls],
  ['inbound', 'count', ({ inbound }) => inbound],
  ['internal', 'count', ({ internal }) => internal],
  ['outbound', 'count', ({ outbound }) => outbound],
  ['answered', 'count', ({ talked }) => talked],
  ['answerRate', 'rate', ({ answer_rate }) => answer_rate],
  ['missed', 'count', ({ missed }) => missed],
  ['unreachable', 'count', ({ unreachable }) => unreachable],
  ['abandoned', 'count', ({ abandoned }) => abandoned],
  ['voicemail', 'count', ({ voicemail }) => voicemail],
  ['averageTalk', 'time', ({ average_talk_ms }) => average_talk_ms],
  ['queued', 'count', ({ queue }) => queue.calls],
  ['answeredFromQueues', 'count', ({ queue }) => queue.answered],
  ['answeredInTime', 'count', ({ queue }) => queue.answered_in_time],
  ['serviceLevel', 'rate', ({ queue }) => queue.service_level],
  ['answerSpeed', 'time', ({ queue }) => queue.average_answer_ms],
  ['hungUpInQueues', 'count', ({ queue }) => queue.abandoned],
  ['abandonmentRate', 'rate', ({ queue }) => queue.abandoned_rate],
  ['hungUpAfter', 'time', ({ queue }) => queue.average_abandon_ms],
];

/** Nothing is shown of departments without them, as on the page. */
const hasCallbacks = ({ callbacks_asked: asked, callbacks_done: done }: Department): boolean =>
  asked + done > 0;

const DEPARTMENTS: readonly Column<Department>[] = [
  ['department', 'text', ({ name, id }, nameOf) => nameOf(name, 'department', id)],
  ['calls', 'count', ({ calls }) => calls],
  ['answered', 'count', ({ answered }) => answered],
  ['answeredInTime', 'count', ({ queue }) => queue.answered_in_time],
  ['serviceLevel', 'rate', ({ queue }) => queue.service_level],
  ['answerSpeed', 'time', ({ average_wait_ms }) => average_wait_ms],
  ['hungUp', 'count', ({ abandoned }) => abandoned],
  ['abandonmentRate', 'rate', ({ queue }) => queue.abandoned_rate],
  ['hungUpAfter', 'time', ({ queue }) => queue.average_abandon_ms],
  ['leftOtherwise', 'count', ({ queue }) => queue.left],
  ['callbacksAsked', 'count', (row) => (hasCallbacks(row) ? row.callbacks_asked : null)],
  ['calledBack', 'count', (row) => (hasCallbacks(row) ? row.callbacks_done : null)],
  ['averageTalk', 'time', ({ average_talk_ms }) => average_talk_ms],
];

const AGENTS: readonly Column<Agent>[] = [
  ['agent', 'text', ({ name, eid }, nameOf) => nameOf(name, 'extension', eid)],
  ['offered', 'count', ({ offered }) => offered],
  ['answered', 'count', ({ answered }) => answered],
  ['notAnswered', 'count', ({ not_answered }) => not_answered],
  ['talking', 'time', ({ talk_ms }) => talk_ms],
  ['averageTalk', 'time', ({ average_talk_ms }) => average_talk_ms],
  ['signedIn', 'time', ({ signed_in_ms }) => signed_in_ms],
  ['paused', 'time', ({ paused_ms }) => paused_ms],
  ['wrapUp', 'time', ({ state_ms }) => state_ms.wrap_up],
  ['occupancy', 'rate', ({ occupancy }) => occupancy],
];

function sheetOf<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  words: Words,
  nameOf: NameOf = NO_NAMES,
): Sheet {
  return {
    name,
    columns: columns.map(([column, kind], index) => {
      const title = words.columns[column];
      return { title, kind, width: index === 0 ? NAME_WIDTH : Math.max(10, title.length + 2) };
    }),
    rows: rows.map((row) => columns.map(([, , value]) => value(row, nameOf))),
  };
}

/** One figure a line, beside the same of the period before where it is given. */
export interface FigureLine {
  readonly title: string;
  readonly kind: ColumnKind;
  readonly value: SheetValue;
  readonly before: SheetValue;
}

export const figuresOf = (totals: Totals, before: Totals | null, words: Words): FigureLine[] =>
  TOTALS.map(([name, kind, value]) => ({
    title: words.columns[name],
    kind,
    value: value(totals, NO_NAMES),
    before: before === null ? null : value(before, NO_NAMES),
  }));

/** The start of a day or hour, in the zone that was asked for. */
const localStart = (start: string): string => start.slice(0, 16).replace('T', ' ');

export function statisticsSheet(
  statistics: AccountStatistics,
  table: StatisticsTable,
  words: Words,
  deletedName: DeletedName,
): Sheet {
  const { totals, data, departments, agents } = statistics;
  const { sheets } = words;
  const nameOf = naming(words, deletedName);
  if (table === 'departments') return sheetOf(sheets.departments, DEPARTMENTS, departments, words, nameOf);
  if (table === 'agents') return sheetOf(sheets.agents, AGENTS, agents, words, nameOf);
  if (table === 'totals') return sheetOf(sheets.totals, TOTALS, [totals], words);
  type Bucket = (typeof data)[number];
  const start: Column<Bucket> = ['start', 'text', (bucket) => localStart(bucket.start)];
  return sheetOf(statistics.by === 'hour' ? sheets.hours : sheets.days, [start, ...TOTALS], data, words);
}
