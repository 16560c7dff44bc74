// A call as a row, and the parts of its JSON that filters and statistics need.
import { type CallIndex, indexCall } from '../../domain/call-index.ts';
import { MAX_WORD } from '../../domain/past-call.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import type { CallRow, FoundCall } from '../ports/calls.ts';
import { integer, integerOrNull, text, textOrNull, word } from './columns.ts';
import type { SqlRow, SqlValue } from './tx.ts';

export const COLUMNS = {
  account_id: 'text',
  id: 'text',
  started_at: 'bigint',
  ended_at: 'bigint',
  direction: 'text',
  caller: 'text',
  caller_name: 'text',
  dialled: 'text',
  entry: 'text',
  outcome: 'text',
  end_code: 'text',
  cause: 'bigint',
  answered_by: 'text',
  ring_ms: 'bigint',
  talk_ms: 'bigint',
  wait_ms: 'bigint',
  json: 'text',
} as const;

/** All but the JSON, which is many times as long as the rest. */
export const SUMMARY = Object.keys(COLUMNS)
  .filter((column) => column !== 'json')
  .join(', ');

/** Some values come from callers, and PostgreSQL rejects NUL: one such call must not block its batch. */
export const clean = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

/** The longest value of an index; the JSON has all of it. */
const short = (text: string): string => clean(text.length > MAX_WORD ? text.slice(0, MAX_WORD) : text);

export function indexOf(row: CallRow): CallIndex {
  if (row.index) return row.index;
  const { trail, callerName, isCallback } = readJson(row.json);
  return indexCall({ ...row, trail, isCallback }, callerName);
}

interface ReadJson {
  readonly trail: readonly TrailEntry[];
  readonly callerName: string;
  readonly isCallback: boolean;
}

function readJson(json: string): ReadJson {
  try {
    const { trail, caller_name: name, callback }: Readonly<Record<string, unknown>> = JSON.parse(json);
    return {
      trail: Array.isArray(trail) ? trail : [],
      callerName: typeof name === 'string' ? name : '',
      isCallback: typeof callback === 'object' && callback !== null,
    };
  } catch {
    // A record that is not JSON is stored like any other; it only has no trail.
    return { trail: [], callerName: '', isCallback: false };
  }
}

/** In the order of the columns. */
export function valuesOf(row: CallRow, { callerName, outcome }: CallIndex): SqlValue[] {
  return [
    row.accountId,
    row.id,
    Math.round(row.startedAtMs),
    Math.round(row.endedAtMs),
    row.direction,
    row.caller === null ? null : short(row.caller),
    callerName === null ? null : short(callerName),
    short(row.dialled),
    row.entry,
    outcome,
    row.endCode,
    row.cause,
    row.answeredBy,
    Math.round(row.ringMs),
    Math.round(row.talkMs),
    row.waitMs === null ? null : Math.round(row.waitMs),
    clean(row.json),
  ];
}

export function callOf(values: readonly SqlValue[]): CallRow {
  const names = Object.keys(COLUMNS);
  return readBack(Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])));
}

export const readBack = (row: SqlRow): CallRow & FoundCall => ({
  ...toFound(row),
  json: text(row['json']),
});

export function toFound(row: SqlRow): FoundCall {
  return {
    accountId: text(row['account_id']),
    id: text(row['id']),
    startedAtMs: integer(row['started_at']),
    endedAtMs: integer(row['ended_at']),
    direction: word<FoundCall['direction']>(row['direction']),
    caller: textOrNull(row['caller']),
    callerName: textOrNull(row['caller_name']),
    dialled: text(row['dialled']),
    entry: text(row['entry']),
    outcome: textOrNull(row['outcome']),
    endCode: text(row['end_code']),
    cause: integer(row['cause']),
    answeredBy: textOrNull(row['answered_by']),
    ringMs: integer(row['ring_ms']),
    talkMs: integer(row['talk_ms']),
    waitMs: integerOrNull(row['wait_ms']),
  };
}
