// GET /v1/call/records.csv: the same filters, all that is found, sent as it is read. RFC 4180.
import { isProblem } from '../../domain/problem.ts';
import type { CallCursor, CallSearch, CallStorage, FoundCall } from '../../storage/ports/calls.ts';
import type { Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { CALL_FILTERS, searchOf } from '../schemas/call-query.ts';
import { describeCall } from './call-record.ts';

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

export const exportCallRecords: Handler = (request, context) => {
  const query = readQuery(CALL_FILTERS, request);
  if (isProblem(query)) return query;
  const search = { ...searchOf(query, request.account), limit: PIECE };
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
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

export function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = isRisky(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, T24), full-width signs included. So does a text
 * that begins with one itself: a reader of the file removes one apostrophe and has what was stored.
 */
const isRisky = (text: string): boolean => /^[=+\-@\t\r\n'＝＋－＠]/.test(text);
