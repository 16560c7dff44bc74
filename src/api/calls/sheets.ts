// Statistics and call records as files for people: CSV and workbooks (XLSX), with names and local times.
import type { Directory } from '../../domain/directory.ts';
import { parkingSpot } from '../../domain/parking-spot.ts';
import { readData } from '../../domain/row.ts';
import { type Words, wordsOf } from '../../domain/words/words.ts';
import { oneOf, optional } from '../../kinds/field.ts';
import type { DestinationRecordKind } from '../../kinds/lists.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { referenceText, splitReference } from '../../kinds/reference.ts';
import { FairPool } from '../../kit/fair-share.ts';
import { type CallNames, callColumns, callRow } from '../../statistics/call-sheet.ts';
import { deletedNames, deletedNamesFor } from '../../statistics/deleted-names.ts';
import { type ColumnKind, type Sheet, type SheetValue, valueText } from '../../statistics/sheet.ts';
import { STATISTICS_TABLES, statisticsSheet } from '../../statistics/statistics-sheets.ts';
import { makeWorkbook } from '../../statistics/workbook-thread.ts';
import type { CallCursor, CallSearch, FoundCall } from '../../storage/ports/calls.ts';
import type { ApiContext, ApiRequest, ApiResponse, Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { CALL_FILTERS, searchOf } from '../schemas/call-query.ts';
import { STATISTICS_QUERY, zone } from '../schemas/statistics.ts';
import { cell } from './csv-cell.ts';
import { statisticsFor } from './statistics.ts';

/** Calls in one workbook: all of it is in memory at once. */
export const MAX_WORKBOOK_CALLS = 10_000;
const PIECE = 250;
/** Workbooks that are read, made or wait: each holds its rows in memory. */
const WORKBOOKS = new FairPool({ total: 4, perAccount: 1 });
/** To read what a workbook is made of. */
const READ_MS = 20_000;
/** Menus whose names are looked up for one file; more are named by their ids. */
const MAX_NAMES = 1_000;

export const STATISTICS_CSV_QUERY = {
  ...STATISTICS_QUERY,
  table: optional(oneOf(STATISTICS_TABLES), 'days'),
} as const;
export const CALL_WORKBOOK_QUERY = { ...CALL_FILTERS, timezone: optional(zone(), 'UTC') } as const;

const file = (name: string, type: string) => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
});
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

const lineOf = (row: readonly SheetValue[], kinds: readonly ColumnKind[]): string =>
  `${row.map((value, index) => cell(valueText(value, kinds[index] ?? 'text'))).join(',')}\r\n`;
const headOf = (columns: readonly { readonly title: string }[]): string =>
  `${columns.map(({ title }) => cell(title)).join(',')}\r\n`;

const wordsFor = ({ account }: ApiRequest): Words => wordsOf(account.settings);

/** One table as CSV. */
export const exportStatistics: Handler = async (request, context) => {
  const query = readQuery(STATISTICS_CSV_QUERY, request);
  const statistics = await statisticsFor(request, context, query);
  if (isProblem(query) || isProblem(statistics)) return isProblem(query) ? query : (statistics as Problem);
  const deletedName = await deletedNamesFor(context.storage, request.account.id, statistics);
  const { columns, rows } = statisticsSheet(statistics, query.table, wordsFor(request), deletedName);
  const kinds = columns.map(({ kind }) => kind);
  return {
    status: 200,
    headers: file(`statistics-${query.table}.csv`, CSV_TYPE),
    bytes: headOf(columns) + rows.map((row) => lineOf(row, kinds)).join(''),
  };
};

/** All tables as one workbook. */
export const exportStatisticsWorkbook: Handler = (request, context) =>
  workbook(request, 'statistics.xlsx', async () => {
    const statistics = await statisticsFor(request, context, readQuery(STATISTICS_QUERY, request));
    if (isProblem(statistics)) return statistics;
    const tables = STATISTICS_TABLES.filter((table) => table !== 'days' || statistics.by !== 'none');
    const deletedName = await deletedNamesFor(context.storage, request.account.id, statistics);
    return tables.map((table) => statisticsSheet(statistics, table, wordsFor(request), deletedName));
  });

/** GET /v1/call/records.csv with a time zone: for people, not for programs. */
export async function peoplesCsv(
  request: ApiRequest,
  context: ApiContext,
  search: CallSearch,
  timezone: string,
): Promise<ApiResponse> {
  const names = await namesOf(request, context);
  const columns = callColumns(wordsFor(request));
  const kinds = columns.map(({ kind }) => kind);
  async function* pieces(signal: AbortSignal): AsyncGenerator<string> {
    yield headOf(columns);
    for await (const calls of callsOf(context, search, signal)) {
      await names.learn(request, context, calls);
      yield calls.map((call) => lineOf(callRow(call, names, timezone), kinds)).join('');
    }
  }
  return { status: 200, headers: file('call-records.csv', CSV_TYPE), stream: { pieces } };
}

export const exportCallWorkbook: Handler = (request, context) => {
  const query = readQuery(CALL_WORKBOOK_QUERY, request);
  if (isProblem(query)) return query;
  const words = wordsFor(request);
  return workbook(request, 'call-records.xlsx', async (signal) => {
    const names = await namesOf(request, context);
    const rows: SheetValue[][] = [];
    const search = { ...searchOf(query, request.account), limit: PIECE };
    for await (const calls of callsOf(context, search, signal)) {
      if (rows.length + calls.length > MAX_WORKBOOK_CALLS) return tooMany();
      await names.learn(request, context, calls);
      for (const call of calls) rows.push(callRow(call, names, query.timezone));
    }
    return [{ name: words.sheets.calls, columns: callColumns(words), rows }];
  });
};

const BUSY = problem('overloaded', 'Another workbook is being made; ask again in a moment, or take the CSV.');
const LATE = problem('overloaded', 'This workbook takes too long: choose a shorter time, or take the CSV.');

/** Its place first, then what it is made of: nothing is read for a workbook that is refused. */
async function workbook(
  { account, whileConnected }: ApiRequest,
  name: string,
  read: (signal: AbortSignal) => Promise<readonly Sheet[] | Problem>,
): Promise<ApiResponse | Problem> {
  const release = WORKBOOKS.take(account.id);
  if (!release) return BUSY;
  try {
    return await whileConnected(async (gone) => {
      const signal = AbortSignal.any([gone, AbortSignal.timeout(READ_MS)]);
      const sheets = await read(signal);
      if (isProblem(sheets)) return sheets;
      // What was read until then is not all of it.
      const bytes = signal.aborted ? null : await makeWorkbook(sheets, gone);
      return bytes ? { status: 200, headers: file(name, XLSX_TYPE), bytes } : LATE;
    });
  } finally {
    release();
  }
}

function tooMany(): Problem {
  const faults = new Faults();
  const most = MAX_WORKBOOK_CALLS.toLocaleString('en');
  faults.add(
    '/from',
    'value_not_allowed',
    `A workbook has at most ${most} calls: choose a shorter time, or CSV.`,
  );
  return faults.toProblem('query_invalid');
}

async function* callsOf(
  { storage }: ApiContext,
  search: CallSearch,
  signal: AbortSignal,
): AsyncGenerator<readonly FoundCall[]> {
  let before: CallCursor | null = null;
  do {
    const found: { calls: readonly FoundCall[]; rest: CallCursor | null } = await storage.findCalls(
      before ? { ...search, before } : search,
    );
    if (found.calls.length > 0) yield found.calls;
    before = found.rest;
  } while (before && !signal.aborted);
}

type Named = ReadonlyMap<string, { readonly data: { readonly name: string } }>;

const RECORDS_OF = new Map<string, (directory: Directory) => Named>([
  ['extension', ({ agents }) => agents],
  ['department', ({ departments }) => departments],
  ['timegroup', ({ timeGroups }) => timeGroups],
  ['announcement', ({ announcements }) => announcements],
  ['voicemail', ({ voicemailBoxes }) => voicemailBoxes],
  ['room', ({ rooms }) => rooms],
]);
const DESTINATION_KINDS = [
  'agent',
  'department',
  'ivr',
  'timegroup',
  'announcement',
  'voicemail',
  'room',
] as const satisfies readonly DestinationRecordKind[];

interface LearningNames extends CallNames {
  /** Looks up the menus of these calls: the directory has none. */
  learn(request: ApiRequest, context: ApiContext, calls: readonly FoundCall[]): Promise<void>;
}

async function namesOf(request: ApiRequest, { storage }: ApiContext): Promise<LearningNames> {
  const { deleted, parkingSpot: spotName } = wordsFor(request);
  const directory = await request.directory();
  const deletedName = await deletedNames(storage, request.account.id, DESTINATION_KINDS);
  const menus = new Map<string, string | null>();
  const gone = (reference: string): string => deleted(deletedName(reference) ?? splitReference(reference).id);
  const found = (kind: string, id: string): string | null => {
    if (kind === 'ivr') return menus.has(id) ? (menus.get(id) ?? null) : id;
    const of = RECORDS_OF.get(kind);
    return of ? (of(directory).get(id)?.data.name ?? null) : id;
  };
  return {
    agent: (eid) => directory.agents.get(eid)?.data.name ?? gone(referenceText('extension', eid)),
    destination(reference) {
      const { kind, id } = splitReference(reference);
      const spot = kind === 'department' ? parkingSpot(reference) : null;
      return spot === null ? (found(kind, id) ?? gone(referenceText(kind, id))) : spotName(spot);
    },
    async learn({ account }, { storage }, calls) {
      const ids = new Set<string>();
      for (const { entry } of calls) {
        const { kind, id } = splitReference(entry);
        if (kind === 'ivr' && !menus.has(id) && menus.size + ids.size < MAX_NAMES) ids.add(id);
      }
      if (ids.size === 0) return;
      const rows = await storage.getRecords({ accountId: account.id, kind: 'ivr', ids: [...ids] });
      for (const id of ids) menus.set(id, null);
      for (const { id, json } of rows) menus.set(id, readData('ivr', json).name);
    },
  };
}
