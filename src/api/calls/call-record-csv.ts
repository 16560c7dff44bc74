// GET /v1/call/records.csv: the same filters, all that is found, sent as it is read. RFC 4180.

import { optional } from '../../kinds/field.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { CallCursor, CallSearch, CallStorage, FoundCall } from '../../storage/ports/calls.ts';
import type { Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { CALL_FILTERS, searchOf } from '../schemas/call-query.ts';
import { zone } from '../schemas/statistics.ts';
import { describeCall } from './call-record.ts';
import { cell } from './csv-cell.ts';
import { CSV_TYPE, peoplesCsv } from './sheets.ts';

/** Calls that are in memory at a time. */
const PIECE = 250;

const COLUMNS = [
  'id',
  'started_at',
  'ended_at',
  'direction',
  'caller',
  'caller_name',
  'dialled',
  'entry',
  'outcome',
  'end_code',
  'cause',
  'answered_by',
  'ring_ms',
  'talk_ms',
  'wait_ms',
  'schema',
  'call_id',
] as const satisfies readonly (keyof ReturnType<typeof describeCall>)[];

export const CALL_CSV_QUERY = { ...CALL_FILTERS, timezone: optional(zone(), null) } as const;

export const exportCallRecords: Handler = (request, context) => {
  const query = readQuery(CALL_CSV_QUERY, request);
  if (isProblem(query)) return query;
  const search = { ...searchOf(query, request.account), limit: PIECE };
  if (query.timezone !== null) return peoplesCsv(request, context, search, query.timezone);
  return {
    status: 200,
    headers: {
      'content-type': CSV_TYPE,
      'content-disposition': 'attachment; filename="call-records.csv"',
    },
    stream: { pieces: (signal) => piecesOf(context.storage, search, signal) },
  };
};

async function* piecesOf(
  storage: CallStorage,
  search: CallSearch,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  let before: CallCursor | null = null;
  do {
    const found: { calls: readonly FoundCall[]; rest: CallCursor | null } = await storage.findCalls(
      before ? { ...search, before } : search,
    );
    if (found.calls.length > 0) yield found.calls.map(lineOf).join('');
    before = found.rest;
  } while (before && !signal.aborted);
}

function lineOf(call: FoundCall): string {
  const shown = describeCall(call);
  return `${COLUMNS.map((column) => cell(shown[column])).join(',')}\r\n`;
}
