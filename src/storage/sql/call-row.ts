// A call as a row, and what its JSON says that filters and statistics need.
import { MAX_WORD, outcomeOf, type PastCall } from '../../domain/past-call.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import type { CallRow, FoundCall } from '../storage.ts';
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
  json: 'text',
} as const;

/** All but the JSON, which is many times as long as the rest. */
export const SUMMARY = Object.keys(COLUMNS)
  .filter((column) => column !== 'json')
  .join(', ');

/** Some of it was sent by strangers, and PostgreSQL does not take NUL: one odd call must not hold up its batch. */
export const clean = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

/** What an index may hold; the JSON has the whole of it. */
const short = (text: string): string => clean(text.length > MAX_WORD ? text.slice(0, MAX_WORD) : text);

/** A call with what was read of its JSON. */
export interface ReadCall {
  readonly row: CallRow;
  readonly past: PastCall;
  readonly callerName: string | null;
}

export function readCall(row: CallRow): ReadCall {
  const { trail, callerName } = readJson(row.json);
  return { row, past: { ...row, trail }, callerName };
}

function readJson(json: string): { trail: readonly TrailEntry[]; callerName: string | null } {
  try {
    const { trail, caller_name: name } = JSON.parse(json) as { trail?: unknown; caller_name?: unknown };
    return {
      trail: Array.isArray(trail) ? (trail as TrailEntry[]) : [],
      callerName: typeof name === 'string' && name !== '' ? name : null,
    };
  } catch {
    // A record that is no JSON is kept like any other; it only has no steps.
    return { trail: [], callerName: null };
  }
}

export function valuesOf({ row, past, callerName }: ReadCall): SqlValue[] {
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
    outcomeOf(past),
    row.endCode,
    row.cause,
    row.answeredBy,
    Math.round(row.ringMs),
    Math.round(row.talkMs),
    clean(row.json),
  ];
}

export function toFound(row: SqlRow): FoundCall {
  const text = (column: string): string | null => {
    const value = row[column];
    return value === null || value === undefined ? null : String(value);
  };
  return {
    accountId: String(row['account_id']),
    id: String(row['id']),
    startedAtMs: Number(row['started_at']),
    endedAtMs: Number(row['ended_at']),
    direction: row['direction'] as FoundCall['direction'],
    caller: text('caller'),
    callerName: text('caller_name'),
    dialled: String(row['dialled']),
    entry: String(row['entry']),
    outcome: text('outcome'),
    endCode: String(row['end_code']),
    cause: Number(row['cause']),
    answeredBy: text('answered_by'),
    ringMs: Number(row['ring_ms']),
    talkMs: Number(row['talk_ms']),
  };
}
