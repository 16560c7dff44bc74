// The SQL for finding calls, newest first. The search scans the calls of one index word (or all of them) in the order of time
// and looks up the other conditions by primary key: no planner statistics can change that plan. With other conditions it scans
// a limited number of rows, so that a search without matches does not block other readers.
import type { CallCursor, CallSearch, CallsFound, FoundCall } from '../ports/calls.ts';
import { SUMMARY, toFound } from './call-row.ts';
import { integer, text } from './columns.ts';
import type { Operation } from './operation.ts';
import type { SqlValue, Tx } from './tx.ts';

/** Calls that one search scans before it returns its position. */
export const SCAN_LIMIT = 2000;
const MANY = 512;

export const findCalls: Operation<'findCalls'> = async (tx, search) => {
  const [first = '', ...words] = search.words;
  if (typeof first === 'string') return findIn(tx, search);
  const found: CallsFound[] = [];
  for (const word of first) found.push(await findIn(tx, { ...search, words: [word, ...words] }));
  return merged(found, search.limit);
};

/** Each has all calls down to its `rest`, so together they have all down to the newest of these. */
function merged(found: readonly CallsFound[], limit: number): CallsFound {
  const rests = found.flatMap(({ rest }) => rest ?? []).sort(newestFirst);
  const [fence = null] = rests;
  const calls = found
    .flatMap(({ calls }) => calls)
    .filter((call) => fence === null || newestFirst(call, fence) <= 0)
    .sort(newestFirst);
  const page = calls.slice(0, limit);
  const last = calls.length > limit ? page.at(-1) : undefined;
  return { calls: page, rest: last ? { startedAtMs: last.startedAtMs, id: last.id } : fence };
}

function newestFirst(one: CallCursor, other: CallCursor): number {
  return other.startedAtMs - one.startedAtMs || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

async function findIn(tx: Tx, search: CallSearch): Promise<CallsFound> {
  const { limit } = search;
  const upper = upperEnd(search);
  const fence = asksMore(search) ? await fenceOf(tx, search, upper) : null;
  const lower = fence ?? { startedAtMs: search.fromMs, id: '' };
  const calls = isPlain(search)
    ? await plainPage(tx, search, upper)
    : await rowsAt(tx, search.accountId, await idsOf(tx, search, upper, lower));
  const last = calls.at(-1);
  return {
    calls,
    rest: last && calls.length >= limit ? { startedAtMs: last.startedAtMs, id: last.id } : fence,
  };
}

const hasRange = ({ minMs, maxMs }: CallSearch): boolean => minMs !== undefined || maxMs !== undefined;
const isPlain = (search: CallSearch): boolean =>
  search.words.length === 0 && !hasRange(search) && search.part === undefined;
/** Whether the scan may read calls that do not match. */
const asksMore = (search: CallSearch): boolean =>
  search.words.length > 1 || hasRange(search) || search.part !== undefined;

/** Calls are before this cursor, and not before `fromMs`. */
function upperEnd({ before, toMs }: CallSearch): CallCursor {
  return before && before.startedAtMs < toMs ? before : { startedAtMs: toMs, id: '' };
}

/** Statement and values together: a value's placeholder is its position in the list. */
class Draft {
  readonly values: SqlValue[] = [];
  mark(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The scanned calls: those that have the first word, or all. */
function source(draft: Draft, { accountId, words: [word] }: CallSearch, upper: CallCursor): string {
  const account = draft.mark(accountId);
  const from =
    word === undefined
      ? `calls t WHERE t.account_id = ${account}`
      : `call_words t WHERE t.account_id = ${account} AND t.word = ${draft.mark(String(word))}`;
  const [time, id] = [draft.mark(upper.startedAtMs), draft.mark(upper.id)];
  return `FROM ${from} AND (t.started_at, t.id) < (${time}, ${id})`;
}

const NEWEST_FIRST = 'ORDER BY t.started_at DESC, t.id DESC';

/** The last call of this scan; null: it reaches the end. */
async function fenceOf(tx: Tx, search: CallSearch, upper: CallCursor): Promise<CallCursor | null> {
  const draft = new Draft();
  const sql = `SELECT t.started_at, t.id ${source(draft, search, upper)} AND t.started_at >= ${draft.mark(search.fromMs)}
    ${NEWEST_FIRST} LIMIT 1 OFFSET ${draft.mark(SCAN_LIMIT - 1)}`;
  const [row] = await tx.all(sql, draft.values);
  return row ? { startedAtMs: integer(row['started_at']), id: text(row['id']) } : null;
}

async function idsOf(
  tx: Tx,
  search: CallSearch,
  upper: CallCursor,
  lower: CallCursor,
): Promise<readonly string[]> {
  const draft = new Draft();
  const from = source(draft, search, upper);
  const [time, id] = [draft.mark(lower.startedAtMs), draft.mark(lower.id)];
  const sql = `SELECT t.id ${from} AND t.started_at >= ${time} AND (t.started_at, t.id) >= (${time}, ${id})
    ${questions(draft, search)} ${NEWEST_FIRST} LIMIT ${draft.mark(search.limit)}`;
  return (await tx.all(sql, draft.values)).map((row) => text(row['id']));
}

const marks = (draft: Draft, word: string | readonly string[]): string =>
  [word]
    .flat()
    .map((each) => draft.mark(each))
    .join(', ');

/** The other conditions. A scalar subquery is never turned into a join. */
function questions(draft: Draft, search: CallSearch): string {
  const [first, ...words] = search.words;
  const account = '$1';
  const asked = words.map(
    (
      word,
    ) => `AND (SELECT 1 FROM call_words x WHERE x.account_id = ${account} AND x.word IN (${marks(draft, word)})
      AND x.started_at = t.started_at AND x.id = t.id LIMIT 1) = 1`,
  );
  const ofCall = (value: (table: string) => string): string =>
    first === undefined
      ? value('t')
      : `(SELECT ${value('c')} FROM calls c WHERE c.account_id = ${account} AND c.id = t.id)`;
  if (hasRange(search)) {
    const { minMs = 0, maxMs = Number.MAX_SAFE_INTEGER } = search;
    const duration = ofCall((table) => `${table}.ended_at - ${table}.started_at`);
    asked.push(`AND ${duration} BETWEEN ${draft.mark(minMs)} AND ${draft.mark(maxMs)}`);
  }
  if (search.part !== undefined) {
    const text = ofCall(
      (table) =>
        `lower(coalesce(${table}.caller, '') || ' ' || ${table}.dialled || ' ' || coalesce(${table}.caller_name, ''))`,
    );
    const like = `%${search.part.replace(/[\\%_]/g, '\\$&')}%`;
    asked.push(`AND ${text} LIKE ${draft.mark(like)} ESCAPE '\\'`);
  }
  return asked.join(' ');
}

async function rowsAt(tx: Tx, accountId: string, ids: readonly string[]): Promise<FoundCall[]> {
  const found = new Map<string, FoundCall>();
  for (let from = 0; from < ids.length; from += MANY) {
    // Padded to a power of two, so that a handful of prepared statements serves every count.
    const size = 2 ** Math.ceil(Math.log2(Math.min(MANY, ids.length - from)));
    const asked = Array.from({ length: size }, (_, index) => ids[from + index] ?? ids[from] ?? '');
    const marks = asked.map((_, index) => `$${index + 2}`).join(', ');
    const sql = `SELECT ${SUMMARY} FROM calls WHERE account_id = $1 AND id IN (${marks})`;
    for (const row of await tx.all(sql, [accountId, ...asked])) found.set(text(row['id']), toFound(row));
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function plainPage(tx: Tx, search: CallSearch, upper: CallCursor): Promise<FoundCall[]> {
  const rows = await tx.all(
    `SELECT ${SUMMARY} FROM calls WHERE account_id = $1 AND (started_at, id) < ($2, $3) AND started_at >= $4
     ORDER BY started_at DESC, id DESC LIMIT $5`,
    [search.accountId, upper.startedAtMs, upper.id, search.fromMs, search.limit],
  );
  return rows.map(toFound);
}
