// Callers whom nobody answered and nobody has talked to since: of today and yesterday. The overview counts them, the list of calls
// shows them.
import type { CallSummary } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { lastDays } from '../statistics/range.ts';
import { NO_FILTERS, questionOf } from './filters.ts';

export interface OpenCaller {
  readonly caller: string;
  readonly name: string;
  /** The time of the last try. */
  readonly at: string;
  readonly id: string;
  readonly tries: number;
}

export interface NotCalledBack {
  /** The latest first. */
  readonly callers: readonly OpenCaller[];
  /** Calls without a number: whether their callers were reached is not known. */
  readonly withheld: number;
  /** All calls of the callers, and the withheld ones, the latest first. */
  readonly calls: readonly CallSummary[];
}

export interface OpenCalls extends NotCalledBack {
  /** There was too much to read: callers may be missing, or may have been reached. */
  readonly isCut: boolean;
}

/** Outcomes of unanswered calls that are lost. Callers who were blocked, heard all there was, or left a message are not lost. */
const LOST: ReadonlySet<string | null> = new Set(['missed', 'unreachable', 'abandoned', 'interrupted']);

const isLost = ({ direction, outcome, talk_ms, answered_by }: CallSummary): boolean =>
  direction === 'inbound' && LOST.has(outcome) && talk_ms === 0 && answered_by === null;

/** Digits alone, and of long numbers the last ones: `+49 30 1` and `030 1` are one caller. A name is itself. */
const keyOf = (number: string): string => number.replace(/\D/g, '').slice(-9) || number;

/** `callbacks`: the numbers that the service is going to call. */
export function notCalledBack(
  unanswered: readonly CallSummary[],
  talked: readonly CallSummary[],
  callbacks: readonly string[] = [],
): NotCalledBack {
  const talkedAt = lastTalks(talked);
  const awaited = new Set(callbacks.map(keyOf));
  const isOpen = ({ caller, started_at }: CallSummary): boolean =>
    !caller || (!awaited.has(keyOf(caller)) && (talkedAt.get(keyOf(caller)) ?? '') <= started_at);
  const calls = unanswered
    .filter((call) => isLost(call) && isOpen(call))
    .sort((one, other) => (one.started_at < other.started_at ? 1 : -1));
  const callers = new Map<string, OpenCaller>();
  for (const { id, caller, caller_name, started_at: at } of calls) {
    if (!caller) continue;
    const latest = callers.get(keyOf(caller)) ?? { caller, name: caller_name ?? '', at, id, tries: 0 };
    callers.set(keyOf(caller), { ...latest, tries: latest.tries + 1 });
  }
  return { callers: [...callers.values()], withheld: calls.filter(({ caller }) => !caller).length, calls };
}

/** When each number was talked to for the last time. */
function lastTalks(talked: readonly CallSummary[]): ReadonlyMap<string, string> {
  const talkedAt = new Map<string, string>();
  for (const { direction, caller, dialled, started_at, talk_ms } of talked) {
    const other = direction === 'outbound' ? dialled : caller;
    if (!other || talk_ms === 0) continue;
    const key = keyOf(other);
    if ((talkedAt.get(key) ?? '') < started_at) talkedAt.set(key, started_at);
  }
  return talkedAt;
}

interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** What the service is asked for, page by page; `from`: the start of the oldest call that matters. */
export interface CallPages {
  readonly lost: (cursor: string | null) => Promise<PageOf<CallSummary>>;
  readonly talked: (from: string, cursor: string | null) => Promise<PageOf<CallSummary>>;
  readonly callbacks: (cursor: string | null) => Promise<PageOf<{ readonly number: string }>>;
}

const PAGE = 500;
/** Pages that are read of each list. */
const MOST_PAGES = 6;

async function readPages<Row>(page: (cursor: string | null) => Promise<PageOf<Row>>) {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let asked = 0; asked < MOST_PAGES; asked += 1) {
    const answer: PageOf<Row> = await page(cursor);
    rows.push(...answer.data);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return { rows, isCut: cursor !== null };
}

export async function readOpenCalls({ lost, talked, callbacks }: CallPages): Promise<OpenCalls> {
  const unanswered = await readPages(lost);
  const oldest = unanswered.rows
    .filter((call) => isLost(call) && call.caller)
    .map(({ started_at }) => started_at)
    .sort()[0];
  if (oldest === undefined) return { ...notCalledBack(unanswered.rows, []), isCut: unanswered.isCut };
  const [talks, awaited] = await Promise.all([
    readPages((cursor) => talked(oldest, cursor)),
    readPages(callbacks),
  ]);
  return {
    ...notCalledBack(
      unanswered.rows,
      talks.rows,
      awaited.rows.map(({ number }) => number),
    ),
    isCut: unanswered.isCut || talks.isCut || awaited.isCut,
  };
}

/** Asks for the calls of today and yesterday, where the viewer is. */
export function askOpenCalls(signal: AbortSignal): Promise<OpenCalls> {
  const at = (cursor: string | null) => ({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
  const days = questionOf({ ...NO_FILTERS, ...lastDays(2), direction: 'inbound', outcome: 'unanswered' });
  return readOpenCalls({
    lost: (cursor) => client.listCallRecords({ query: { ...days, ...at(cursor) }, signal }),
    talked: (from, cursor) =>
      client.listCallRecords({ query: { from, outcome: 'talked', ...at(cursor) }, signal }),
    callbacks: (cursor) => client.listCallbacks({ query: { open: 'true', ...at(cursor) }, signal }),
  });
}
